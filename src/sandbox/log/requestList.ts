import { matchesPattern } from '../faults/parseFault.ts';
import { basePath } from '../http/parseRequest.ts';
import { badRequest, notFound } from '../http/responses.ts';
import { describeRequest } from './describeRequest.ts';
import type { LoggedRequest, RequestLog } from './requestLog.ts';

const defaultLimit = 100;
const maxLimit = 1000;
/** The response ends with the request that reaches this size. */
const maxListLength = 8 * 1024 * 1024;

/** Requests of the log, oldest first. `next` is the cursor for the following ones. */
export function listRequests(log: RequestLog, query: URLSearchParams, origin: string) {
  const { since, limit, isWanted } = readFilters(query);
  const { entries, dropped } = log.since(since);
  const requests: ReturnType<typeof describeRequest>[] = [];
  let next = Math.min(since, log.lastId);
  let length = 0;
  for (const entry of entries) {
    if (requests.length >= limit || length > maxListLength) break;
    next = entry.id;
    if (!isWanted(entry)) continue;
    const described = describeRequest(entry, origin);
    length += described.request.body.length + (described.response?.body.length ?? 0);
    requests.push(described);
  }
  return { requests, next, more: next < log.lastId, dropped };
}

export function readRequest(log: RequestLog, id: string, origin: string) {
  const entry = log.get(Number(id));
  if (!entry) throw notFound(`request ${id} is not in the log: it was dropped, or never there`);
  return describeRequest(entry, origin);
}

/** Each filter makes a test from its value. Undefined if the value is invalid. */
const filters: Readonly<
  Record<string, (value: string) => ((entry: LoggedRequest) => boolean) | undefined>
> = {
  method: (value) => (entry) => entry.method === value.toUpperCase(),
  path: (value) => {
    const isMatch = matchesPattern(value);
    return ({ target }) => isMatch(target.split('?', 1)[0]?.replace(apiStart, '') ?? '');
  },
  status: (value) => {
    if (value === 'none') return ({ response }) => response === undefined;
    if (!/^[1-5](?:\d\d|xx)$/.test(value)) return undefined;
    const start = value.replace('xx', '');
    return ({ response }) => String(response?.status).startsWith(start);
  },
};

const apiStart = new RegExp(`^${basePath}(?=/)`);

/** An unknown parameter is an error: a test with a misspelled filter would pass for no reason. */
function readFilters(query: URLSearchParams) {
  const tests: ((entry: LoggedRequest) => boolean)[] = [];
  let since = 0;
  let limit = defaultLimit;
  for (const [name, value] of query) {
    if (name === 'since') since = readNumber(name, value, Number.MAX_SAFE_INTEGER);
    else if (name === 'limit') limit = readNumber(name, value, maxLimit);
    else {
      if (!Object.hasOwn(filters, name)) {
        const known = [...Object.keys(filters), 'since', 'limit'].join(', ');
        throw badRequest(`unknown parameter ${name}; known: ${known}`, name);
      }
      const test = filters[name]?.(value);
      if (!test)
        throw badRequest(
          `status must be a status such as 503, 5xx for all of a kind, or none; not ${value}`,
          name,
        );
      tests.push(test);
    }
  }
  const isWanted = (entry: LoggedRequest) => tests.every((test) => test(entry));
  return { since, limit, isWanted };
}

function readNumber(name: string, value: string, max: number): number {
  const number = Number(value);
  if (/^\d{1,16}$/.test(value) && number <= max) return number;
  throw badRequest(`${name} must be a number from 0 to ${max}`, name);
}
