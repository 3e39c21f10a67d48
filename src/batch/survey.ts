import type * as z from 'zod/mini';
import type { Endpoint } from '../api/endpoints.ts';
import { checkBody, pathSegment } from '../client/request.ts';
import { MarError, usageError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import type { Row } from './input/row.ts';
import { rowsOf } from './input/rows.ts';
import { newHash, type Source } from './input/source.ts';
import { maxRows } from './journal/states.ts';
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
async function problemOf(row: Row, rules: Rules): Promise<string | undefined> {
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

export interface SurveyOptions {
  rules: Rules;
  onUnknownColumns(paths: readonly string[]): void;
  /** Whether a row is going to be sent: the others need no check. */
  isWanted(row: number): boolean;
  onInvalid(row: Row, problem: string): void;
  /** Ends it: nothing was sent yet. */
  signal: AbortSignal;
}

/** What was found in an input before anything of it is sent. */
export interface Survey {
  rows: number;
  sha256: string;
}

/** Reads an input to its end: what it is, how many rows it has, and what is wrong with them. */
export async function survey(source: Source, options: SurveyOptions): Promise<Survey> {
  const { rules, isWanted, onInvalid, onUnknownColumns, signal } = options;
  const hash = newHash();
  let rows = 0;
  const chunks: Source['chunks'] = (learned) => untilAborted(source.chunks(learned), signal);
  for await (const row of rowsOf(
    { ...source, chunks },
    { ...rules, onUnknown: onUnknownColumns },
    hash,
  )) {
    if (signal.aborted) throw signal.reason;
    rows = row.number;
    if (rows > maxRows) {
      throw usageError(
        `${source.name} has more than ${maxRows} rows`,
        'Split it into several files.',
      );
    }
    if (!isWanted(row.number)) continue;
    const problem = await problemOf(row, rules);
    if (problem !== undefined) onInvalid(row, problem);
  }
  return { rows, sha256: hash.digest('hex') };
}

/** Between two rows there may be any number of chunks. */
async function* untilAborted(
  chunks: AsyncGenerator<Buffer>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    if (signal.aborted) throw signal.reason;
    yield chunk;
  }
}
