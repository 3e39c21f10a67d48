import type { CommandWord } from '../errors.ts';

const plainWord = /^[\w./][\w./:@+=-]*$/;

/**
 * Quotes a value so that it is one argument in sh, bash, zsh, fish, PowerShell and cmd.exe.
 * Undefined for a value that cannot be quoted safely in all of them, or would be read as a flag.
 */
export function shellWord(value: string): string | undefined {
  if (plainWord.test(value)) return value;
  // PowerShell takes typographic quotes for quotes; cmd.exe and csh act on some characters inside
  // single quotes; what cannot be seen cannot be pasted.
  const unquotable =
    /^-|["\\%^&|<>!\u2018-\u201e\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
  if (unquotable.test(value)) return undefined;
  if (!value.includes("'")) return `'${value}'`;
  return /[$`]/.test(value) ? undefined : `"${value}"`;
}

/** A command line to paste. Flags need no quotes. */
export const printedCommand = (command: readonly CommandWord[]): string =>
  command
    .map((word) => (typeof word === 'string' ? (shellWord(word) ?? word) : word.placeholder))
    .join(' ');

/**
 * A template tag for the words of a command. The text is split at spaces, a value never is. A word of the text in capitals stands for another one (ID, FILE), and a value that cannot
 * be quoted is left to the reader.
 */
export function words(
  text: TemplateStringsArray,
  ...values: readonly CommandWord[]
): CommandWord[] {
  const found: CommandWord[] = [];
  const append = (part: CommandWord) => found.push(joinedWord(found.pop() ?? '', part));
  for (const [at, part] of text.entries()) {
    const [first = '', ...others] = part.split(' ');
    if (at === 0) others.unshift(first);
    else append(first);
    found.push(
      ...others.map((word) => (/^[A-Z_.]{2,}$/.test(word) ? { placeholder: word } : word)),
    );
    const value = values[at];
    if (value === undefined) continue;
    const isUnsafe = typeof value === 'string' && shellWord(value) === undefined;
    append(isUnsafe ? { placeholder: '…' } : value);
  }
  return found;
}

function joinedWord(start: CommandWord, end: CommandWord): CommandWord {
  if (typeof start === 'string' && typeof end === 'string') return start + end;
  return {
    placeholder: [start, end]
      .map((one) => (typeof one === 'string' ? one : one.placeholder))
      .join(''),
  };
}

/** A template tag for command lines to paste. A value that cannot be quoted becomes `…`. */
export function commandLine(text: TemplateStringsArray, ...values: readonly string[]): string {
  const words = values.map((value) => shellWord(value) ?? '…');
  return String.raw({ raw: text }, ...words);
}

/**
 * Splits a command line at spaces, except in quotes; undefined if a quote is not closed. It knows no
 * escapes and no variables.
 */
export function splitCommand(text: string): string[] | undefined {
  const quoted = /'([^']*)'|"([^"]*)"/g;
  if (/['"]/.test(text.replace(quoted, ''))) return undefined;
  const words = text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replace(quoted, (_, single, double) => single ?? double));
}
