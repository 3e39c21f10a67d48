import {
  type ColumnDef,
  colToLetter,
  XLSX_MAX_ROWS_PER_SHEET as maxRows,
  type WriteSheet,
  writeXlsx,
  writeXlsxStream,
} from 'hucre/xlsx';
import { usageError } from '../errors.ts';
import { JsonNumber } from '../json/value.ts';
import { cellText } from '../values/cell.ts';
import { readAhead } from '../values/concurrency.ts';
import { groupDigits, plural } from '../values/numbers.ts';
import { day, localZoneName } from '../values/time.ts';
import { displayWidth } from '../values/width.ts';
import { columnReader } from './columns.ts';
import type { Column, ListOptions, ShownPages, Summary } from './viewType.ts';

/** The limit of Excel, which calls a file that exceeds it damaged. */
const maxCellCharacters = 32_767;
/** Excel calculates with 15 digits, and replaces the others with zeros. */
const maxDigits = 15;

const dateFormat = 'yyyy-mm-dd hh:mm:ss';
const dayFormat = 'yyyy-mm-dd';
const durationFormat = '0.0';
/** Without it, a spreadsheet turns 007 into 7 when somebody edits the cell. */
const textFormat = '@';
/** In characters. */
const width = { min: 8, max: 60, dates: 19 };
/** Widths and formats come before the first row in the file, so they are chosen from these rows. */
const sampleSize = 1000;
/** Up to this length, a sheet is written at once: only then it has filters, links and a bold header. */
const maxAtOnce = 10_000;

type Value = string | number | boolean | Date | null;

/** Writes an .xlsx file with one sheet of typed cells. A long one is written as its rows arrive. */
export async function printSheet(pages: ShownPages, options: ListOptions): Promise<void> {
  const { columns, stdout } = options;
  const readers = columns.map((column) => cellReader(column, options));
  let count = 1;
  let cut = 0;

  const storedCell = (value: Value) => {
    if (typeof value !== 'string') return value;
    if (value.length > maxCellCharacters) cut += 1;
    return storedText(value);
  };
  async function* rowPages(): AsyncGenerator<Value[][]> {
    for await (const records of pages) {
      count += records.length;
      if (count > maxRows) {
        throw usageError(
          `the list is too long for -o xlsx: a sheet has ${groupDigits(maxRows)} rows, with the header`,
          `Use -o csv, which has no limit, or --limit ${maxRows - 1}`,
          { flag: '-o', value: 'xlsx' },
        );
      }
      yield records.map(({ value }) => readers.map((read) => storedCell(read(value))));
    }
  }
  const { sample, isWhole, error, all } = await readAhead(rowPages(), maxAtOnce);
  if (error) throw error;
  const measured = sample.slice(0, sampleSize);
  const valuesAt = (at: number) => measured.map((row) => row[at] ?? null);
  const definitions = columns.map((column, at) => columnOf(column, valuesAt(at)));
  const name = sheetName(options.listName);
  if (isWhole) {
    const links = columns.flatMap(({ kind }, at) => (kind === 'link' ? [at] : []));
    const table = tableSheet(name, definitions, sample, links);
    const more = options.summary ? [summarySheet(options.summary)] : [];
    await stdout.write(await workbookOf([table, ...more]));
  } else {
    const sheet = { name, columns: definitions, freezePane: { rows: 1 } };
    for await (const bytes of writeXlsxStream(rowsIn(all), sheet)) await stdout.write(bytes);
  }
  if (cut === 0) return;
  options.warn(
    'cut-cells',
    `${plural(cut, 'cell')} longer than ${groupDigits(maxCellCharacters)} characters, the limit of a spreadsheet, ${cut === 1 ? 'was' : 'were'} cut; -o csv and --json have the whole text`,
  );
}

async function* rowsIn(pages: AsyncIterable<readonly Value[][]>): AsyncGenerator<Value[]> {
  for await (const rows of pages) yield* rows;
}

/** `File list`. A name has 31 characters at most, and none of those that formulas use. */
const sheetName = (words = 'Records') =>
  (words[0]?.toUpperCase() + words.slice(1)).replaceAll(/[[\]*?:/\\]/g, ' ').slice(0, 31);

/** A sheet with a bold header that stays in view, filters, and links in some columns. */
function tableSheet(
  name: string,
  columns: ColumnDef[],
  rows: readonly Value[][],
  links: readonly number[],
): WriteSheet {
  const heads = columns.map(({ header = '' }) => header);
  const cells: NonNullable<WriteSheet['cells']> = new Map(
    heads.map((value, at) => [`0,${at}`, { value, style: bold }]),
  );
  for (const [row, values] of rows.entries()) {
    for (const at of links) {
      const target = values[at];
      if (target)
        cells.set(`${row + 1},${at}`, { value: target, hyperlink: { target: String(target) } });
    }
  }
  const table = { name, columns, rows: [heads, ...rows], cells, freezePane: { rows: 1 } };
  if (columns.length === 0) return table;
  return {
    ...table,
    autoFilter: { range: `A1:${colToLetter(columns.length - 1)}${rows.length + 1}` },
  };
}

/** Tables of counts below each other, and a chart of the first one beside them. */
function summarySheet(tables: Summary): WriteSheet {
  const name = 'Summary';
  const rows: Value[][] = [];
  const cells: NonNullable<WriteSheet['cells']> = new Map();
  for (const { title, unit, rows: counts } of tables) {
    cells.set(`${rows.length},0`, { value: title, style: bold });
    rows.push([title, unit], ...counts, []);
  }
  const [{ title, unit, rows: charted } = { title: '', unit: '', rows: [] }] = tables;
  const range = (column: string) => `${name}!$${column}$2:$${column}$${charted.length + 1}`;
  const series = [{ name: unit, values: range('B'), categories: range('A') }];
  const chart = { type: 'bar' as const, title, series, anchor: { from: { row: 0, col: 3 } } };
  return { name, rows, cells, columns: [{ width: 30 }, { width: 14 }], charts: [chart] };
}

const bold = { font: { bold: true } };

export const workbookOf = (sheets: WriteSheet[]): Promise<Uint8Array> =>
  writeXlsx({ sheets, stringMode: 'inline' });

function columnOf({ title, kind }: Column, sample: readonly Value[]): ColumnDef {
  const words = kind === 'duration' ? title.replace('(ms)', '(days)') : title;
  const header = storedText(kind === 'time' ? `${title} (${localZoneName()})` : words);
  const widest = Math.max(displayWidth(header) + 1, ...sample.map(widthOf));
  const isText = kind === 'id' || isOnlyText(sample);
  return {
    header,
    width: Math.min(Math.max(widest, width.min), width.max),
    numFmt: formatOf(kind, sample) ?? (isText ? textFormat : undefined),
  };
}

function formatOf(kind: Column['kind'], sample: readonly Value[]): string | undefined {
  if (kind === 'time') return dateFormat;
  if (kind === 'duration') return durationFormat;
  const dates = sample.filter((value) => value instanceof Date);
  if (dates.length === 0) return undefined;
  return dates.every((date) => date.getTime() % day === 0) ? dayFormat : dateFormat;
}

const isOnlyText = (values: readonly Value[]) =>
  values.some((value) => value !== null) &&
  values.every((value) => value === null || typeof value === 'string');

function cellReader(column: Column, options: ListOptions): (record: unknown) => Value {
  const { kind } = column;
  const read = columnReader(column);
  return (record) => {
    const value = read(record);
    // A wall clock of another sheet.
    if (value instanceof Date) return value;
    const date = kind === 'time' ? (options.date(value) ?? isoDate(value)) : undefined;
    if (date) return wallClock(date);
    if (kind === 'duration' && cellText(value) !== '') return Number(cellText(value)) / day;
    if (kind === 'user' && typeof value === 'string') return options.userName?.(value) ?? value;
    if (typeof value === 'boolean') return value;
    // A number in the format of the other dates would look like one.
    const mayBeNumber = kind !== 'id' && kind !== 'time';
    if (mayBeNumber && (typeof value === 'number' || value instanceof JsonNumber)) {
      const source = value instanceof JsonNumber ? value.source : String(value);
      const isExact = source.replaceAll(/\D/g, '').length <= maxDigits;
      return isExact ? Number(source) : source;
    }
    return cellText(value) || null;
  };
}

/** Times that mar adds to records are not in the unit of the service. */
const isoDate = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value) ? new Date(value) : undefined;

/** Dates in a sheet have no zone: they are the local time of this machine. */
const wallClock = (date: Date) => new Date(date.getTime() - date.getTimezoneOffset() * 60_000);

function widthOf(value: Value): number {
  if (value instanceof Date) return width.dates;
  const [firstLine = ''] = String(value ?? '').split('\n', 1);
  return displayWidth(firstLine.slice(0, width.max)) + 1;
}

/** Text as the file format stores it, in which `_x0041_` is an A. XML has no U+FFFE and U+FFFF. */
const storedText = (text: string) =>
  text
    .slice(0, maxCellCharacters)
    .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd');
