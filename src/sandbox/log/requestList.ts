import { matchesPattern } from '../faults/parseFault.ts';
import { readNumber, withoutBasePath } from '../http/parseRequest.ts';
import { badRequest, notFound } from '../http/responses.ts';
import { describeRequest } from './describeRequest.ts';
import type { LoggedRequest, RequestLog } from './requestLog.ts';

const maxLimit = 1000;
/** The response ends with the request that reaches this size. */
const maxListLength = 8 * 1024 * 1024;

/** Requests of the log, oldest first. `next` is the cursor for the following ones. */
export function listRequests(log: RequestLog, query: URLSearchParams, origin: string) {
  const tests = readTests(query);
  const since = readNumber(query, 'since');
  const limit = readNumber(query, 'limit', { byDefault: 100, max: maxLimit });
  const { entries, dropped } = log.since(since);
  const requests: ReturnType<typeof describeRequest>[] = [];
  let next = Math.min(since, log.lastId);
  let length = 0;
  for (const entry of entries) {
    if (requests.length >= limit || length > maxListLength) break;
    next = entry.id;
    if (!tests.every((test) => test(entry))) continue;
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

type Test = (entry: LoggedRequest) => boolean;

/** Each filter makes a test from its value. */
const filters: Readonly<Record<string, (value: string) => Test>> = {
  method: (value) => (entry) => entry.method === value.toUpperCase(),
  path: (value) => {
    const isMatch = matchesPattern(value);
    return ({ target }) => isMatch(withoutBasePath(target.split('?', 1)[0] ?? ''));
  },
  status: (value) => {
    if (value === 'none') return ({ response }) => response === undefined;
    if (!/^[1-5](?:\d\d|xx)$/.test(value)) {
      const message = `status must be a status such as 503, 5xx for all of a kind, or none; not ${value}`;
      throw badRequest(message, 'status');
    }
    const start = value.replace('xx', '');
    return ({ response }) => String(response?.status).startsWith(start);
  },
};

/** An unknown parameter is an error: a test with a misspelled filter would pass for no reason. */
function readTests(query: URLSearchParams): Test[] {
  const known = [...Object.keys(filters), 'since', 'limit'];
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw badRequest(`unknown parameter ${unknown}; known: ${known.join(', ')}`, unknown);
  }
  return [...query].flatMap(([name, value]) => filters[name]?.(value) ?? []);
}
