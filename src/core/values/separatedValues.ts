import { orUndefined } from '../errors.ts';
import { sanitise } from './sanitise.ts';

const needsQuotes = /["\r\n]|^[\s\ufeff]|\s$/;

export interface CsvOptions {
  raw?: boolean;
  isTerminal: boolean;
  separator?: string;
}

export function csvRow(
  cells: readonly string[],
  { raw, isTerminal, separator = ',' }: CsvOptions,
): string {
  const shown = cells.map((cell) => {
    const harmless = raw ? cell : protectedCell(cell);
    return quoted(isTerminal ? sanitise(harmless) : harmless, separator);
  });
  // A single empty cell would be an empty line, which parsers skip.
  const row = shown.length === 1 && shown[0] === '' ? '""' : shown.join(separator);
  return `${row}${isTerminal ? '\n' : '\r\n'}`;
}

const quoted = (cell: string, separator: string) =>
  needsQuotes.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell;

const shortEscapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

export function tsvRow(cells: readonly string[], isTerminal = false): string {
  const lines = cells.map((cell) => cell.replace(/[\\\p{Cc}]/gu, escaped));
  return (isTerminal ? lines.map(sanitise) : lines).join('\t');
}

const escaped = (character: string): string =>
  shortEscapes[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/*
 * Cells of CSV start with a ' if a spreadsheet would run them, and if they are text that a cell cannot
 * hold, which is then written as a JSON string. The ' is removed when `mar` reads the cell. Text that
 * starts like a protected cell gets one more.
 */

/** The start of a formula in a spreadsheet, some of which drop the first character. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const looksProtected = /^'+["=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const negativeNumber = /^-\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

function protectedCell(cell: string): string {
  // White space alone would be read as an empty cell, and a file with NUL is not taken for text.
  const isUnwritable = (cell !== '' && cell.trim() === '') || cell.includes('\u0000');
  if (isUnwritable) return `'${JSON.stringify(cell)}`;
  const isFormula = formula.test(cell) && !negativeNumber.test(cell);
  return isFormula || looksProtected.test(cell) ? `'${cell}` : cell;
}

/** The text of a cell that may be protected. */
export function unprotected(cell: string): string {
  if (!looksProtected.test(cell)) return cell;
  const text = cell.slice(1);
  if (!text.startsWith('"')) return text;
  // A cell that is no JSON was written by another program.
  return orUndefined(() => JSON.parse(text)) ?? cell;
}
