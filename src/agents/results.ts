import type { CallToolResult } from '@modelcontextprotocol/server';
import { orUndefined } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import { fromPlain, isObject, type Json, printJson, toPlain } from '../json/value.ts';
import type { CommandOutput } from '../world.ts';
import tasks from './tasks.json' with { type: 'json' };
import type { Tool } from './tools.ts';

/** About 10,000 tokens. */
const maxLength = 30_000;

/** The output of a command, as text with exact numbers and as structured content. */
export function resultOf(
  { findsProblems }: Tool,
  output: CommandOutput,
  token?: string,
): CallToolResult {
  const { code, stdout, stderr } = output;
  const lines = stdout.trimEnd().split('\n');
  const printed =
    orUndefined(() => parseJson(stdout)) ??
    orUndefined(() => lines.map((line) => parseJson(line))) ??
    stdout;
  const result = shorten(printed, maxLength);
  const messages = stderr.split('\n').map((line) => orUndefined(() => JSON.parse(line)));
  const report = {
    exitCode: code,
    error: messages.find((message) => message?.error)?.error,
    warnings: messages.flatMap((message) => message?.warning?.message ?? []),
    note: result === printed ? undefined : tasks.notices.cut,
    token,
  };
  const facts = shorten(fromPlain(report), maxLength) as Map<string, Json>;
  if (stdout !== '') facts.set('result', result);
  const isError = code !== 0 && !(findsProblems && code === 3);
  const done = isEmptyList(output) ? 'Nothing to show or to write.' : 'Done.';
  const headline = token ? tasks.notices.token : isError ? 'Failed: see error.' : done;
  const texts = [`${headline} ${tasks.notices.data}`, printJson(facts)];
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    structuredContent: toPlain(facts) as Record<string, unknown>,
    isError,
  };
}

/** A batch whose rows are all sent, or a list without records. */
export const isEmptyList = ({ stdout }: CommandOutput) => stdout.trim() === '[]';

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
