import { endpoints } from '../../../core/api/endpoints.ts';
import { MarError, nameFacts, usageError } from '../../../core/errors.ts';
import { parseDuration } from '../../../core/values/duration.ts';
import { withoutBasePath } from '../http/parseRequest.ts';

/** `status` happens instead of the request, `reset` instead of its response. */
export type Effect =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'limit'; readonly count: number; readonly periodMs: number };

const grammar =
  'A fault is a path (or * for all), a kind, and optionally a share of the requests, for example: /workrequests 503 5%. ' +
  'Kinds: a status such as 503, a delay such as 500ms, reset, or a rate limit such as 20/s.';

/** Reads `/workrequests 503 5%`. `name` is the flag or the field, for the error. */
export function parseFault(source: string, name: string) {
  const words = source.trim().split(/\s+/);
  const [path = '', kind = '', share = '100%', unexpected] = words;
  try {
    checkPath(path);
    if (unexpected !== undefined) throw usageError(`unexpected "${unexpected}"`);
    return {
      text: words.join(' '),
      matches: matchesPattern(path),
      effect: readEffect(kind),
      percent: readPercent(share),
    };
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    const message = `${name} "${source}": ${error.message}`;
    throw usageError(message, grammar, { ...nameFacts(name), value: source });
  }
}

/** A fault for a path that the API does not have would never apply. */
function checkPath(path: string): void {
  if (!/^[/*]/.test(path)) throw usageError(`the path "${path}" must start with / or *`);
  const pattern = plainPath(path);
  // An id that matches the pattern, if any does.
  const id = pattern.split('/').at(-1)?.replaceAll('*', '') || 'x';
  const isMatch = matchesPattern(pattern);
  const paths = Object.values(endpoints).map((one) => one.path);
  if (paths.some((known) => isMatch(known.replace('{id}', id)))) return;
  const known = [...new Set(paths.map(plainPath))];
  throw usageError(`the API has no ${path}; it has ${known.join(', ')}`);
}

/** Without the base path, and with `*` for the `{id}` of the API's documentation. */
const plainPath = (path: string): string => withoutBasePath(path).replaceAll(/\{id\}|\*+/g, '*');

/** A test for paths below the base path; `*` in the pattern stands for anything. */
function matchesPattern(pattern: string): (path: string) => boolean {
  const escaped = plainPath(pattern).replace(/[\\^$+?.()|[\]{}]/g, '\\$&');
  const expression = new RegExp(`^${escaped.replaceAll('*', '.*')}$`, 's');
  return (path) => expression.test(path);
}

const periods = { s: 1000, m: 60_000, h: 3_600_000 } as const;

function readEffect(kind: string): Effect {
  if (kind === '') throw usageError('the kind of the fault is missing');
  if (kind === 'reset') return { kind };
  if (/^\d+$/.test(kind)) {
    const status = Number(kind);
    if (status >= 400 && status <= 599) return { kind: 'status', status };
    throw usageError(`${kind} is not a status from 400 to 599`);
  }
  const [, count, period = ''] = /^([1-9]\d{0,6})\/([smh])$/.exec(kind) ?? [];
  if (count !== undefined) {
    const periodMs = periods[period as keyof typeof periods];
    return { kind: 'limit', count: Number(count), periodMs };
  }
  if (/^[\d.]+[a-z]+$/.test(kind)) return { kind: 'delay', ms: parseDuration(kind, 'the delay') };
  throw usageError(`"${kind}" is not a kind of fault`);
}

function readPercent(share: string): number {
  const percent = /^\d+(?:\.\d+)?%$/.test(share) ? Number(share.slice(0, -1)) : 0;
  if (percent > 0 && percent <= 100) return percent;
  throw usageError(`"${share}" is not a share: use more than 0% and at most 100%`);
}
