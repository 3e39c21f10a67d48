import type * as z from 'zod/mini';
import type { Endpoint } from '../api/endpoints.ts';
import { checkBody, pathSegment } from '../client/request.ts';
import { MarError, usageError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import type { Row } from './input/row.ts';
import type { Parcel } from './send.ts';

export interface Rules {
  endpoint: Endpoint;
  /** Of the body. */
  schema: z.ZodMiniType;
  /** Puts the time in its place that a date in a table's cell means. */
  setDate(record: JsonObject, path: string, date: string): void;
  /** Makes the changes that every row goes through. */
  edit(record: JsonObject): void;
  /** What else is wrong with a record, beyond the types of its fields. */
  check?(record: JsonObject): Promise<void>;
}

/** What is sent for a row, as it is. */
export function parcelOf(row: Row, { endpoint, edit }: Rules): Parcel {
  const body = row.read();
  edit(body);
  if (!endpoint.path.includes('{id}')) return { body };
  const id = body.get('_id');
  if (typeof id !== 'string') throw usageError('_id is missing: it says which record to write');
  pathSegment(id);
  return { id, body };
}

/** What is wrong with a row, if anything is. */
export async function problemOf(row: Row, rules: Rules): Promise<string | undefined> {
  try {
    const { body } = parcelOf(row, rules);
    checkBody(body, rules.schema);
    await rules.check?.(body);
    return undefined;
  } catch (error) {
    if (error instanceof MarError) return error.message;
    throw error;
  }
}
