import path from 'node:path';
import { text } from 'node:stream/consumers';
import { formatValue } from 'hucre';
import { type Cell, type CellValue, parseCellRef, readXlsx, type Sheet } from 'hucre/xlsx';
import yauzl, { type Entry } from 'yauzl';
import { type Hints, MarError, onCommandLine, usageError } from '../errors.ts';
import { groupDigits, pluralNoun, rowRanges } from '../values/numbers.ts';
import type { SheetChoice, TableRecord } from './row.ts';
import { cellName } from './tableRows.ts';

/*
 * Reads a sheet of an .xlsx or .xlsm file as its reader sees it. The package that parses it believes what a
 * file says, so the directory of the zip and the places of cells are checked before, and the cells after.
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
  const refuse: Refuse = (problem, hint) =>
    usageError(`${name} ${problem}`, hint, { flag, value: name });
  try {
    return await readChosen(bytes, name, choice, refuse);
  } catch (error) {
    if (error instanceof MarError) throw error;
    throw refuse(`cannot be read (${error instanceof Error ? error.message : error})`, saveAsXlsx);
  }
}

async function readChosen(bytes: Buffer, name: string, choice: SheetChoice, refuse: Refuse) {
  // Commands that only take a list have no --sheet and no --hidden: the list is on the first sheet.
  const isList = choice.flag !== undefined;
  const textOfPart = await openParts(bytes, refuse);
  const wanted = choice.sheet?.trim().toLowerCase();
  const sheetNames: string[] = [];
  let chosen = -1;
  await readXlsx(bytes, {
    sheets({ name: own, hidden, veryHidden }, index) {
      const isVisible = !hidden && !veryHidden;
      if (isVisible) sheetNames.push(own);
      const isWanted = wanted === undefined ? isVisible : own.trim().toLowerCase() === wanted;
      if (isWanted && chosen < 0) chosen = index;
      return false;
    },
  });
  const list = sheetNames.map((one) => JSON.stringify(one)).join(', ');
  if (wanted === undefined && sheetNames.length > 1 && !isList) {
    const hint = onCommandLine('Choose one with --sheet NAME.');
    throw refuse(`has ${sheetNames.length} sheets: ${list}`, hint);
  }
  if (chosen < 0 && wanted !== undefined) {
    const facts = { flag: '--sheet', value: choice.sheet, allowed: sheetNames };
    throw usageError(`${name} has no sheet "${choice.sheet}"`, `Its sheets: ${list}`, facts);
  }
  if (chosen < 0) throw new Error('it has no sheet that mar finds');
  checkCells(await sheetXml(textOfPart, chosen), await textOfPart(strings), refuse);
  const { sheets } = await readXlsx(bytes, {
    sheets: [chosen],
    range: `A1:${cellName(maxColumns - 1, maxRows + maxTitles)}`,
    readStyles: true,
  });
  const [sheet] = sheets as [Sheet];
  const count = sheet.rows.length * (sheet.rows[0]?.length ?? 0);
  if (count > maxCells) throw refuse(`has ${groupDigits(count)} cells`, saveAsCsv);
  const records = recordsOf(sheet);
  if (records.some(({ cells }) => cells.some((cell) => cell.includes('\ufffd')))) {
    throw new Error('it has characters in an unknown encoding');
  }
  const { lines, columns } = hiddenParts(records, sheet);
  if (choice.hidden === undefined && lines.size + columns.length > 0) {
    const names = columns.map(letters).join(', ');
    const what =
      lines.size > 0 ? rowRanges([...lines]) : `${pluralNoun(columns.length, 'column')} ${names}`;
    const hint = isList ? 'Show or delete them, and save it.' : treatHidden;
    throw refuse(`has hidden or filtered ${what} of the sheet`, hint);
  }
  if (choice.hidden !== 'skip') return records;
  for (const { cells } of records) for (const column of columns) cells[column] = '';
  return records.filter(({ line }) => !lines.has(line));
}

const letters = (column: number) => cellName(column, 0).slice(0, -1);

type TextOfPart = (name: string) => Promise<string>;

/** The XML of a sheet, by its place in the workbook. */
async function sheetXml(textOfPart: TextOfPart, index: number): Promise<string> {
  const tags = async (part: string, name: string) =>
    (await textOfPart(part)).match(new RegExp(`<(?:\\w+:)?${name}\\s[^<>]*>`, 'g')) ?? [];
  const valueIn = (tag = '', name: string) =>
    new RegExp(`[\\s:]${name}=["']([^"']*)`).exec(tag)?.[1] ?? '';
  const id = valueIn((await tags('xl/workbook.xml', 'sheet'))[index], 'id');
  const relations = await tags('xl/_rels/workbook.xml.rels', 'Relationship');
  const target = valueIn(
    relations.find((one) => valueIn(one, 'Id') === id),
    'Target',
  );
  return textOfPart(path.posix.resolve('/xl', target).slice(1));
}

const strings = 'xl/sharedStrings.xml';
/** The start of a cell that is not empty: its attributes, and the text of a value. */
const filledCell =
  /<(?:\w+:)?c(\s[^<>]*[^/<>])>\s*<(?:\w+:)?(?:v|f|is)(?:\s[^<>]*[^/<>])?>([^<]*)/g;

/**
 * Refuses what the package would leave out, or misread: cells far away, which can also take more memory
 * than there is, texts that are missing, and furigana that are not among the shared texts.
 */
function checkCells(xml: string, sharedStrings: string, refuse: Refuse): void {
  if (/<(?:\w+:)?rPh[\s>]/.test(xml)) throw refuse('has furigana inside its cells', saveAsXlsx);
  const stringCount = sharedStrings.match(/<(?:\w+:)?si[\s/>]/g)?.length ?? 0;
  for (const [, attributes = '', content = ''] of xml.matchAll(filledCell)) {
    const [, name = 'A1'] = /\sr=["']([A-Z]+\d+)/.exec(attributes) ?? [];
    const { row, col } = parseCellRef(name);
    if (row >= maxRows + maxTitles) {
      throw refuse(`has more than ${groupDigits(maxRows)} rows: ${name} is not empty`, saveAsCsv);
    }
    if (col >= maxColumns) {
      const hint = 'Delete what is far to the right, or save it as CSV.';
      throw refuse(`has more than ${maxColumns} columns: ${name} is not empty`, hint);
    }
    const isText = /^\d+$/.test(content) && Number(content) < stringCount;
    if (/\st=["']s["']/.test(attributes) && !isText) {
      throw refuse(`is damaged: the text of ${name} is missing`, saveAsXlsx);
    }
  }
}

function recordsOf({ rows, cells: details, merges = [] }: Sheet) {
  const records = rows.map((values, index) => {
    const problems = new Map<number, string>();
    const cells = values.map((value, column) => {
      const cell = details?.get(`${index},${column}`);
      const problem = problemOf(value, cell);
      if (problem) problems.set(column, problem);
      return textOf(value, cell);
    });
    return { line: index + 1, cells, problems, values };
  });
  for (const { startRow, startCol, endRow, endCol } of merges) {
    const first = records[startRow];
    const text = first?.cells[startCol] ?? '';
    for (const { cells, values, problems } of records.slice(startRow, endRow + 1)) {
      if (text === '') {
        const hidden = cells.findIndex((cell, at) => cell && at >= startCol && at <= endCol);
        if (hidden >= 0) problems.set(hidden, 'is hidden below an empty merged cell');
        continue;
      }
      if (endCol > startCol)
        problems.set(startCol, 'is merged with the cells beside it; split them');
      // A cell over several rows is shown for each of them.
      cells[startCol] = text;
      values[startCol] = first?.values[startCol] ?? null;
    }
  }
  return records;
}

/** Larger numbers have digits that a spreadsheet replaces with zeros. */
const maxNumber = 1e15;

function problemOf(value: CellValue, { type, formula }: Partial<Cell> = {}): string | undefined {
  if (type === 'error') return `holds the error ${value}`;
  if (formula !== undefined && value === null) {
    return 'holds a formula without a stored result; open the file in a spreadsheet program and save it';
  }
  if (value instanceof Date && value.getUTCFullYear() < 1905) return 'holds a time without a date';
  const isLong = typeof value === 'number' && Math.abs(value) >= maxNumber;
  return isLong ? 'holds a number of more than 15 digits; format the cell as text' : undefined;
}

/** Text as the reader sees it. Dates of sheets have no zone: they are a wall clock, as if in UTC. */
function textOf(value: CellValue, { formula, style }: Partial<Cell> = {}): string {
  if (value === null && formula !== undefined) return `=${formula}`;
  if (typeof value === 'number') {
    // A spreadsheet calculates with 15 digits: 0.1 + 0.2 is shown as 0.3.
    return formatValue(Number(value.toPrecision(15)), style?.numFmt ?? 'General').trim();
  }
  if (typeof value === 'boolean') return String(value).toUpperCase();
  if (!(value instanceof Date)) return String(value ?? '').trim();
  const seconds = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString().slice(0, 19);
  return seconds.replace(/T00:00:00$/, '').replace(/(?<=T\d\d:\d\d):00$/, '');
}

/** The rows and columns that nobody sees, though they hold something. */
function hiddenParts(records: readonly TableRecord[], { rowDefs, columns = [] }: Sheet) {
  const lines = records
    .filter(({ line, cells }) => {
      const { hidden, height } = rowDefs?.get(line - 1) ?? {};
      return (hidden || height === 0) && cells.some(Boolean);
    })
    .map(({ line }) => line);
  const isHidden = (column: number) => columns[column]?.hidden || columns[column]?.width === 0;
  return {
    lines: new Set(lines),
    columns: [...columns.keys()].filter(
      (column) => isHidden(column) && records.some(({ cells }) => cells[column]),
    ),
  };
}

/** Refuses what is no workbook, or far too large. Returns a reader of its parts. */
async function openParts(bytes: Buffer, refuse: Refuse): Promise<TextOfPart> {
  if (bytes.toString('hex', 0, 4) === 'd0cf11e0') {
    throw bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))
      ? refuse('is protected with a password', 'Save a copy without it, and use that file.')
      : refuse('is a workbook of an old version (.xls), or no workbook', saveAsXlsx);
  }
  // Without strings, because names that start with a slash count as wrong.
  const zip = await yauzl.fromBufferPromise(bytes, { decodeStrings: false }).catch(() => {
    throw refuse('is damaged: it has no end', saveAsXlsx);
  });
  const parts = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    parts.set(entry.fileNameRaw.toString().replace(/^\//, '').toLowerCase(), entry);
  }
  if (parts.has('content.xml')) throw refuse('is an OpenDocument file (.ods)', saveAsXlsx);
  if (parts.has('xl/workbook.bin')) throw refuse('is a binary workbook (.xlsb)', saveAsXlsx);
  const main = [...parts.keys()].find((name) => /^xl\/workbook\d*\.xml$/.test(name));
  if (!main) throw refuse('is not a workbook', saveAsXlsx);
  let all = 0;
  for (const [name, { uncompressedSize: size, compressedSize: packed }] of parts) {
    all += size;
    const isAbsurd = size > maxRatio.above && size > packed * maxRatio.ratio;
    if (isAbsurd || size > maxSizeOf(name) || all > maxSizes.all) {
      throw refuse('is too large, or compressed absurdly', saveAsCsv);
    }
  }
  return async (name) => {
    const entry = parts.get(name.replace('workbook.xml', main.slice('xl/'.length)).toLowerCase());
    return entry ? text(await zip.openReadStreamPromise(entry)) : '';
  };
}

function maxSizeOf(part: string): number {
  if (/^xl\/worksheets\/[^/]+\.xml$/.test(part)) return maxSizes.sheet;
  if (part.endsWith('sharedstrings.xml')) return maxSizes.strings;
  return /\.(?:xml|rels|vml)$/.test(part) ? maxSizes.xml : maxSizes.all;
}
