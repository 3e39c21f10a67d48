import type { MarError } from '../errors.ts';

/** Only a person may decide these. */
const forPeople =
  /--(?:force|skip-checks|again|yes|restart|allow-duplicates|show-secrets|ledger|overwrite)\b/;
const flagNames = /--([a-z][\w-]*)/g;

/** A tool of an agent: a command whose flags are fields. */
interface Tool {
  name: string;
  flags: readonly string[];
  fieldOf(flag: string): string;
}

/** A message for people at a command line in the words of a tool: fields in place of flags, and no commands. */
export function fieldWords(
  text: string,
  { name, flags, fieldOf }: Tool,
  /** The part of a message that says what to do, and what to do if only a person may decide. */
  { isHint = false, ask }: { isHint?: boolean; ask: string },
): string {
  const hasCommand = (part: string) =>
    /(?:\b(?:run|use|see)|:) mar [a-z]|(?:^|\s)-[a-zA-Z]\b/i.test(part) ||
    [...part.matchAll(flagNames)].some(([, flag = '']) => !flags.includes(flag));
  // The first sentence of a message says what is wrong.
  const sentences = text
    .replaceAll(/; [^;()]*\buse mar [^;()]*/g, '')
    .replaceAll(/, or [^,.;]*--([a-z][\w-]*)[^.;]*/g, (all, flag) =>
      flags.includes(flag) ? all : '',
    )
    .split(/(?<=[.!?])\s+|\n+/)
    .filter((one, at) => !forPeople.test(one) && ((at === 0 && !isHint) || !hasCommand(one)));
  const words = sentences
    .join(' ')
    .replaceAll(/(?<=--(?:un)?set) FIELD(?:=VALUE)?/g, '')
    .replaceAll(flagNames, (_all, flag) => fieldOf(flag))
    .replaceAll(/run the same command( again)?/gi, `call ${name} again with the same fields`)
    .replaceAll('standard input', 'the call')
    .replaceAll(/\bflag(?=s?\b)/g, 'field');
  return [words, forPeople.test(text) ? ask : ''].filter(Boolean).join(' ');
}

/** What an agent decides by. Other facts are for people who look for the cause. */
export function errorFacts(
  error: MarError,
  tool: Tool,
  notices: { ask: string; auth: string },
): object {
  const { url, method, body, cause, flag, ...facts } = error.facts;
  if (error.kind === 'auth') facts.hint = notices.auth;
  const words = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(words);
    if (typeof value !== 'object' || value === null) return value;
    const { flag: _, ...rest } = value as Record<string, unknown>;
    const entries = Object.entries(rest).map(([key, part]) => {
      if (typeof part !== 'string' || !/^(message|hint)$/.test(key)) return [key, words(part)];
      return [key, fieldWords(part, tool, { isHint: key === 'hint', ...notices })];
    });
    return Object.fromEntries(entries.filter(([, part]) => part !== undefined && part !== ''));
  };
  const field = facts.field ?? (flag && tool.fieldOf(flag.replace(/^-+/, '')));
  return words({ ...facts, field }) as object;
}
