import type { Faults } from '../faults/faults.ts';
import { readNumber } from '../http/parseRequest.ts';
import { notFound } from '../http/responses.ts';
import { describeRequest, summaryOf } from './describeRequest.ts';
import type { RequestLog } from './requestLog.ts';

/** All requests of the log, oldest first. */
export const listRequests = (log: RequestLog) => ({
  requests: log.since(0).map(describeRequest),
});

export function readRequest(log: RequestLog, id: string) {
  const entry = log.get(Number(id));
  if (!entry) throw notFound(`request ${id} is not in the log: it was dropped, or never there`);
  return describeRequest(entry);
}

/** The page shows no more of them. */
const maxNews = 500;

/** The requests since the page asked the last time. Another `epoch` means a reset or a restart. */
export function newsOf(log: RequestLog, faults: Faults, query: URLSearchParams) {
  const { epoch, lastId } = log;
  const news = log.since(readNumber(query, 'since')).slice(-maxNews);
  return { epoch, next: lastId, requests: news.map(summaryOf), ...faults.state() };
}
