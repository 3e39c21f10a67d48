import { createHash } from 'node:crypto';
import type { Endpoint } from '../api/endpoints.ts';
import { hasShape, type Shape, schemaMismatches } from '../api/schemaMismatch.ts';
import { type CallInput, checkSecrets, describeMismatch, pathSegment } from '../client/request.ts';
import { fieldError, MarError, type RowProblem, usageError } from '../errors.ts';
import { type JsonObject, toPlain } from '../json/value.ts';
import { keepHeapSmall } from '../values/smallHeap.ts';
import { jsonArray, jsonLines } from './jsonRows.ts';
import type { Row } from './row.ts';
import { identify } from './rowKey.ts';
import { decodeText, type Source } from './source.ts';
import { type TableRules, tableRows } from './tableRows.ts';

export interface RowRules extends TableRules {
  endpoint: Endpoint;
  /** Finds out faster than the schema that a body is valid. */
  bodyShape: Shape;
  /** Applies `--set` and the like, which change every row. */
  edit(record: JsonObject): void;
  /** Reports unknown names, or returns them as problems, as it does with doubtful values. */
  check(record: JsonObject): Promise<Problem[]>;
  /** A row has only the fields to change, and names its record in `_id`. */
  isChange?: boolean;
}

/** Keeps a row number in a damaged journal from taking all memory. */
export const maxRows = 100_000_000;

export type Problem = Omit<RowProblem, 'row' | 'line'>;

export interface RowRequest extends Pick<CallInput, 'id' | 'ifMatch' | 'lastLook'> {
  body: JsonObject;
}

export async function* readRows(
  source: Source,
  rules: TableRules,
  signal?: AbortSignal,
): AsyncGenerator<Row> {
  const { name } = source;
  const text = decodeText(source.chunks(signal), name);
  let start = '';
  let chunk = '';
  while (chunk.trim() === '') {
    const next = await text.next();
    if (next.done) return;
    chunk = next.value;
    start += chunk;
  }
  const whole = concatenated(start, text);
  const first = start.trimStart()[0];
  if (first === '{') yield* jsonLines(whole, name);
  else if (first === '[') yield* jsonArray(whole, name);
  else yield* tableRows(whole, start, rules, name);
}

async function* concatenated(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

export function rowRequest(row: Row, { endpoint, edit, isChange }: RowRules): RowRequest {
  const body = row.read();
  edit(body);
  if (!isChange && !endpoint.path.includes('{id}')) return { body };
  const id = body.get('_id');
  if (typeof id !== 'string') throw fieldError('_id', 'missing; it names the record to write');
  pathSegment(id);
  return { id, body };
}

export type InputIdentity = Awaited<ReturnType<typeof identifyRows>>;

/** A row that is converted to the other format gets another key, so it counts as a new row. */
export type RowFormat = 'CSV or TSV' | 'JSON';

/** A small heap makes rows slower. Up to this length, a batch needs little memory without it. */
const rowsBeforeSmallHeap = 20_000;

/**
 * Tells whether an input changed, before its rows are compared with earlier ones: with the same `hash`,
 * it has the same rows in the same order. `hasSecrets`: rows have passwords, which keys do not cover.
 */
export async function identifyRows(
  source: Source,
  rules: TableRules,
  { signal, nodeVersion }: { signal: AbortSignal; nodeVersion: string },
) {
  const hash = createHash('sha256');
  const keys: string[] = [];
  let format: RowFormat | undefined;
  let hasSecrets = false;
  for await (const { original } of readRows(source, rules, signal)) {
    format ??= 'text' in original ? 'JSON' : 'CSV or TSV';
    const { key, hasSecret } = identify(original);
    hasSecrets ||= hasSecret;
    hash.update(key);
    keys.push(key);
    if (keys.length > maxRows) {
      const message = `${source.name} has more than ${maxRows} rows`;
      throw usageError(message, 'Split it into several files.');
    }
    if (keys.length === rowsBeforeSmallHeap) await keepHeapSmall(nodeVersion);
  }
  return { keys, hash: hash.digest('hex'), format, hasSecrets };
}

/** Checks a row on its own. */
export async function reviewRow(
  row: Row,
  rules: RowRules,
): Promise<{ problems: Problem[]; body?: JsonObject }> {
  let body: JsonObject;
  try {
    ({ body } = rowRequest(row, rules));
    checkSecrets(body);
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    return { problems: [{ field: error.details.field, message: error.message }] };
  }
  const plain = toPlain(body);
  const mismatches = hasShape(rules.bodyShape, plain)
    ? []
    : schemaMismatches(rules.bodySchema, plain);
  if (mismatches.length > 0) {
    return {
      problems: mismatches.map((one) => ({ field: one.path, message: describeMismatch(one) })),
    };
  }
  // A check may ask the service. If that fails, it is not a problem of the row.
  return { problems: await rules.check(body), body };
}
