import { readNumber } from '../http/parseRequest.ts';
import { badRequest, notFound } from '../http/responses.ts';
import { describeRequest } from './describeRequest.ts';
import type { RequestLog } from './requestLog.ts';

const maxLimit = 1000;
/** The response ends with the request that reaches this size. */
const maxListLength = 8 * 1024 * 1024;

/** Requests of the log, oldest first. `next` is the cursor for the following ones. */
export function listRequests(log: RequestLog, query: URLSearchParams, origin: string) {
  const unknown = [...query.keys()].find((name) => name !== 'since' && name !== 'limit');
  if (unknown !== undefined) {
    throw badRequest(`unknown parameter ${unknown}; known: since, limit`, unknown);
  }
  const since = readNumber(query, 'since');
  const limit = readNumber(query, 'limit', { byDefault: 100, max: maxLimit });
  const { entries, dropped } = log.since(since);
  const requests: ReturnType<typeof describeRequest>[] = [];
  let next = Math.min(since, log.lastId);
  let length = 0;
  for (const entry of entries) {
    if (requests.length >= limit || length > maxListLength) break;
    next = entry.id;
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
