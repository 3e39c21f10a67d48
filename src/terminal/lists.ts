import { compact, pretty } from '../json/text.ts';
import { renderCard } from './card.ts';
import { cellText, plainText } from './cell.ts';
import { valueAt } from './flatten.ts';
import type { Format } from './format.ts';
import { sanitise } from './sanitise.ts';
import { paintStatus } from './status.ts';
import type { Output } from './streams.ts';
import type { Style } from './style.ts';
import { fitTable, type TableColumn, type TableLayout } from './table.ts';
import { formatRelative, readTime, type TimeUnit } from './time.ts';
import { tsvRow } from './tsv.ts';
import type { Column, Shown } from './view.ts';

/** Takes a list page by page. Nothing is printed before the first page, so a failure prints nothing. */
export interface ListWriter {
  page(records: readonly Shown[]): Promise<void>;
  end(): Promise<void>;
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
}

export function listWriter(options: ListOptions): ListWriter {
  switch (options.format) {
    case 'json':
      return jsonWriter(options.stdout);
    case 'jsonl':
      return rowWriter(options.stdout, ({ text }) => compact(text));
    case 'tsv':
      return rowWriter(options.stdout, ({ value }) =>
        tsvRow(options.columns.map((column) => plainCell(column, value, options.timeUnit))),
      );
    case 'table':
      return tableWriter(options);
  }
}

function rowWriter(stdout: Output, row: (record: Shown) => string): ListWriter {
  return {
    page: (records) => stdout.write(records.map((record) => `${row(record)}\n`).join('')),
    end: async () => {},
  };
}

function jsonWriter(stdout: Output): ListWriter {
  const indented = (text: string) => `\n  ${pretty(text).replaceAll('\n', '\n  ')}`;
  const form = stdout.isTerminal ? indented : compact;
  let opened = false;
  return {
    async page(records) {
      const texts = records.map(({ text }) => form(text)).join(',');
      await stdout.write(texts === '' ? '' : (opened ? ',' : '[') + texts);
      opened ||= records.length > 0;
    },
    async end() {
      const close = stdout.isTerminal ? '\n]\n' : ']\n';
      await stdout.write(opened ? close : '[]\n');
    },
    async breakOff() {
      if (opened) await stdout.write('\n');
    },
  };
}

/** As many rows as a table looks at before it fixes its widths. */
const sampleSize = 50;

function tableWriter({ stdout, style, now, timeUnit, columns }: ListOptions): ListWriter {
  const tableColumns = columns.map(tableColumn);
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
      const rows = records.map(({ value }) =>
        columns.map((column) => tableCell(column, value, now, timeUnit)),
      );
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

const read = (column: Column, record: unknown) =>
  column.read ? column.read(record) : valueAt(record, column.path);

/** A cell for programs: whole, with times that can be parsed. */
function plainCell(column: Column, record: unknown, unit: TimeUnit): string {
  const value = read(column, record);
  return (column.kind === 'time' && readTime(value, unit)?.toISOString()) || plainText(value);
}

/** A cell for people: on one line, harmless, with times that can be grasped. */
function tableCell(column: Column, record: unknown, now: Date, unit: TimeUnit): string {
  const value = read(column, record);
  const date = column.kind === 'time' ? readTime(value, unit) : undefined;
  return sanitise(date ? formatRelative(date, now) : cellText(value));
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
