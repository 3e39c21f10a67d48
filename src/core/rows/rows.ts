import { createHash } from 'node:crypto';
import { csvRecords } from './csv.ts';
import { jsonArray, jsonLines } from './jsonRows.ts';
import type { Row, SheetChoice, TableRecord } from './row.ts';
import { identify } from './rowKey.ts';
import { decodeText, foreignText, isWorkbook, type Source } from './source.ts';
import { concatenated, type TableRules, tableRows } from './tableRows.ts';

export async function* readRows(
  source: Source,
  rules: TableRules,
  signal?: AbortSignal,
): AsyncGenerator<Row> {
  const { name } = source;
  const { rows, records, separator } = await readContent(source, rules.sheet, signal);
  if (source.foreignText && !rules.sheet?.encoding) {
    const example = JSON.stringify(source.foreignText);
    rules.warn?.(
      'encoding',
      `${name} is not in Unicode: it is read as Windows-1252, such as ${example}. For another encoding, use --encoding`,
    );
  }
  if (records) source.isTable = true;
  if (records) yield* tableRows(records, rules, name, separator);
  else yield* rows;
}

/** Reads the rows of a JSON file, or the records of a table. An empty file has no rows. */
export async function readContent(source: Source, choice?: SheetChoice, signal?: AbortSignal) {
  const { name } = source;
  const sheet = await sheetOf(source, choice, signal);
  if (sheet) return { records: filledRecords(sheet) };
  source.foreignText ??= (await foreignText(source, choice?.encoding, signal)) ?? '';
  const encoding = source.foreignText ? (choice?.encoding ?? 'windows-1252') : undefined;
  const text = decodeText(source.chunks(signal), name, encoding);
  let start = '';
  let chunk = '';
  while (chunk.trim() === '') {
    const next = await text.next();
    if (next.done) return { rows: jsonLines(text, name) };
    chunk = next.value;
    start += chunk;
  }
  const whole = concatenated([start], text);
  const first = start.trimStart()[0];
  if (first === '{') return { rows: jsonLines(whole, name) };
  if (first === '[') return { rows: jsonArray(whole, name) };
  // Spreadsheets may name the separator in a line of its own.
  const [, named] = /^sep=(.)\r?\n/i.exec(start) ?? [];
  const separator = named ?? findSeparator(start);
  const records = csvRecords(whole, separator, name);
  return { records: filledRecords(records, named === undefined ? 1 : 2), separator };
}

async function* filledRecords(
  records: AsyncIterable<TableRecord> | Iterable<TableRecord>,
  firstLine = 1,
): AsyncGenerator<TableRecord> {
  for await (const record of records) {
    const isFilled = record.cells.some((cell) => cell.trim() !== '');
    if (record.line >= firstLine && isFilled) yield record;
  }
}

function findSeparator(start: string): string {
  const [header = ''] = /^[^\r\n]*/.exec(start.trimStart()) ?? [];
  const plain = header.replaceAll(/"[^"]*"/g, '');
  const count = (separator: string) => plain.split(separator).length;
  return [',', ';', '\t'].sort((a, b) => count(b) - count(a))[0] ?? ',';
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

/**
 * Tells whether an input changed, before its rows are compared with earlier ones: with the same `hash`,
 * it has the same rows in the same order. `hasSecrets`: rows have passwords, which keys do not cover.
 */
export async function identifyRows(source: Source, rules: TableRules, signal: AbortSignal) {
  const hash = createHash('sha256');
  const keys: string[] = [];
  let hasSecrets = false;
  for await (const { original } of readRows(source, rules, signal)) {
    const { key, hasSecret } = identify(original);
    hasSecrets ||= hasSecret;
    hash.update(key);
    keys.push(key);
  }
  return { keys, hash: hash.digest('hex'), hasSecrets };
}
