import type { CallToolResult } from '@modelcontextprotocol/server';
import { exitCodes, type MarError } from '../errors.ts';
import { fromPlain, isObject, type Json, printJson, toPlain } from '../json/value.ts';
import type { Plan } from '../writes/index.ts';
import tasks from './tasks.json' with { type: 'json' };
import type { Tool } from './tools.ts';

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

/** The outcome as text with exact numbers and as structured content. */
export function resultOf(
  { findsProblems }: Tool,
  { data, error, warnings }: CallOutcome,
  clean: (text: string) => string,
  token?: string,
): CallToolResult {
  // Each part is redacted before it is cut, because a part of a secret cannot be recognised.
  const redact = (json: Json) => redacted(json, clean);
  const whole = data && redact(data);
  const result = whole && shorten(whole, maxLength);
  const { code: exitCode } = error ? exitCodes[error.kind] : { code: 0 };
  const report = {
    exitCode,
    error: error && { exitCode, ...error.facts },
    warnings,
    note: result === whole ? undefined : tasks.notices.cut,
    token,
  };
  const facts = shorten(redact(fromPlain(JSON.parse(JSON.stringify(report)))), maxLength);
  const parts = facts as Map<string, Json>;
  if (result !== undefined) parts.set('result', result);
  const isError = error !== undefined && !(findsProblems && error.kind === 'check');
  const done = isEmpty(data) ? 'Nothing to show or to write.' : 'Done.';
  const headline = token ? tasks.notices.token : isError ? 'Failed: see error.' : done;
  const texts = [`${headline} ${tasks.notices.data}`, printJson(parts)];
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    structuredContent: toPlain(parts) as Record<string, unknown>,
    isError,
  };
}

/** A batch whose rows are all sent, a list without records, or a record without changes. */
export const isEmpty = (data: Json | undefined) =>
  data === undefined || (Array.isArray(data) && data.length === 0);

/** Removes secrets from data, and from the names of its fields. */
function redacted(json: Json, clean: (text: string) => string): Json {
  if (typeof json === 'string') return clean(json);
  if (Array.isArray(json)) return json.map((item) => redacted(item, clean));
  if (!isObject(json)) return json;
  return new Map([...json].map(([key, value]) => [clean(key), redacted(value, clean)]));
}

/** Cuts the end of lists and texts, so that all of it has about `room` characters. */
function shorten(json: Json, room: number): Json {
  if (printJson(json).length <= room) return json;
  if (typeof json === 'string') return `${json.slice(0, room)}…`;
  if (isObject(json)) {
    return new Map([...json].map(([key, value]) => [key, shorten(value, room / json.size)]));
  }
  if (!Array.isArray(json)) return json;
  let left = room;
  const kept = json.filter((item, index) => {
    left -= printJson(item).length;
    return left >= 0 || index === 0;
  });
  const rest = json.length - kept.length;
  return [...kept.map((item) => shorten(item, room)), ...(rest > 0 ? [`… ${rest} more`] : [])];
}
