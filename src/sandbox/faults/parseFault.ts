import { type Endpoint, endpoints } from '../../api/endpoints.ts';
import { MarError, nameFacts, usageError } from '../../errors.ts';
import { parseDuration } from '../../values/duration.ts';
import { nearest } from '../../values/nearest.ts';
import { withoutBasePath } from '../http/parseRequest.ts';

/** `status`, `hang` and `reset` happen instead of the request, the others after it was done. */
type Effect =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: 'hang' | 'reset' | 'reset-after' | 'cut' }
  | { readonly kind: 'type'; readonly type: string }
  | { readonly kind: 'drip'; readonly ms: number };

export type Fault = Readonly<ReturnType<typeof parseFault>>;

/** The share of the matching requests that fail, from 0 to 1; or every nth of them. */
type Rate = Record<'share' | 'every', number>;

const grammar =
  'A fault is METHOD PATH KIND and optionally 5% or every=3, for example: POST /workrequests 503 5%. ' +
  'Kinds: a status such as 503, with retry-after=2 if you like; latency=500ms; hang; reset; reset-after; cut; drip=10s; type=text/html.';

/** Reads `POST /workrequests 503 5%`. `name` is the flag or the field, for the error. */
export function parseFault(source: string, name: string) {
  const [method = '', path = '', ...words] = source.trim().split(/\s+/);
  /** The words of the user, with single spaces. */
  const text = [method.toUpperCase(), path, ...words].join(' ');
  try {
    return { text, matches: readRoute(method, path), ...readWords(words) };
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    const message = `${name} "${source}": ${error.message}`;
    throw usageError(message, grammar, { ...nameFacts(name), value: source });
  }
}

function readRoute(method: string, path: string) {
  if (!/^(?:\*|[a-z]+)$/i.test(method)) throw usageError(`"${method}" is not a method or *`);
  if (path === '') throw usageError('the path is missing');
  if (!/^[/*]/.test(path)) throw usageError(`the path "${path}" must start with / or *`);
  const wanted = method.toUpperCase();
  checkEndpoint(wanted, path);
  const isMatch = matchesPattern(path);
  return (given: string, target: string) => (wanted === '*' || wanted === given) && isMatch(target);
}

/** A fault for requests that the API does not have would never apply. */
function checkEndpoint(method: string, path: string): void {
  const pattern = plainPath(path);
  // An id that matches the pattern, if any does.
  const id = pattern.split('/').at(-1)?.replaceAll('*', '') || 'x';
  const known = Object.values<Endpoint>(endpoints).map((one) => ({
    method: method === '*' ? method : one.method,
    path: one.path,
  }));
  const isMatch = matchesPattern(pattern);
  if (known.some((one) => one.method === method && isMatch(one.path.replace('{id}', id)))) return;
  const requests = [...new Set(known.map((one) => `${one.method} ${plainPath(one.path)}`))];
  const meant = nearest(`${method} ${pattern}`, requests);
  const similar = requests.filter((one) => one.includes(` /${pattern.split('/')[1]}`));
  const choice = (similar.length > 0 ? similar : requests).join(', ');
  const instead = meant ? ` (did you mean ${meant}?)` : `; it has ${choice}`;
  throw usageError(`the API has no ${method} ${path}${instead}`);
}

/** Without the base path, and with `*` for the `{id}` of the API's documentation. */
const plainPath = (path: string): string => withoutBasePath(path).replaceAll(/\{id\}|\*+/g, '*');

/**
 * A test for paths below the base path; `*` in the pattern stands for anything. Searches for the parts
 * one after the other, because a regular expression with many `*` could take forever.
 */
export function matchesPattern(pattern: string): (path: string) => boolean {
  const [first = '', ...rest] = plainPath(pattern).split('*');
  const last = rest.pop();
  return (path) => {
    if (last === undefined) return path === first;
    if (!path.startsWith(first)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = path.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return path.length - last.length >= at && path.endsWith(last);
  };
}

function readWords(words: readonly string[]) {
  let effect: Effect | undefined;
  let rate: Rate | undefined;
  let latencyMs = 0;
  let retryAfter: number | undefined;
  for (const word of words) {
    const [key = '', value] = word.split(/=(.*)/s, 2);
    const nextRate = readRate(word, key, value);
    if (key === 'latency') {
      latencyMs = parseDuration(value ?? '', key);
    } else if (key === 'retry-after') {
      if (!/^\d{1,6}$/.test(value ?? '')) throw usageError(`${key} must be a number of seconds`);
      retryAfter = Number(value);
    } else if (nextRate) {
      if (rate) throw usageError(`a fault has only one rate, and "${word}" is a second one`);
      rate = nextRate;
    } else {
      const nextEffect = readEffect(word, key, value);
      if (effect) throw usageError(`a fault has only one kind, and "${word}" is a second one`);
      effect = nextEffect;
    }
  }
  if (!effect && latencyMs === 0) throw usageError('the kind of the fault is missing');
  if (retryAfter !== undefined) {
    if (effect?.kind !== 'status') throw usageError('retry-after needs a status, such as 429');
    effect = { ...effect, retryAfter };
  }
  return { effect, latencyMs, ...(rate ?? { share: 1, every: 1 }) };
}

function readRate(word: string, key: string, value = ''): Rate | undefined {
  if (key === 'every') {
    if (/^[1-9]\d{0,8}$/.test(value)) return { share: 1, every: Number(value) };
    throw usageError('every must be a whole number from 1, such as every=3');
  }
  if (!word.endsWith('%')) return undefined;
  const percent = /^\d+(?:\.\d+)?%$/.test(word) ? Number(word.slice(0, -1)) : 0;
  if (percent > 0 && percent <= 100) return { share: percent / 100, every: 1 };
  throw usageError(`${word} is not a valid percentage: use more than 0% and at most 100%`);
}

function readEffect(word: string, key: string, value?: string): Effect {
  if (/^\d+$/.test(word)) {
    const status = Number(word);
    if (status >= 400 && status <= 599) return { kind: 'status', status };
    throw usageError(`${word} is not a status from 400 to 599`);
  }
  if (word === 'hang' || word === 'reset' || word === 'reset-after' || word === 'cut') {
    return { kind: word };
  }
  if (key === 'drip') return { kind: key, ms: parseDuration(value ?? '10s', key) };
  if (key !== 'type') throw usageError(`"${word}" is not a kind of fault`);
  if (/^[\w.+-]+\/[\w.+-]+$/.test(value ?? '')) return { kind: key, type: value ?? '' };
  throw usageError('type must be a media type, such as text/html');
}

const periods = { s: 1000, m: 60_000, h: 3_600_000 } as const;

export type RateLimit = ReturnType<typeof parseRateLimit>;

/** Reads `20/s`. The text is kept for messages. */
export function parseRateLimit(text: string, name: string) {
  const [, count, period = ''] = /^([1-9]\d{0,6})\/([smh])$/.exec(text.trim()) ?? [];
  if (count === undefined) {
    throw usageError(
      `${name} must be a number of requests per s, m or h, such as 20/s, not "${text}"`,
      { ...nameFacts(name), value: text },
    );
  }
  return {
    text: text.trim(),
    count: Number(count),
    periodMs: periods[period as keyof typeof periods],
  };
}
