import type { Blob } from 'node:buffer';
import type Stream from 'node:stream';
import writeExcelFile, { type Cell, type Feature } from 'write-excel-file/node';
import { getCellAddress } from 'write-excel-file/utility';
import { usageError } from '../errors.ts';
import { JsonNumber } from '../json/value.ts';
import { groupDigits, plural } from '../values/numbers.ts';
import { cellText, columnReader } from './columns.ts';
import type { ListOptions, ListWriter } from './listOptions.ts';
import { localZoneName, readTime } from './time.ts';
import type { Column } from './view.ts';
import { displayWidth } from './width.ts';

/*
 * A sheet is built in memory, and its XML must fit into one string. 1,000,000 cells of downloads take
 * 600 MB (docs/decisions.md).
 */
const maxCells = 1_000_000;
const maxCharacters = 100_000_000;

/** Limits of Excel, which calls a file that exceeds them damaged. */
const maxCellCharacters = 32_767;
const maxColumns = 16_384;
/** Excel calculates with 15 digits, and replaces the others with zeros. */
const maxDigits = 15;

const dateFormat = 'yyyy-mm-dd hh:mm:ss';
const sheetName = 'Records';
/** In characters. The buttons of the filter cover the end of a title. */
const width = { min: 8, max: 60, dates: 19, button: 4 };
/** Rows that the widths are measured with. */
const sampleSize = 1000;

/** Writes an .xlsx file with one sheet: typed cells, and a header that is frozen and has filters. */
export function sheetWriter(options: ListOptions): ListWriter {
  const { columns, stdout } = options;
  if (columns.length > maxColumns) {
    throw usageError(
      `${plural(columns.length, 'column')} are too many for -o xlsx: the limit is ${groupDigits(maxColumns)}`,
      'Choose some of them with --columns, or use -o csv, which has no limit.',
    );
  }
  const titles = columns.map(({ title, kind }) =>
    kind === 'time' ? `${title} (${localZoneName()})` : title,
  );
  const rows: Cell[][] = [
    titles.map((value) => ({ value: storedText(value), fontWeight: 'bold' })),
  ];
  const widths = titles.map((title) => displayWidth(title) + width.button);
  const readers = columns.map((column) => cellReader(column, options));
  const maxRecords = Math.floor(maxCells / Math.max(1, columns.length));
  let characters = 0;
  let cut = 0;

  const addRow = (record: unknown) => {
    const isMeasured = rows.length <= sampleSize;
    const row = readers.map((read, index): Cell => {
      const value = read(record);
      if (isMeasured) widths[index] = Math.max(widths[index] ?? 0, widthOf(value));
      if (typeof value !== 'string') return value;
      characters += value.length;
      if (value.length > maxCellCharacters) cut += 1;
      const text = storedText(value.slice(0, maxCellCharacters));
      // Without the format, a spreadsheet turns 007 into 7 when somebody edits the cell.
      return columns[index]?.kind === 'id' || /^[-+\d]/.test(text)
        ? { value: text, type: String, format: '@' }
        : text;
    });
    rows.push(row);
    if (rows.length - 1 > maxRecords || characters > maxCharacters) {
      throw tooLong(columns.length, Math.min(maxRecords, rows.length - 2));
    }
  };

  return {
    async page(records) {
      for (const { value } of records) addRow(value);
    },
    async end() {
      const book = options.interruptible(() =>
        writeExcelFile(
          rows,
          {
            sheet: sheetName,
            dateFormat,
            stickyRowsCount: 1,
            columns: widths.map((one) => ({
              width: Math.min(Math.max(one, width.min), width.max),
            })),
          },
          { features: columns.length === 0 ? [] : [filterButtons(rows.length, columns.length)] },
        ),
      );
      await stdout.write(await book.toBuffer());
      if (cut === 0) return;
      options.warn(
        `${plural(cut, 'cell')} longer than ${groupDigits(maxCellCharacters)} characters, the limit of a spreadsheet, ${cut === 1 ? 'was' : 'were'} cut; -o csv and --json have the whole text`,
      );
    },
  };
}

function tooLong(columnCount: number, recordCount: number): Error {
  return usageError(
    `the list is too long for -o xlsx: more than ${plural(recordCount, 'record')} with ${plural(columnCount, 'column')}`,
    `A sheet is made in memory. Use -o csv, which has no limit, fewer columns (--columns), or --limit ${recordCount}`,
  );
}

type Value = string | number | boolean | Date | null;

function cellReader(column: Column, options: ListOptions): (record: unknown) => Value {
  const { kind } = column;
  const read = columnReader(column);
  return (record) => {
    const value = read(record);
    const date = kind === 'time' ? readTime(value, options.timeUnit) : undefined;
    if (date) return wallClock(date);
    if (kind === 'user' && typeof value === 'string') return options.userName?.(value) ?? value;
    if (typeof value === 'boolean') return value;
    if (kind !== 'id' && (typeof value === 'number' || value instanceof JsonNumber)) {
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

/**
 * Text as the file format stores it, in which `_x0041_` is an A. The package looks strings up in an
 * ordinary object, where names such as `constructor` are taken. It removes the NUL when it writes.
 */
function storedText(text: string): string {
  const escaped = text.replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_');
  return escaped in Object.prototype ? `${escaped}\0` : escaped;
}

/** Adds the filter, which the package does not offer. LibreOffice needs the defined name as well. */
function filterButtons(rowCount: number, columnCount: number): Feature<Stream | Buffer | Blob> {
  const last = getCellAddress(rowCount - 1, columnCount - 1);
  const absolute = `$A$1:${last.replace(/^(\D+)(\d+)$/, '$$$1$$$2')}`;
  const after = (xml: string, tag: string, added: string) => {
    const end = xml.indexOf(tag) + tag.length;
    return xml.slice(0, end) + added + xml.slice(end);
  };
  return {
    files: {
      transform: {
        'xl/worksheets/sheet{id}.xml': {
          transform: (xml) => after(xml, '</sheetData>', `<autoFilter ref="A1:${last}"/>`),
        },
        'xl/workbook.xml': {
          transform: (xml) =>
            after(
              xml,
              '</sheets>',
              `<definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">${sheetName}!${absolute}</definedName></definedNames>`,
            ),
        },
      },
    },
  };
}
