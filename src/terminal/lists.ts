import { compact, pretty } from '../json/text.ts';
import type { Json } from '../json/value.ts';
import { abbreviate, renderCard } from './card.ts';
import { cellText, columnReader, machineCell } from './columns.ts';
import type { Format } from './printer.ts';
import { sanitise, visibleJson } from './sanitise.ts';
import { tsvRow } from './separatedValues.ts';
import { paintStatus } from './status.ts';
import type { Output } from './streams.ts';
import type { Style } from './style.ts';
import { fitTable, type TableColumn, type TableLayout } from './table.ts';
import { formatRelative, readTime, type TimeUnit } from './time.ts';
import type { Column, Shown } from './view.ts';

/** Takes a list page by page. Nothing is printed before the first page, so a failure prints nothing. */
export interface ListWriter {
  page(records: readonly Shown[]): Promise<void>;
  end(): Promise<void>;
  /** Whether it wants no more pages. */
  isDone?(): boolean;
  /** The list broke off: what stands there ends with its line, and not as if it were whole. */
  breakOff?(): Promise<void>;
}

export interface ListOptions {
  stdout: Output;
  format: Format;
  style: Style;
  now: Date;
  timeUnit: TimeUnit;
  columns: readonly Column[];
  /** Formulas stay as they are in CSV. */
  csvRaw: boolean;
}

export async function listWriter(options: ListOptions): Promise<ListWriter> {
  const { stdout, columns } = options;
  const jsonLine = stdout.isTerminal ? (text: string) => visibleJson(compact(text)) : compact;
  switch (options.format) {
    case 'json':
      return jsonWriter(stdout);
    case 'jsonl':
      return rowWriter(stdout, ({ text }) => `${jsonLine(text)}\n`);
    case 'tsv': {
      const cells = machineCells(options);
      return rowWriter(stdout, ({ value }) => `${tsvRow(cells(value), stdout.isTerminal)}\n`);
    }
    case 'csv': {
      const { csvRow } = await import('./separatedValues.ts');
      const cells = machineCells(options);
      const form = { raw: options.csvRaw, isTerminal: stdout.isTerminal };
      const header =
        columns.length > 0
          ? csvRow(
              columns.map(({ path }) => path),
              form,
            )
          : '';
      return rowWriter(stdout, ({ value }) => csvRow(cells(value), form), { header });
    }
    case 'yaml': {
      const { printYaml } = await import('./yaml.ts');
      const entry = ({ value }: Shown) => printYaml(value as Json, { item: true });
      return rowWriter(stdout, entry, { ifEmpty: '[]\n' });
    }
    case 'table':
      return tableWriter(options);
  }
}

/** A text a record, after what stands above them. */
function rowWriter(
  stdout: Output,
  row: (record: Shown) => string,
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
  const indented = (text: string) => `\n  ${visibleJson(pretty(text)).replaceAll('\n', '\n  ')}`;
  const form = stdout.isTerminal ? indented : compact;
  let opened = false;
  return {
    async page(records) {
      const texts = records.map(({ text }) => form(text)).join(',');
      await stdout.write(texts === '' ? '' : (opened ? ',' : '[') + texts);
      opened ||= records.length > 0;
    },
    async end() {
      const close = stdout.isTerminal && !stdout.isAtLineStart ? '\n]\n' : ']\n';
      await stdout.write(opened ? close : '[]\n');
    },
    async breakOff() {
      if (!stdout.isAtLineStart) await stdout.write('\n');
    },
  };
}

/** As many rows as a table looks at before it fixes its widths. */
const sampleSize = 50;

function tableWriter(options: ListOptions): ListWriter {
  const { stdout, style, columns } = options;
  const tableColumns = columns.map(tableColumn);
  const cells = tableCells(options);
  let sample: string[][] | undefined = [];
  let layout: TableLayout | undefined;

  const lines = (rows: readonly string[][]) =>
    rows.flatMap((cells) =>
      layout ? [layout.row(cells)] : [...smallCard(tableColumns, cells, stdout.columns, style), ''],
    );
  const print = (printed: readonly string[]) =>
    stdout.write(printed.map((line) => `${line}\n`).join(''));
  const settle = async () => {
    if (!sample || sample.length === 0) return;
    layout = fitTable(tableColumns, sample, stdout.columns, style);
    const rows = lines(sample);
    sample = undefined;
    await print(layout ? [layout.header, ...rows] : rows);
  };

  return {
    async page(records) {
      const rows = records.map(({ value }) => cells(value));
      if (!sample) return print(lines(rows));
      sample.push(...rows);
      if (sample.length >= sampleSize) await settle();
    },
    end: settle,
    breakOff: settle,
  };
}

function tableColumn({ title, kind, importance }: Column): TableColumn {
  return {
    title,
    importance,
    fixed: kind === 'id',
    whole: kind === 'time' || kind === 'status',
    align: kind === 'number' ? 'right' : undefined,
    paint: kind === 'status' ? paintStatus : undefined,
  };
}

/** The cells of a record for programs: whole, with times that can be parsed. */
export function machineCells({
  columns,
  timeUnit,
}: Pick<ListOptions, 'columns' | 'timeUnit'>): (record: unknown) => string[] {
  const readers = columns.map((column) => {
    const read = columnReader(column);
    if (column.kind !== 'time') return (record: unknown) => machineCell(read(record));
    return (record: unknown) => {
      const value = read(record);
      return readTime(value, timeUnit)?.toISOString() ?? machineCell(value);
    };
  });
  return (record) => readers.map((cell) => cell(record));
}

/** A row of a table shows far less; where there is no room for a table, a cell is shown whole. */
const maxCell = 10_000;

/** The cells of a record for people: on one line, harmless, with times that can be grasped. */
function tableCells({ columns, timeUnit, now }: ListOptions): (record: unknown) => string[] {
  const readers = columns.map((column) => ({ kind: column.kind, read: columnReader(column) }));
  return (record) =>
    readers.map(({ kind, read }) => {
      const value = read(record);
      const date = kind === 'time' ? readTime(value, timeUnit) : undefined;
      return sanitise(date ? formatRelative(date, now) : abbreviate(cellText(value), maxCell));
    });
}

/** A row of a table that does not fit, as a few lines. */
function smallCard(
  columns: readonly TableColumn[],
  cells: readonly string[],
  width: number,
  style: Style,
): string[] {
  const rows = columns.map(({ title, paint }, index) => {
    return [title, { text: cells[index] ?? '', paint }] as const;
  });
  return renderCard({ title: '', sections: [{ rows }] }, width, style);
}
