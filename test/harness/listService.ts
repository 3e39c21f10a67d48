import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { fakeService, rangeOf } from './fakeService.ts';

interface ListServiceOptions {
  /** The number of records. */
  size: number;
  /** The maximum number of records in a page. */
  cap?: number;
  headers?: (from: number) => Record<string, string>;
  /** Called before the page from `from` on is sent. It may wait, fail, or respond itself. */
  onPage?: (from: number, response: ServerResponse) => Promise<void> | void;
  record?: (index: number) => unknown;
}

/** A service with one list, which it serves by X-Range to concurrent requests. */
export async function listService(options: ListServiceOptions) {
  const { size, cap = size, headers = noHeaders, onPage, record = fileAt } = options;
  const events = new EventEmitter();
  const open = new Set<ServerResponse>();
  /** The requested ranges, in order of arrival, and the number of connections that were opened. */
  const service = { ranges: [] as string[], connections: 0 };
  const { server, env } = await fakeService(async (request, response) => {
    const { range, from, to } = rangeOf(request);
    service.ranges.push(range);
    open.add(response);
    response.on('close', () => {
      open.delete(response);
      events.emit('change');
    });
    events.emit('change');
    await onPage?.(from, response);
    const end = Math.min(to + 1, size, from + cap);
    const indexes = Array.from({ length: Math.max(end - from, 0) }, (_, index) => from + index);
    return { headers: headers(from), body: JSON.stringify(indexes.map(record)) };
  });
  server.on('connection', () => {
    service.connections += 1;
  });
  const until = async (isDone: () => boolean) => {
    while (!isDone()) await once(events, 'change');
  };
  return Object.assign(service, {
    env,
    /** Waits for a request for this range. */
    requested: (range: string) => until(() => service.ranges.includes(range)),
    /** Waits until no request is in progress. */
    released: () => until(() => open.size === 0),
  });
}

const noHeaders = (): Record<string, string> => ({});
const fileAt = (index: number) => ({ _id: `f-${index}`, name: `n${index}` });

/** Headers that give the size of the list. */
export const contentRange = (total: number) => (from: number) => ({
  'Content-Range': `resources ${from}-${from}/${total}`,
});
