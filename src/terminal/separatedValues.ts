import { sanitise } from './sanitise.ts';

/** What a spreadsheet runs as a formula, or makes one of once it has dropped the first character. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const negativeNumber = /^-\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const needsQuotes = /[",\r\n]|^[\s\ufeff]|\s$/;

export interface CsvOptions {
  /** Formulas stay as they are. */
  raw: boolean;
  /** To be looked at rather than read by a program: no control may reach the terminal. */
  isTerminal: boolean;
  /** For a file that may be shown on a terminal later. */
  isSanitised?: boolean;
}

/** One record of RFC 4180, its line end included. */
export function csvRow(
  cells: readonly string[],
  { raw, isTerminal, isSanitised = isTerminal }: CsvOptions,
): string {
  const shown = cells.map((cell) => {
    const harmless = raw ? cell : withoutFormula(cell);
    return quoted(isSanitised ? sanitise(harmless) : harmless);
  });
  // A lone empty cell would be an empty line, which readers skip.
  const row = shown.length === 1 && shown[0] === '' ? '""' : shown.join(',');
  return `${row}${isTerminal ? '\n' : '\r\n'}`;
}

const withoutFormula = (cell: string) =>
  formula.test(cell) && !negativeNumber.test(cell) ? `'${cell}` : cell;

const quoted = (cell: string) =>
  needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

const special = /[\\\p{Cc}]/gu;
const short: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

/** One record a line, one tab between cells, whatever the cells hold. */
export function tsvRow(cells: readonly string[], isTerminal = false): string {
  const lines = cells.map((cell) => cell.replace(special, escaped));
  // A program gets all other text as it is; a terminal, nothing that it would obey.
  return (isTerminal ? lines.map(sanitise) : lines).join('\t');
}

function escaped(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  return short[character] ?? `\\x${hex}`;
}
