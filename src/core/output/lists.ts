import type { ServiceRecord } from '../json/serviceRecord.ts';
import { compact, pretty } from '../json/text.ts';
import type { Json } from '../json/value.ts';
import { cellText, machineCell } from '../values/cell.ts';
import { readAhead } from '../values/concurrency.ts';
import { sanitise, visibleJson } from '../values/sanitise.ts';
import { csvRow, tsvRow } from '../values/separatedValues.ts';
import { formatRelative, isWholeMilliseconds } from '../values/time.ts';
import { abbreviate, recordRows, renderCard } from './card.ts';
import { columnReader, pickedTime, valueReader } from './columns.ts';
import { ClosedPipe, type Output } from './streams.ts';
import type { Style } from './style.ts';
import { fitTable, type TableColumn } from './table.ts';
import type { Column, ListOptions, ShownPages } from './viewType.ts';

/** Prints a list page by page. Nothing is printed before the first page, in case it fails. */
export async function printList(pages: ShownPages, options: ListOptions): Promise<void> {
  const { stdout, columns } = options;
  switch (options.format) {
    case 'json':
      return printJson(pages, stdout);
    case 'jsonl':
      return printRows(pages, stdout, ({ text }) => `${machineText(text, 'jsonl', stdout)}\n`);
    case 'tsv': {
      const cells = machineCells(options);
      const row = ({ value }: ServiceRecord) => `${tsvRow(cells(value), stdout.isTerminal)}\n`;
      return printRows(pages, stdout, row);
    }
    case 'csv': {
      const cells = machineCells(options);
      const form = { raw: options.csvRaw, isTerminal: stdout.isTerminal };
      const names = columns.map(({ path }) => path);
      const mark = options.csvBom && !stdout.isTerminal ? '\ufeff' : '';
      const header = mark + (names.length > 0 ? csvRow(names, form) : '');
      return printRows(pages, stdout, ({ value }) => csvRow(cells(value), form), { header });
    }
    case 'xlsx': {
      const { printSheet } = await import('./sheet.ts');
      return printSheet(pages, options);
    }
    case 'yaml': {
      const { printYaml } = await import('../values/yaml.ts');
      const entry = ({ value }: ServiceRecord) => printYaml(value as Json, { item: true });
      return printRows(pages, stdout, entry, { ifEmpty: '[]\n' });
    }
    case 'table':
      return printTable(pages, options);
  }
}

/** Programs get the text unchanged. On a terminal it is indented, with invisible characters escaped. */
export function machineText(text: string, format: 'json' | 'jsonl', stdout: Output): string {
  if (!stdout.isTerminal) return compact(text);
  return visibleJson(format === 'json' ? pretty(text) : compact(text));
}

async function printRows(
  pages: ShownPages,
  stdout: Output,
  row: (record: ServiceRecord) => string,
  { header = '', ifEmpty = header }: { header?: string; ifEmpty?: string } = {},
): Promise<void> {
  let isFirst = true;
  for await (const records of pages) {
    let text = isFirst ? header : '';
    for (const record of records) text += row(record);
    isFirst = false;
    await stdout.write(text);
  }
  if (isFirst) await stdout.write(ifEmpty);
}

async function printJson(pages: ShownPages, stdout: Output): Promise<void> {
  const element = ({ text }: ServiceRecord) => {
    const json = machineText(text, 'json', stdout);
    return stdout.isTerminal ? `\n  ${json.replaceAll('\n', '\n  ')}` : json;
  };
  let isOpen = false;
  try {
    for await (const records of pages) {
      await stdout.write((isOpen ? ',' : '[') + records.map(element).join(','));
      isOpen = true;
    }
  } catch (error) {
    // The list must not look complete.
    if (!(error instanceof ClosedPipe) && !stdout.isAtLineStart) await stdout.write('\n');
    throw error;
  }
  const close = stdout.isTerminal && !stdout.isAtLineStart ? '\n]\n' : ']\n';
  await stdout.write(isOpen ? close : '[]\n');
}

const sampleSize = 50;
/** For cells that are shown whole because the terminal is too narrow for a table. */
const maxCell = 10_000;

async function printTable(pages: ShownPages, options: ListOptions): Promise<void> {
  const { stdout, style, columns, isPicked } = options;
  const tableColumns = columns.map((column) => toTableColumn(column, options));
  const cells = peopleCells(options);
  const { sample, all } = await readAhead(pages, sampleSize);
  const rows = style.isAccessible ? [] : sample.map(({ value }) => cells(value));
  const layout =
    rows[0] && fitTable(tableColumns, rows, stdout.columns, style, { mayOmit: !isPicked });
  const lines = ({ value }: ServiceRecord) => {
    const row = cells(value, layout?.used);
    if (layout) return layout.lines(row, value);
    const sections = [{ rows: recordRows(tableColumns, row, value) }];
    return [...renderCard({ title: '', sections }, stdout.columns, style), ''];
  };
  if (layout) await stdout.write(`${layout.header}\n`);
  for await (const records of all) {
    const printed = records.flatMap(lines);
    await stdout.write(printed.map((line) => `${line}\n`).join(''));
  }
}

function toTableColumn(column: Column, options: ListOptions) {
  const { columns, paintStatus } = options;
  const { title, short, kind, path, importance, paint, wraps } = column;
  const within = columns.findIndex((other) => other.path === column.within);
  return {
    title,
    short,
    importance,
    wraps,
    fixed: kind === 'id',
    isName: path.endsWith('name'),
    whole: kind === 'time' || kind === 'status' || kind === 'user',
    align: kind === 'number' || kind === 'duration' ? 'right' : undefined,
    within: within < 0 ? undefined : within,
    paint: paint
      ? (text: string, own: Style, record: unknown) => paint(text, own, record, options)
      : kind === 'status'
        ? paintStatus
        : undefined,
  } satisfies TableColumn;
}

/** The cells of a record for people; those that are not used are empty. */
function peopleCells(options: ListOptions) {
  const { columns, userName, isPicked } = options;
  const text = (value: unknown) => sanitise(abbreviate(cellText(value), maxCell));
  const readers = columns.map((column) => {
    const { kind } = column;
    const read = columnReader(column);
    const words = isPicked && kind === 'time' ? pickedTime(column) : column.words;
    return (record: unknown): string => {
      const shown = words?.(record, options);
      if (shown) return sanitise(shown);
      const value = read(record);
      if (kind === 'user' && typeof value === 'string') return text(userName?.(value) ?? value);
      const date = kind === 'time' ? options.date(value) : undefined;
      return date ? formatRelative(date, options.now) : text(value);
    };
  });
  return (record: unknown, used?: ReadonlySet<number>) =>
    readers.map((read, index) => (used?.has(index) === false ? '' : read(record)));
}

type CellOptions = Pick<ListOptions, 'columns' | 'date'>;

export function machineCells({ columns, date }: CellOptions): (record: unknown) => string[] {
  const readers = columns.map((column) => ({ kind: column.kind, read: valueReader(column) }));
  return (record) =>
    readers.map(({ kind, read }) => {
      const value = read(record);
      const time = kind === 'time' ? date(value) : undefined;
      return time && isWholeMilliseconds(value) ? time.toISOString() : machineCell(value);
    });
}
