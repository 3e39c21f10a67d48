import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { csvRecords } from './csv.ts';
import { jsonArray, jsonLines } from './jsonRows.ts';
import type { Row, SheetChoice, TableRecord } from './row.ts';
import { identify } from './rowKey.ts';
import { decodeText, foreignText, isWorkbook, type Source } from './source.ts';
import { type TableRules, tableRows } from './tableRows.ts';

/** Rows after which signals are noticed, and progress is shown. */
const rowsInTurn = 500;

export async function* readRows(
  source: Source,
  rules: TableRules,
  signal?: AbortSignal,
): AsyncGenerator<Row> {
  const { name } = source;
  const { rows, records, separator } = await readContent(source, rules.sheet);
  if (source.foreignText && !rules.sheet?.encoding) {
    const example = JSON.stringify(source.foreignText);
    rules.warn?.(
      'encoding',
      `${name} is not in Unicode: it is read as Windows-1252, such as ${example}. For another encoding, use --encoding`,
    );
  }
  if (records) source.isTable = true;
  for await (const row of records ? tableRows(records, rules, name, separator) : rows) {
    if (row.number % rowsInTurn === 1) await setImmediate();
    signal?.throwIfAborted();
    yield row;
  }
}

/** Reads the rows of a JSON file, or the records of a table. An empty file has no rows. */
export async function readContent(source: Source, choice?: SheetChoice) {
  const { name, bytes } = source;
  if (isWorkbook(bytes)) {
    source.sheet ??= (await import('./workbook.ts')).readSheet(bytes, name, choice);
    return { records: filledRecords(await source.sheet) };
  }
  source.foreignText ??= foreignText(bytes, choice?.encoding) ?? '';
  const encoding = source.foreignText ? (choice?.encoding ?? 'windows-1252') : undefined;
  const text = decodeText(bytes, name, encoding);
  const [first = '{'] = text.trimStart();
  if (first === '{') return { rows: jsonLines(text, name) };
  if (first === '[') return { rows: jsonArray(text, name) };
  const separator = findSeparator(text);
  return { records: filledRecords(csvRecords(text, separator, name)), separator };
}

function* filledRecords(records: Iterable<TableRecord>): Generator<TableRecord, void> {
  for (const record of records) if (record.cells.some((cell) => cell.trim() !== '')) yield record;
}

function findSeparator(text: string): string {
  const [header = ''] = /^[^\r\n]*/.exec(text.trimStart()) ?? [];
  const plain = header.replaceAll(/"[^"]*"/g, '');
  const count = (separator: string) => plain.split(separator).length;
  return [',', ';', '\t'].sort((a, b) => count(b) - count(a))[0] ?? ',';
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
