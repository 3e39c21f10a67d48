import type * as z from 'zod/mini';
import type { Endpoint } from '../../api/endpoints.ts';
import { checkBody, pathSegment } from '../../client/request.ts';
import { MarError, usageError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { maxRows } from '../journal/rowStates.ts';
import { jsonArray, jsonLines } from './jsonRows.ts';
import type { Row } from './row.ts';
import { decodeText, newHash, type ReadOptions, type Source } from './source.ts';
import { type TableOptions, tableRows } from './tableRows.ts';

export interface RowRules {
  endpoint: Endpoint;
  bodySchema: z.ZodMiniType;
  setDate(record: JsonObject, path: string, date: string): void;
  /** Applies `--set` and the like, which change every row. */
  edit(record: JsonObject): void;
  check?(record: JsonObject): Promise<void>;
}

export interface RowRequest {
  id?: string;
  body: JsonObject;
}

export async function* readRows(
  source: Source,
  rules: Pick<RowRules, 'bodySchema' | 'setDate'>,
  options: ReadOptions & Pick<TableOptions, 'onUnknownColumns'> = {},
): AsyncGenerator<Row> {
  const text = decodeText(source.chunks(options), source.name);
  const start = await textUpToFirstWord(text);
  const whole = concatenated(start, text);
  switch (start.trimStart()[0]) {
    case undefined:
      return;
    case '{':
      return yield* jsonLines(whole, source.name);
    case '[':
      return yield* jsonArray(whole, source.name);
    default:
      yield* tableRows(whole, start, { ...rules, ...options, name: source.name });
  }
}

async function textUpToFirstWord(text: AsyncGenerator<string>): Promise<string> {
  let start = '';
  for (;;) {
    const { value, done } = await text.next();
    if (done) return start;
    start += value;
    if (value.trim() !== '') return start;
  }
}

async function* concatenated(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

export function rowRequest(row: Row, { endpoint, edit }: RowRules): RowRequest {
  const body = row.read();
  edit(body);
  if (!endpoint.path.includes('{id}')) return { body };
  const id = body.get('_id');
  if (typeof id !== 'string') throw usageError('_id is missing: it says which record to write');
  pathSegment(id);
  return { id, body };
}

export interface ValidationOptions {
  rules: RowRules;
  onUnknownColumns(paths: readonly string[]): void;
  isPending(row: number): boolean;
  onInvalid(row: Row, problem: string): void;
  signal: AbortSignal;
}

export interface ValidatedInput {
  rows: number;
  sha256: string;
}

/** Reads an input to its end before anything is sent, and reports every invalid row. */
export async function validateRows(
  source: Source,
  options: ValidationOptions,
): Promise<ValidatedInput> {
  const { rules, isPending, onInvalid, onUnknownColumns, signal } = options;
  const hash = newHash();
  let rows = 0;
  for await (const row of readRows(source, rules, { onUnknownColumns, hash, signal })) {
    if (signal.aborted) throw signal.reason;
    rows = row.number;
    if (rows > maxRows) {
      throw usageError(
        `${source.name} has more than ${maxRows} rows`,
        'Split it into several files.',
      );
    }
    if (!isPending(row.number)) continue;
    const problem = await problemOf(row, rules);
    if (problem !== undefined) onInvalid(row, problem);
  }
  return { rows, sha256: hash.digest('hex') };
}

async function problemOf(row: Row, rules: RowRules): Promise<string | undefined> {
  try {
    const { body } = rowRequest(row, rules);
    checkBody(body, rules.bodySchema);
    await rules.check?.(body);
    return undefined;
  } catch (error) {
    if (error instanceof MarError) return error.message;
    throw error;
  }
}
