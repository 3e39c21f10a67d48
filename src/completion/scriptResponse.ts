import type { Candidate } from '../commands/command.ts';
import type { Completion } from './candidates.ts';

/**
 * The response that a shell's script reads. The first line says whether to add file or folder names,
 * whether to add a space after the word, and the part of the word before the value. Each further line
 * is a candidate.
 */
export function scriptResponse(
  { paths, before = '' }: Completion,
  rows: readonly string[],
  isUnfinished = false,
): string {
  const first = [paths ?? 'words', isUnfinished ? 'nospace' : 'space', before].join(' ');
  return `${[first, ...rows].join('\n')}\n`;
}

export const isOpen = ({ isOpen }: Candidate) => isOpen === true;

export const matching = ({ candidates }: Completion, current: string) =>
  candidates.filter(({ value }) => value.startsWith(current));

/** fish and zsh match, quote and cut by themselves. */
export function fishResponse(completion: Completion): string {
  const rows = completion.candidates.map(({ value, summary = '' }) => `${value}\t${summary}`);
  return scriptResponse(completion, rows);
}

/** A colon separates a word from its summary. */
export function zshResponse(completion: Completion): string {
  const escaped = (word: string) => word.replace(/[\\:]/g, '\\$&');
  const rows = completion.candidates.map(({ value, summary }) =>
    summary ? `${escaped(value)}:${summary}` : escaped(value),
  );
  return scriptResponse(completion, rows, completion.candidates.some(isOpen));
}

/** PowerShell takes the text to insert, the text to show, and the summary. */
export function powershellResponse(completion: Completion, current: string): string {
  const rows = matching(completion, current).map(({ value, summary }) =>
    [quoteForPowershell(value), value, summary || value].join('\t'),
  );
  return scriptResponse(completion, rows);
}

/** PowerShell treats typographic apostrophes as quotes. */
const quoteForPowershell = (value: string) =>
  /^[\w./:\\+%=-]+$/.test(value) && !/^-[^-a-zA-Z]/.test(value)
    ? value
    : `'${value.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
