import { type ColumnDef, XLSX_MAX_ROWS_PER_SHEET as maxRows, writeXlsxStream } from 'hucre/xlsx';
import { usageError } from '../errors.ts';
import { JsonNumber } from '../json/value.ts';
import { cellText } from '../values/cell.ts';
import { groupDigits, plural } from '../values/numbers.ts';
import { localZoneName } from '../values/time.ts';
import { displayWidth } from '../values/width.ts';
import { columnReader } from './columns.ts';
import type { Output } from './streams.ts';
import type { Column, ListOptions, ListWriter } from './view.ts';

/** Limits of Excel, which calls a file that exceeds them damaged. */
const maxCellCharacters = 32_767;
const maxColumns = 16_384;
/** Excel calculates with 15 digits, and replaces the others with zeros. */
const maxDigits = 15;

const dateFormat = 'yyyy-mm-dd hh:mm:ss';
/** Without it, a spreadsheet turns 007 into 7 when somebody edits the cell. */
const textFormat = '@';
/** In characters. */
const width = { min: 8, max: 60, dates: 19 };
/** Widths and formats come before the first row in the file, so they are chosen from these rows. */
const sampleSize = 1000;

type Value = string | number | boolean | Date | null;

/** Writes an .xlsx file with one sheet as its rows arrive: typed cells, and a header that stays in view. */
export function sheetWriter(options: ListOptions): ListWriter {
  const { columns, stdout } = options;
  if (columns.length > maxColumns) {
    throw usageError(
      `${plural(columns.length, 'column')} are too many for -o xlsx: the limit is ${groupDigits(maxColumns)}`,
      'Choose some of them with --columns, or use -o csv, which has no limit.',
      { flag: '-o', value: 'xlsx' },
    );
  }
  const readers = columns.map((column) => cellReader(column, options));
  let sample: Value[][] = [];
  let sheet: ReturnType<typeof openSheet> | undefined;
  let rows = 1;
  let cut = 0;

  const storedCell = (value: Value) => {
    if (typeof value !== 'string') return value;
    if (value.length > maxCellCharacters) cut += 1;
    return storedText(value);
  };
  const addSample = () => {
    const measured = sample.slice(0, sampleSize);
    const valuesAt = (at: number) => measured.map((row) => row[at] ?? null);
    sheet ??= openSheet(
      stdout,
      columns.map((column, at) => columnOf(column, valuesAt(at))),
    );
    const added = sample.map((row) => row.map(storedCell));
    sample = [];
    return sheet.add(added);
  };

  return {
    async page(records) {
      rows += records.length;
      if (rows > maxRows) {
        throw usageError(
          `the list is too long for -o xlsx: a sheet has ${groupDigits(maxRows)} rows, with the header`,
          `Use -o csv, which has no limit, or --limit ${maxRows - 1}`,
          { flag: '-o', value: 'xlsx' },
        );
      }
      for (const { value } of records) sample.push(readers.map((read) => read(value)));
      if (sheet || sample.length >= sampleSize) await addSample();
    },
    async end() {
      await addSample();
      await sheet?.end();
      if (cut === 0) return;
      options.warn(
        'cut-cells',
        `${plural(cut, 'cell')} longer than ${groupDigits(maxCellCharacters)} characters, the limit of a spreadsheet, ${cut === 1 ? 'was' : 'were'} cut; -o csv and --json have the whole text`,
      );
    },
  };
}

/** The package pulls rows and returns the bytes of the file. Here they are pushed, page by page. */
function openSheet(stdout: Output, columns: ColumnDef[]) {
  const { readable, writable } = new TransformStream<Value[][], Value[][]>();
  const input = writable.getWriter();
  const sheet = { name: 'Records', columns, freezePane: { rows: 1 } };
  const output = writeTo(stdout, writeXlsxStream(rowsOf(readable), sheet));
  // The next call reports the error.
  output.catch(() => {});
  return {
    /** The input fails only when the output has failed, whose error is the one to report. */
    add: (rows: Value[][]): Promise<void> => input.write(rows).catch(() => output),
    end(): Promise<void> {
      input.close().catch(() => {});
      return output;
    },
  };
}

async function* rowsOf(pages: AsyncIterable<Value[][]>): AsyncGenerator<Value[]> {
  for await (const rows of pages) yield* rows;
}

async function writeTo(stdout: Output, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of bytes) await stdout.write(chunk);
}

function columnOf({ title, kind }: Column, sample: readonly Value[]): ColumnDef {
  const header = storedText(kind === 'time' ? `${title} (${localZoneName()})` : title);
  const widest = Math.max(displayWidth(header) + 1, ...sample.map(widthOf));
  const isText = kind === 'id' || isOnlyText(sample);
  return {
    header,
    width: Math.min(Math.max(widest, width.min), width.max),
    numFmt: kind === 'time' ? dateFormat : isText ? textFormat : undefined,
  };
}

const isOnlyText = (values: readonly Value[]) =>
  values.some((value) => value !== null) &&
  values.every((value) => value === null || typeof value === 'string');

function cellReader(column: Column, options: ListOptions): (record: unknown) => Value {
  const { kind } = column;
  const read = columnReader(column);
  return (record) => {
    const value = read(record);
    const date = kind === 'time' ? options.date(value) : undefined;
    if (date) return wallClock(date);
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
