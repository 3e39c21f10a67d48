import { createHash } from 'node:crypto';
import type { Endpoint } from '../api/endpoints.ts';
import { hasShape, type Shape, schemaMismatches } from '../api/schemaMismatch.ts';
import { type CallInput, checkSecrets, describeMismatch, pathSegment } from '../client/request.ts';
import { fieldError, MarError, usageError } from '../errors.ts';
import { type JsonObject, toPlain } from '../json/value.ts';
import { keepHeapSmall } from '../values/smallHeap.ts';
import { jsonArray, jsonLines } from './jsonRows.ts';
import type { Problem, Row, RowReading, SheetChoice } from './row.ts';
import { identify } from './rowKey.ts';
import { decodeText, isWindowsText, isWorkbook, type Source } from './source.ts';
import { csvRows, type TableRules, tableRows } from './tableRows.ts';

export interface RowRules extends TableRules {
  endpoint: Endpoint;
  /** Finds out faster than the schema that a body is valid. */
  bodyShape: Shape;
  /** Translates values as people write them in tables. */
  translate?(record: JsonObject, reading?: RowReading): Promise<void>;
  /** Applies `--set` and the like, which change every row. */
  edit(record: JsonObject): void;
  /** Reports unknown names, or returns them as problems, as it does with doubtful values. */
  check(record: JsonObject): Promise<Problem[]>;
  /** A row has only the fields to change, and names its record in `_id`. */
  isChange?: boolean;
}

/** Keeps a row number in a damaged journal from taking all memory. */
export const maxRows = 100_000_000;

export interface RowRequest extends Pick<CallInput, 'id' | 'ifMatch' | 'lastLook'> {
  body: JsonObject;
}

export async function* readRows(
  source: Source,
  rules: TableRules,
  signal?: AbortSignal,
): AsyncGenerator<Row> {
  const { name } = source;
  const sheet = await sheetOf(source, rules.sheet, signal);
  if (sheet) {
    yield* tableRows(sheet, rules, name);
    return;
  }
  source.isWindowsText ??= await isWindowsText(source, signal);
  if (source.isWindowsText) rules.note?.(`${name} is not in Unicode: it is read as Windows-1252`);
  const encoding = source.isWindowsText ? 'windows-1252' : undefined;
  const text = decodeText(source.chunks(signal), name, encoding);
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
  else yield* csvRows(whole, start, rules, name);
}

/** The records of a workbook, which is parsed once. Undefined for any other file. */
async function sheetOf(source: Source, choice: SheetChoice | undefined, signal?: AbortSignal) {
  const chunks: Buffer[] = [];
  for await (const chunk of source.chunks(signal)) {
    chunks.push(chunk);
    if (source.sheet || !isWorkbook(chunks[0] as Buffer)) break;
  }
  const bytes = Buffer.concat(chunks);
  if (!isWorkbook(bytes)) return undefined;
  source.sheet ??= (await import('./workbook.ts')).readSheet(bytes, source.name, choice);
  return source.sheet;
}

async function* concatenated(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

export async function rowRequest(
  row: Row,
  { endpoint, translate, edit, isChange }: RowRules,
  reading?: RowReading,
): Promise<RowRequest> {
  const body = row.read(reading);
  if ('names' in row.original) await translate?.(body, reading);
  edit(body);
  if (!isChange && !endpoint.path.includes('{id}')) return { body };
  const id = body.get('_id');
  if (typeof id !== 'string') throw fieldError('_id', 'missing; it names the record to write');
  pathSegment(id);
  return { id, body };
}

export type InputIdentity = Awaited<ReturnType<typeof identifyRows>>;

/** A row that is converted to the other format gets another key, so it counts as a new row. */
export type RowFormat = 'CSV or TSV' | 'JSON' | 'a workbook';

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
    format ??= 'text' in original ? 'JSON' : original.values ? 'a workbook' : 'CSV or TSV';
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

/** Checks a row on its own. A check may ask the service. If that fails, it is not a problem of the row. */
export async function reviewRow(
  row: Row,
  rules: RowRules,
): Promise<RowReading & { body?: JsonObject }> {
  const reading: RowReading = { translated: [], problems: [] };
  const body = await checkedBody(row, rules, reading);
  const problems = reading.problems.map((problem) => {
    const cell = row.cellOf?.(problem.field ?? '');
    return cell === undefined ? problem : { ...problem, cell };
  });
  return { ...reading, problems, body };
}

async function checkedBody(row: Row, rules: RowRules, reading: RowReading) {
  const { problems } = reading;
  let body: JsonObject;
  try {
    ({ body } = await rowRequest(row, rules, reading));
    checkSecrets(body);
  } catch (error) {
    if (!(error instanceof MarError) || error.kind !== 'usage') throw error;
    problems.push({ field: error.details.field, message: error.message });
    return undefined;
  }
  const plain = toPlain(body);
  const isValid = hasShape(rules.bodyShape, plain);
  const mismatches = isValid ? [] : schemaMismatches(rules.bodySchema, plain);
  problems.push(...mismatches.map((one) => ({ field: one.path, message: describeMismatch(one) })));
  if (mismatches.length === 0) problems.push(...(await rules.check(body)));
  return body;
}
