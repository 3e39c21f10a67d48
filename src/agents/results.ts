import type { CallToolResult } from '@modelcontextprotocol/server';
import type { MarError } from '../errors.ts';
import { shorten } from '../json/shorten.ts';
import { fromPlain, isObject, type Json, printJson } from '../json/value.ts';
import { visibleJson } from '../values/sanitise.ts';
import type { Plan } from '../writes/index.ts';
import tasks from './tasks.json' with { type: 'json' };
import { fieldOf, type Tool } from './tools.ts';

/** About 10,000 tokens. */
const maxLength = 30_000;

/** The end of a call: what its command returned, and what it reported. */
export interface CallOutcome {
  /** Undefined if the command returned nothing. */
  data?: Json;
  error?: MarError;
  warnings: readonly string[];
  /** The write that the command would do, after a preview. */
  plan?: Plan;
}

export interface Report extends Pick<CallOutcome, 'data' | 'error' | 'warnings'> {
  headline?: string;
  note?: string;
  token?: string;
  now: Date;
}

/** The outcome as text with exact numbers. Secrets are removed, and hidden characters are escaped. */
export function resultOf(
  tool: Tool,
  { data, error, warnings, headline, note, token, now }: Report,
  clean: (text: string) => string,
): CallToolResult {
  // Each part is redacted before it is cut, because a part of a secret cannot be recognised.
  const whole = data && redacted(data, clean);
  const isWaiting = error?.kind === 'wait-timeout';
  const isError = error !== undefined && error.kind !== 'check' && !isWaiting;
  const still = isWaiting ? `${error.message}. Call ${tool.name} again.` : undefined;
  const facts = {
    now: `${now.toISOString().slice(0, 19)}Z`,
    token,
    note: note ?? still,
    error: error && !isWaiting ? factsOf(error, tool) : undefined,
    warnings: warnings.length > 0 ? warnings.map((one) => inFields(one, tool)) : undefined,
  };
  const report = redacted(fromPlain(facts), clean) as Map<string, Json>;
  const done = isError ? tasks.notices.failed : tasks.notices.done;
  const text = (room: number) => {
    const result = whole && shorten(whole, room);
    const parts = new Map(shorten(report, room) as typeof report);
    if (result !== undefined) parts.set('result', result);
    if (result !== whole) parts.set('cut', tasks.notices.cut);
    return visibleJson(printJson(parts));
  };
  let json = text(maxLength - 1000);
  for (let room = maxLength; json.length > maxLength && room > 100; room /= 2) json = text(room);
  const texts = [`${headline ?? done} ${tasks.notices.data}`, json.slice(0, maxLength)];
  return { content: texts.map((one) => ({ type: 'text', text: one })), isError };
}

/** What an agent decides by. Other facts are for people who look for the cause. */
export function factsOf(error: MarError, tool: Tool): object {
  const { url, method, body, cause, flag, ...facts } = error.facts;
  const words = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(words);
    const { flag: _, ...rest } = value as Record<string, unknown>;
    const entries = Object.entries(rest).map(([key, part]) => {
      const isText = /^(message|hint)$/.test(key) && typeof part === 'string';
      return [key, isText ? inFields(part, tool, key === 'hint') : words(part)];
    });
    return Object.fromEntries(entries.filter(([, part]) => part !== undefined && part !== ''));
  };
  if (error.kind === 'auth') facts.hint = tasks.notices.auth;
  const field = facts.field ?? (flag && fieldOf(flag.replace(/^-+/, '')));
  return words({ ...facts, field }) as object;
}

/** Only a person may decide these. */
const forPeople =
  /--(?:force|skip-checks|again|yes|restart|break-lock|allow-duplicates|show-secrets|ledger|overwrite)\b/;

/** The words of the command line as those of a tool: fields in place of flags, and no commands. */
function inFields(text: string, { flags, name }: Tool, isHint = false): string {
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
    .replaceAll(flagNames, (_all, flag) => fieldOf(flag))
    .replaceAll(/run the same command( again)?/gi, `call ${name} again with the same fields`)
    .replaceAll('standard input', 'the call')
    .replaceAll(/\bflag(?=s?\b)/g, 'field');
  return [words, ...(forPeople.test(text) ? [tasks.notices.ask] : [])].filter(Boolean).join(' ');
}

const flagNames = /--([a-z][\w-]*)/g;

/** Removes secrets from data, and from the names of its fields. */
function redacted(json: Json, clean: (text: string) => string): Json {
  if (typeof json === 'string') return clean(json);
  if (Array.isArray(json)) return json.map((item) => redacted(item, clean));
  if (!isObject(json)) return json;
  return new Map([...json].map(([key, value]) => [clean(key), redacted(value, clean)]));
}
