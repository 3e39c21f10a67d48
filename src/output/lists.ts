import type { ServiceRecord } from '../json/serviceRecord.ts';
import { compact, pretty } from '../json/text.ts';
import type { Json } from '../json/value.ts';
import { cellText, machineCell } from '../values/cell.ts';
import { sanitise, visibleJson } from '../values/sanitise.ts';
import { csvRow, tsvRow } from '../values/separatedValues.ts';
import { formatRelative, isWholeMilliseconds } from '../values/time.ts';
import { abbreviate, recordRows, renderCard } from './card.ts';
import { columnReader, pickedTime, valueReader } from './columns.ts';
import type { Output } from './streams.ts';
import { fitTable, type TableColumn, type TableLayout } from './table.ts';
import type { Column, ListOptions, ListWriter } from './view.ts';

export async function listWriter(options: ListOptions): Promise<ListWriter> {
  const { stdout, columns } = options;
  switch (options.format) {
    case 'json':
      return jsonWriter(stdout);
    case 'jsonl':
      return rowWriter(stdout, ({ text }) => `${machineText(text, 'jsonl', stdout)}\n`);
    case 'tsv': {
      const cells = machineCells(options);
      return rowWriter(stdout, ({ value }) => `${tsvRow(cells(value), stdout.isTerminal)}\n`);
    }
    case 'csv': {
      const cells = machineCells(options);
      const form = { raw: options.csvRaw, isTerminal: stdout.isTerminal };
      const names = columns.map(({ path }) => path);
      const mark = options.csvBom && !stdout.isTerminal ? '\ufeff' : '';
      const header = mark + (names.length > 0 ? csvRow(names, form) : '');
      return rowWriter(stdout, ({ value }) => csvRow(cells(value), form), { header });
    }
    case 'xlsx': {
      const { sheetWriter } = await import('./sheet.ts');
      return sheetWriter(options);
    }
    case 'yaml': {
      const { printYaml } = await import('../values/yaml.ts');
      const entry = ({ value }: ServiceRecord) => printYaml(value as Json, { item: true });
      return rowWriter(stdout, entry, { ifEmpty: '[]\n' });
    }
    case 'table':
      return tableWriter(options);
  }
}

/** Programs get the text unchanged. On a terminal it is indented, with invisible characters escaped. */
export function machineText(text: string, format: 'json' | 'jsonl', stdout: Output): string {
  if (!stdout.isTerminal) return compact(text);
  return visibleJson(format === 'json' ? pretty(text) : compact(text));
}

function rowWriter(
  stdout: Output,
  row: (record: ServiceRecord) => string,
  { header = '', ifEmpty = header }: { header?: string; ifEmpty?: string } = {},
): ListWriter {
  let isFirst = true;
  return {
    async page(records) {
      let text = isFirst ? header : '';
      for (const record of records) text += row(record);
      isFirst = false;
      await stdout.write(text);
    },
    async end() {
      if (isFirst) await stdout.write(ifEmpty);
    },
  };
}

function jsonWriter(stdout: Output): ListWriter {
  const element = ({ text }: ServiceRecord) => {
    const json = machineText(text, 'json', stdout);
    return stdout.isTerminal ? `\n  ${json.replaceAll('\n', '\n  ')}` : json;
  };
  let isOpen = false;
  return {
    async page(records) {
      const texts = records.map(element).join(',');
      await stdout.write(texts === '' ? '' : (isOpen ? ',' : '[') + texts);
      isOpen ||= records.length > 0;
    },
    async end() {
      const close = stdout.isTerminal && !stdout.isAtLineStart ? '\n]\n' : ']\n';
      await stdout.write(isOpen ? close : '[]\n');
    },
    async breakOff() {
      if (!stdout.isAtLineStart) await stdout.write('\n');
    },
  };
}

const sampleSize = 50;
/** For cells that are shown whole because the terminal is too narrow for a table. */
const maxCell = 10_000;

function tableWriter(options: ListOptions): ListWriter {
  const { stdout, style, columns, isPicked, address } = options;
  const tableColumns = columns.map((column) => toTableColumn(column, options));
  const cells = peopleCells(options);
  const linked = tableColumns.some(({ isLinked }) => isLinked) ? address : undefined;
  let sample: TableRow[] | undefined = [];
  let layout: TableLayout | undefined;

  const lines = (rows: readonly TableRow[]) =>
    rows.flatMap(({ cells, link }) => {
      if (layout) return [layout.row(cells, link)];
      const sections = [{ rows: recordRows(tableColumns, cells, link) }];
      return [...renderCard({ title: '', sections }, stdout.columns, style), ''];
    });
  const print = (printed: readonly string[]) =>
    stdout.write(printed.map((line) => `${line}\n`).join(''));
  const printSample = async () => {
    if (!sample || sample.length === 0) return;
    const rows = sample.map(({ cells }) => cells);
    const { columns: width } = stdout;
    if (!style.isAccessible) {
      layout = fitTable(tableColumns, rows, width, style, { mayOmit: !isPicked });
    }
    const shown = lines(sample);
    sample = undefined;
    await print(layout ? [layout.header, ...shown] : shown);
  };

  return {
    async page(records) {
      const rows = records.map(({ value }) => ({
        cells: cells(value, layout?.used),
        link: linked?.(value),
      }));
      if (!sample) return print(lines(rows));
      for (const row of rows) sample.push(row);
      if (sample.length >= sampleSize) await printSample();
    },
    end: printSample,
    breakOff: printSample,
  };
}

interface TableRow {
  cells: string[];
  link: string | undefined;
}

function toTableColumn(column: Column, { columns, style, paintStatus, address }: ListOptions) {
  const { title, short, kind, path, importance, paint } = column;
  const within = columns.findIndex((other) => other.path === column.within);
  return {
    title,
    short,
    importance,
    fixed: kind === 'id',
    isName: path.endsWith('name'),
    whole: kind === 'time' || kind === 'status' || kind === 'user',
    align: kind === 'number' || kind === 'duration' ? 'right' : undefined,
    within: within < 0 ? undefined : within,
    isLinked: address !== undefined && path === '_id' && style.hasLinks,
    paint: paint ?? (kind === 'status' ? paintStatus : undefined),
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
