import { protectedCell } from './csvCell.ts';
import { sanitise } from './sanitise.ts';

const needsQuotes = /[",\r\n]|^[\s\ufeff]|\s$/;

export interface CsvOptions {
  raw: boolean;
  isTerminal: boolean;
  /** For a file that may be shown on a terminal later. */
  isSanitised?: boolean;
}

export function csvRow(
  cells: readonly string[],
  { raw, isTerminal, isSanitised = isTerminal }: CsvOptions,
): string {
  const shown = cells.map((cell) => {
    const harmless = raw ? cell : protectedCell(cell);
    return quoted(isSanitised ? sanitise(harmless) : harmless);
  });
  // A single empty cell would be an empty line, which parsers skip.
  const row = shown.length === 1 && shown[0] === '' ? '""' : shown.join(',');
  return `${row}${isTerminal ? '\n' : '\r\n'}`;
}

const quoted = (cell: string) =>
  needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

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
