import type * as z from 'zod/mini';
import type { Endpoint } from '../api/endpoints.ts';
import { type Misfit, misfits } from '../api/misfit.ts';
import { hasHiddenSecret, redacted } from '../api/secrets.ts';
import { usageError } from '../errors.ts';
import type { HttpRequest } from '../http/message.ts';
import { isObject, type Json, printJson, toPlain } from '../json/value.ts';
import { shellWord } from '../values/commandLine.ts';

/** The first and the last record wanted, counted from 0. */
export interface Range {
  from: number;
  to: number;
}

/** What the service gives when it is asked for no range. */
export const defaultRange: Range = { from: 0, to: 9 };

export interface CallInput {
  /** Fills `{id}` in the path. */
  id?: string;
  query?: Readonly<Record<string, string | undefined>>;
  range?: Range;
  body?: Json;
  /** The record that is read is the base of a write, so one with another id is refused. */
  forWrite?: boolean;
  /** Ends the request; without it, the user alone can. */
  signal?: AbortSignal;
  /** What the service sent before the body was changed: what did not fit there already may stay. */
  base?: Json;
  /** The tag of the record that may be written over, and of no other. */
  ifMatch?: string;
}

/** The request that an endpoint's entry and an input make, without its Authorization. */
export function buildRequest(endpoint: Endpoint, baseUrl: URL, input: CallInput): HttpRequest {
  const path = endpoint.path.replace('{id}', () => pathSegment(input.id ?? ''));
  const url = new URL(baseUrl.href + path);
  for (const name of endpoint.query ?? []) {
    const value = input.query?.[name];
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (endpoint.range) {
    headers['X-Range'] = rangeHeader(input.range ?? defaultRange);
  }
  const request = { method: endpoint.method, url, headers, look: checkCommand(endpoint, input) };
  if (!endpoint.body) return request;
  headers['Content-Type'] = 'application/json';
  if (input.ifMatch !== undefined) headers['If-Match'] = input.ifMatch;
  return { ...request, body: printJson(input.body ?? null) };
}

/** How to find out what became of a write, where the record has what that takes. */
function checkCommand({ look }: Endpoint, { body }: CallInput): string | undefined {
  const [place, field] = look?.match(/\{(\w+)\}/) ?? [];
  if (look === undefined || place === undefined) return look;
  const value = isObject(body) ? body.get(field ?? '') : undefined;
  const word = typeof value === 'string' ? shellWord(value) : undefined;
  return word && look.replace(place, () => word);
}

export const rangeHeader = ({ from, to }: Range) => `resources=${from}-${to}`;

/** By their numbers: `\p{Cc}` takes a millisecond longer, in every command. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
export const controls = /[\u0000-\u001f\u007f-\u009f]/;

/** An id as one path segment. What could mean another path is refused, not encoded away. */
export function pathSegment(id: string): string {
  if (id === '' || id === '.' || id === '..') {
    throw usageError(`"${id}" is not an id`, 'an id is one path segment, for example wr-2001');
  }
  if (controls.test(id)) throw usageError(`the id ${JSON.stringify(id)} holds control characters`);
  if (!id.isWellFormed()) throw usageError(`the id ${JSON.stringify(id)} is not valid Unicode`);
  return encodeURIComponent(id);
}

/** Refuses a body that would put the mark of a hidden secret in the secret's place. */
export function checkSecrets(body: Json): void {
  if (hasHiddenSecret(body)) {
    throw usageError(
      `the body still holds ${redacted} in place of a secret`,
      'remove that field, or read the record again with --show-secrets',
    );
  }
}

/** Refuses a body that would do harm, or whose known fields are not of their type. */
export function checkBody(body: Json, schema: z.ZodMiniType, base?: Json): void {
  checkSecrets(body);
  const before = base === undefined ? [] : misfits(schema, toPlain(base));
  const there = new Set(before.map(describeMismatch));
  const found = misfits(schema, toPlain(body)).filter((one) => !there.has(describeMismatch(one)));
  if (found.length > 0)
    throw usageError(found.map(describeMismatch).join('; '), 'nothing was sent');
}

export const describeMismatch = ({ path, problem }: Misfit) => `${path || 'the body'}: ${problem}`;
