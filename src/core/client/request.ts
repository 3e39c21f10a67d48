import type * as z from 'zod/mini';
import { type Endpoint, repetitionOf, resourceNoun } from '../api/endpoints.ts';
import { type SchemaMismatch, schemaMismatches } from '../api/schemaMismatch.ts';
import { hasHiddenSecret } from '../api/secretFields.ts';
import { type CommandWord, forPerson, type Hint, runHint, usageError } from '../errors.ts';
import type { HttpRequest, Revision } from '../http/message.ts';
import { redacted } from '../json/hideFields.ts';
import { isObject, type Json, printJson } from '../json/value.ts';
import { words } from '../values/commandLine.ts';

/** Both ends are included, and counted from 0. */
export interface Range {
  from: number;
  to: number;
}

/** The service's own default. */
export const defaultRange: Range = { from: 0, to: 9 };

export interface CallInput {
  id?: string;
  query?: Readonly<Record<string, string | undefined>>;
  range?: Range;
  body?: Json;
  /** The record is the base of a write, so one with another id is rejected. */
  forWrite?: boolean;
  /** Aborts this request. Replaces the transport's signal. */
  signal?: AbortSignal;
  /** The record before the change. Mismatches that it already had are allowed. */
  base?: Json;
  /** Called when all local checks have passed, right before the request is sent. */
  onSend?(): void;
  /** The service refuses the write if the record no longer has this tag. */
  ifMatch?: string;
  /** See `HttpRequest`. Replaces those of the endpoint. */
  checkHints?: readonly Hint[];
  /** See `HttpRequest`. What it returns is sent without the checks of the first body. */
  lastRead?(): Promise<{ body: Json; ifMatch?: string } | undefined>;
}

export function buildRequest(endpoint: Endpoint, baseUrl: URL, input: CallInput): HttpRequest {
  const path = endpoint.path.replace('{id}', () => pathSegment(input.id ?? ''));
  const url = new URL(baseUrl.href + path);
  for (const name of endpoint.query ?? []) {
    const value = input.query?.[name];
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (endpoint.range) headers['X-Range'] = rangeHeader(input.range ?? defaultRange);
  const record = recordOf(endpoint, input);
  const isRead = repetitionOf(endpoint) === 'safe';
  const checkHints = input.checkHints ?? checkHintsOf(endpoint, input.body);
  const request = { method: endpoint.method, isRead, url, headers, checkHints, record };
  if (!endpoint.body) return request;
  headers['Content-Type'] = 'application/json';
  if (input.ifMatch !== undefined) headers['If-Match'] = input.ifMatch;
  const body = printJson(input.body ?? null);
  return { ...request, body, ...(input.lastRead && { lastRead: () => revisionOf(input) }) };
}

async function revisionOf(input: CallInput): Promise<Revision | undefined> {
  const revised = await input.lastRead?.();
  if (!revised) return undefined;
  const headers = revised.ifMatch === undefined ? undefined : { 'If-Match': revised.ifMatch };
  return { body: printJson(revised.body), headers };
}

/** The record in the path, or the one in the body of a PUT. A POST has none yet. */
function recordOf({ method, resource }: Endpoint, { id, body }: CallInput): HttpRequest['record'] {
  const own = id ?? (method === 'PUT' && isObject(body) ? body.get('_id') : undefined);
  return typeof own === 'string' ? { resource: resourceNoun(resource), id: own } : undefined;
}

/** Fills the endpoint's `checkWith` from the record. None if the record lacks the field. */
export function checkHintsOf({ checkWith = [] }: Partial<Endpoint>, body?: Json): Hint[] {
  if (typeof checkWith === 'string') return [{ text: checkWith }];
  const command = checkWith.flatMap((word): CommandWord[] => {
    if (typeof word === 'string') return [word];
    const value = isObject(body) ? body.get(word.field) : undefined;
    return typeof value === 'string' ? words`${value}` : [];
  });
  const isComplete = command.length > 0 && command.length === checkWith.length;
  return isComplete ? [runHint('To check', command)] : [];
}

export const rangeHeader = ({ from, to }: Range) => `resources=${from}-${to}`;

/** Listed by number, since `\p{Cc}` costs every command a millisecond. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
export const controls = /[\u0000-\u001f\u007f-\u009f]/;

/** Whether a server could read a decoded segment as a path to another folder. */
export const climbs = (segment: string): boolean =>
  segment.split(/[/\\]/).some((part) => part === '.' || part === '..');

/** An id as one path segment. An id that could mean another path is rejected rather than encoded. */
export function pathSegment(id: string): string {
  const refuse = (why: string, hint?: string) => usageError(why, hint, { value: id });
  if (id === '' || climbs(id)) throw refuse(`invalid id "${id}"`, 'An id looks like wr-2001.');
  const shown = JSON.stringify(id);
  if (controls.test(id)) throw refuse(`the id ${shown} contains control characters`);
  if (!id.isWellFormed()) {
    throw refuse(`the id ${shown} contains half a character`, 'Copy the id again.');
  }
  return encodeURIComponent(id);
}

export function checkSecrets(body: Json): void {
  if (!hasHiddenSecret(body)) return;
  throw usageError(`the body contains ${redacted} in place of a secret`, [
    'Remove that field.',
    forPerson('Or read the record again with --show-secrets.'),
  ]);
}

/** Rejects a body that would overwrite a secret, or whose known fields have a wrong type. */
export function checkBody(body: Json, schema: z.ZodMiniType, base?: Json): void {
  checkSecrets(body);
  const mismatches = (json: Json) => schemaMismatches(schema, json).map(describeMismatch);
  const allowed = new Set(base === undefined ? [] : mismatches(base));
  const found = mismatches(body).filter((mismatch) => !allowed.has(mismatch));
  if (found.length > 0) throw usageError(found.join('; '), 'Nothing was sent.');
}

export const describeMismatch = ({ path, problem }: SchemaMismatch) =>
  `${path || 'the body'}: ${problem}`;
