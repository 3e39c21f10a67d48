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

const needsNoProfile =
  /^mar (?:help|schema|completion|sandbox|version|profile|config)\b|--(?:help|profile)\b/;

/** Adds `--profile` to the commands in a hint, for a run that was told which profile to use. */
export const withProfile = (text: string, profile: string | undefined): string =>
  profile
    ? replaceCommands(text, (command) =>
        needsNoProfile.test(command) ? command : command + commandLine` --profile ${profile}`,
      )
    : text;

/** The commands in a hint that can be run, without those in which a word stands for another: ID, VALUE. */
export function commandsIn(hint: string): string[][] {
  const commands: string[][] = [];
  replaceCommands(hint, (command) => {
    const words = splitCommand(command);
    if (words && !words.some((word) => /…|[<>|]|\b[A-Z]{2,}$/.test(word))) commands.push(words);
    return command;
  });
  return commands;
}

/**
 * Commands to paste are at the end of a line, or in parentheses; others are part of a sentence. The text
 * may come from the service, so the time must not grow with the square of its length.
 */
function replaceCommands(text: string, complete: (command: string) => string): string {
  const lines = text.split('\n').map((line) => {
    const start = lastCommandAt(line);
    const before = line.slice(0, start).replace(/\([^()]*\)/g, (part) => {
      const at = part.search(/\bmar /);
      return at < 0 ? part : `${part.slice(0, at)}${complete(part.slice(at, -1))})`;
    });
    return before + (start === line.length ? '' : complete(line.slice(start)));
  });
  return lines.join('\n');
}

/** Where the command at the end of a line starts: `To log in, run: mar login`. */
function lastCommandAt(line: string): number {
  if (/[.?]$/.test(line)) return line.length;
  const start = /(?<=: |\| )mar ./g;
  start.lastIndex = Math.max(line.lastIndexOf('. '), line.lastIndexOf(', or '), 0);
  return start.exec(line)?.index ?? line.length;
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
