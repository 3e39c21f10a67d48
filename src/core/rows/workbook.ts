import { type CellValue, readXlsx, type Sheet } from 'hucre/xlsx';
import yauzl from 'yauzl';
import { type Hints, onCommandLine, usageError } from '../errors.ts';
import { groupDigits, rowRanges } from '../values/numbers.ts';
import type { SheetChoice, TableRecord } from './row.ts';
import { cellName } from './tableRows.ts';

/*
 * Reads a sheet of an .xlsx or .xlsm file. The package that parses it believes what a file says, so the
 * directory of the zip is checked before, and the cells after.
 */

/** Sheets of people are small. Larger ones would take more memory than is worth it. */
const maxRows = 100_000;
const maxColumns = 300;
const maxCells = 5_000_000;
/** Rows above those: titles, and the header. */
const maxTitles = 20;
/** In bytes, unpacked. A small file may claim to be far larger. */
const maxSizes = { sheet: 100e6, strings: 40e6, xml: 5e6, all: 200e6 };
/** Spreadsheet programs reach 20. Empty elements, which take the most memory, compress far better. */
const maxRatio = { above: 200_000, ratio: 50 };

const saveAsCsv = 'Save it as CSV (in a spreadsheet: CSV UTF-8), and use that file.';
const saveAsXlsx = 'Open it in a spreadsheet program, save it as .xlsx, and use that file.';

const treatHidden = onCommandLine(
  'Nothing was sent. Use --hidden include to send them too, or --hidden skip to leave them out.',
);

type Refuse = (problem: string, hint: Hints) => Error;

export async function readSheet(
  bytes: Buffer,
  name: string,
  choice: SheetChoice = {},
): Promise<TableRecord[]> {
  const { flag = '--batch' } = choice;
  // Commands that only take a list have no --sheet and no --hidden.
  const isList = choice.flag !== undefined;
  const refuse: Refuse = (problem, hint) =>
    usageError(`${name} ${problem}`, hint, { flag, value: name });
  const unusable = (reason: string) => refuse(`cannot be read (${reason})`, saveAsXlsx);
  await checkFile(bytes, refuse);
  const wanted = choice.sheet?.trim().toLowerCase();
  const sheetNames: string[] = [];
  const book = await readXlsx(bytes, {
    sheets({ name: own, hidden, veryHidden }) {
      const isVisible = !hidden && !veryHidden;
      if (isVisible) sheetNames.push(own);
      if (wanted !== undefined) return own.trim().toLowerCase() === wanted;
      return isVisible && sheetNames.length === 1;
    },
  }).catch((error: Error) => error);
  const list = sheetNames.map((one) => JSON.stringify(one)).join(', ');
  if (wanted === undefined && sheetNames.length > 1) {
    throw refuse(
      `has ${sheetNames.length} sheets: ${list}`,
      isList ? 'Hide all but one, and save it.' : onCommandLine('Choose one with --sheet NAME.'),
    );
  }
  if (book instanceof Error) throw unusable(book.message);
  const [sheet] = book.sheets;
  if (!sheet && wanted !== undefined) {
    const facts = { flag: '--sheet', value: choice.sheet, allowed: sheetNames };
    throw usageError(`${name} has no sheet "${choice.sheet}"`, `Its sheets: ${list}`, facts);
  }
  if (!sheet) throw unusable('it has no sheet that mar finds');
  checkSize(sheet, refuse);
  const records = recordsOf(sheet);
  if (records.some(({ cells }) => cells.some((cell) => cell.includes('\ufffd')))) {
    throw unusable('it has characters in an unknown encoding');
  }
  const hidden = hiddenLines(records, sheet);
  if (hidden.size === 0 || choice.hidden === 'include') return records;
  if (choice.hidden === 'skip') return records.filter(({ line }) => !hidden.has(line));
  const hint = isList ? 'Show or delete them, and save it.' : treatHidden;
  throw refuse(`has hidden or filtered rows: ${rowRanges([...hidden])} of the sheet`, hint);
}

/** All rows are as wide as the widest one. */
function checkSize({ rows }: Sheet, refuse: Refuse): void {
  if (rows.length > maxRows + maxTitles) {
    throw refuse(`has more than ${groupDigits(maxRows)} rows`, saveAsCsv);
  }
  const cells = rows.length * (rows[0]?.length ?? 0);
  if (cells > maxCells) throw refuse(`has ${groupDigits(cells)} cells`, saveAsCsv);
  for (const [index, row] of rows.entries()) {
    const at = row.findIndex((value, column) => column >= maxColumns && value !== null);
    if (at >= 0) {
      const cell = cellName(at, index + 1);
      const hint = 'Delete what is far to the right, or save it as CSV.';
      throw refuse(`has more than ${maxColumns} columns: ${cell} is not empty`, hint);
    }
    row.length = Math.min(row.length, maxColumns);
  }
}

function recordsOf({ rows, cells: details, merges = [] }: Sheet) {
  const records = rows.map((values, index) => {
    const problems = new Map<number, string>();
    const cells = values.map((value, column) => {
      const { type, formula } = details?.get(`${index},${column}`) ?? {};
      if (type === 'error') problems.set(column, `holds the error ${value}`);
      if (formula !== undefined && value === null) problems.set(column, noResult);
      if (value instanceof Date && value.getUTCFullYear() < 1905) {
        problems.set(column, 'holds a time without a date');
      }
      return textOf(value) || (formula === undefined ? '' : `=${formula}`);
    });
    return { line: index + 1, cells, problems, values };
  });
  for (const { startRow, startCol, endRow, endCol } of merges) {
    const first = records[startRow];
    const text = first?.cells[startCol] ?? '';
    if (!first || text === '') continue;
    if (endCol > startCol) {
      first.problems.set(startCol, 'is merged with the cells beside it; split them');
    }
    // A cell over several rows is shown for each of them.
    for (const { cells, values } of records.slice(startRow + 1, endRow + 1)) {
      cells[startCol] = text;
      values[startCol] = first.values[startCol] ?? null;
    }
  }
  return records;
}

const noResult =
  'holds a formula without a stored result; open the file in a spreadsheet program and save it';

/** Text as people would type it. Dates of sheets have no zone: they are a wall clock, as if in UTC. */
function textOf(value: CellValue): string {
  if (!(value instanceof Date)) return String(value ?? '').trim();
  const seconds = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString().slice(0, 19);
  return seconds.replace(/T00:00:00$/, '').replace(/(?<=T\d\d:\d\d):00$/, '');
}

/** The rows that nobody sees, though they hold something. */
const hiddenLines = (records: readonly TableRecord[], { rowDefs }: Sheet) =>
  new Set(
    records
      .filter(({ line, cells }) => rowDefs?.get(line - 1)?.hidden && cells.some(Boolean))
      .map(({ line }) => line),
  );

async function checkFile(bytes: Buffer, refuse: Refuse): Promise<void> {
  if (bytes.toString('hex', 0, 4) === 'd0cf11e0') {
    throw bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))
      ? refuse('is protected with a password', 'Save a copy without it, and use that file.')
      : refuse('is a workbook of an old version (.xls), or no workbook', saveAsXlsx);
  }
  const parts = await partsOf(bytes).catch(() => {
    throw refuse('is damaged: it has no end', saveAsXlsx);
  });
  const has = (form: RegExp) => parts.some(({ name }) => form.test(name));
  if (has(/^content\.xml$/)) throw refuse('is an OpenDocument file (.ods)', saveAsXlsx);
  if (has(/^xl\/workbook\.bin$/i)) throw refuse('is a binary workbook (.xlsb)', saveAsXlsx);
  if (!has(/^xl\/workbook\d*\.xml$/i)) throw refuse('is not a workbook', saveAsXlsx);
  const isTooLarge = parts.some(
    ({ name, size, packed }) =>
      size > maxSizeOf(name) || (size > maxRatio.above && size > packed * maxRatio.ratio),
  );
  const all = parts.reduce((sum, { size }) => sum + size, 0);
  if (isTooLarge || all > maxSizes.all) {
    throw refuse('is too large, or compressed absurdly', saveAsCsv);
  }
}

function maxSizeOf(part: string): number {
  if (/^xl\/worksheets\/[^/]+\.xml$/i.test(part)) return maxSizes.sheet;
  if (/sharedStrings\.xml$/i.test(part)) return maxSizes.strings;
  return /\.(?:xml|rels|vml)$/i.test(part) ? maxSizes.xml : maxSizes.all;
}

/** The parts and their sizes in bytes; the package refuses a part that unpacks to another size. */
async function partsOf(bytes: Buffer) {
  // Without strings, because names that start with a slash count as wrong.
  const zip = await yauzl.fromBufferPromise(bytes, { decodeStrings: false });
  const parts: { name: string; packed: number; size: number }[] = [];
  for await (const { fileNameRaw, compressedSize, uncompressedSize } of zip.eachEntry()) {
    const name = fileNameRaw.toString().replace(/^\//, '');
    parts.push({ name, packed: compressedSize, size: uncompressedSize });
  }
  return parts;
}
