import { createHash } from 'node:crypto';
import { usageError } from '../errors.ts';
import { keepHeapSmall } from '../values/smallHeap.ts';
import { jsonArray, jsonLines } from './jsonRows.ts';
import type { Row, SheetChoice } from './row.ts';
import { identify } from './rowKey.ts';
import { decodeText, isWindowsText, isWorkbook, type Source } from './source.ts';
import { concatenated, csvRows, type TableRules, tableRows } from './tableRows.ts';

/** Keeps a row number in a damaged journal from taking all memory. */
export const maxRows = 100_000_000;

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
  const whole = concatenated([start], text);
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
