import { sanitise } from './sanitise.ts';

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
