import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Hint, MarError } from '../../core/errors.ts';
import { cleanTexts } from '../../core/json/hideFields.ts';
import { fromPlain, type Json, printJson } from '../../core/json/value.ts';
import { visibleJson } from '../../core/values/sanitise.ts';
import type { CallOutcome } from './call.ts';
import { shorten } from './shorten.ts';
import tasks from './tasks.json' with { type: 'json' };
import { fieldOf, type Tool } from './tools.ts';

/** About 5,000 tokens. */
const maxLength = 16_000;

/** The effect of a write. A batch of which any row was sent has written, if no outcome is unknown. */
export type Happened = 'written' | 'refused' | 'nothing' | 'unknown';

export interface Report extends Pick<CallOutcome, 'data' | 'error' | 'warnings'> {
  headline?: string;
  happened?: Happened;
  note?: string;
  token?: string;
  now: Date;
}

/** The outcome as text with exact numbers. Secrets are removed, and hidden characters are escaped. */
export function resultOf(
  tool: Tool,
  { data, error, warnings, headline, happened, note, token, now }: Report,
  clean: (text: string) => string,
): CallToolResult {
  // Each part is redacted before it is cut, because a part of a secret cannot be recognised.
  const whole = data && cleanTexts(data, clean);
  // A wait that is not over is no problem.
  const problem = error?.kind === 'wait-timeout' ? undefined : error;
  const isError = problem !== undefined && problem.kind !== 'check';
  const still = error && !problem ? `${error.message}. Call ${tool.name} again.` : undefined;
  const words = warnings.map((one) => warningWords(one, tool));
  const facts = {
    now: `${now.toISOString().slice(0, 19)}Z`,
    outcome: happened,
    token,
    note: note ?? still,
    error: problem && factsOf(problem, tool),
    warnings: words.length > 0 ? words : undefined,
  };
  const report = cleanTexts(fromPlain(facts), clean) as Map<string, Json>;
  const found = isError ? 'failed' : problem ? 'found' : 'done';
  const done = tasks.notices[happened ?? found];
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

/** The flags of a tool's command in a text, by the names of its fields. */
const withFields = (text: string, { flags }: Tool) =>
  [...flags]
    .sort((one, other) => other.length - one.length)
    .reduce((words, flag) => words.replaceAll(`--${flag}`, fieldOf(flag)), text);

/** The hints that an agent can follow. Decisions of a person become one sentence, and what ends an assumption. */
function hintWords(hints: readonly Hint[], tool: Tool): string {
  const texts = ownHints(hints, tool);
  const forPerson = hints.filter((hint) => hint.for === 'person');
  if (forPerson.length > 0) texts.push(tasks.notices.ask);
  const settings = forPerson.flatMap(({ command = [] }) =>
    command[1] === 'config' ? String(command.at(-1)) : [],
  );
  if (settings.length > 0) texts.push(`${tasks.notices.assumed} ${settings.join(', ')}`);
  return texts.join('\n');
}

const ownHints = (hints: readonly Hint[], tool: Tool) =>
  hints.flatMap(({ text, command, for: reader }) => {
    const words = withFields(text, tool);
    // A hint for a command line helps if the tool has its flags.
    const isOwn = reader === undefined || (reader === 'command-line' && words !== text);
    return isOwn && !command && !/(?:^|\s)--?[a-z]/.test(words) ? words : [];
  });

/** A warning starts with its message, which both the agent and the person get. */
export const warningWords = ([message, ...hints]: readonly Hint[], tool: Tool) =>
  [withFields(message?.text ?? '', tool), ...ownHints(hints, tool)].join('\n');

/** The facts that an agent decides by, in the words of a tool. Other facts are for people who look for the cause. */
export function factsOf(error: MarError, tool: Tool): object {
  const { url, method, body, cause, flag, ...facts } = error.facts;
  const field = facts.field ?? (flag && fieldOf(flag.replace(/^-+/, '')));
  const hint = error.kind === 'auth' ? tasks.notices.auth : hintWords(error.hints, tool);
  // The message has those of the fields.
  const fields = facts.fields?.map(({ message: _, ...rest }) => rest);
  return inWords({ ...facts, field, fields, hint: hint || undefined }, tool) as object;
}

function inWords(value: unknown, tool: Tool): unknown {
  if (Array.isArray(value)) return value.map((one) => inWords(one, tool));
  if (typeof value !== 'object' || value === null) return value;
  const { flag: _, hints, cause, message, ...rest } = value as Record<string, unknown>;
  const entries = Object.entries(rest).map(([key, part]) => [key, inWords(part, tool)]);
  const words = typeof message === 'string' ? { message: withFields(message, tool) } : {};
  return { ...words, ...Object.fromEntries(entries) };
}
