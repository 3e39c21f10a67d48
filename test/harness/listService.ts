import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

export interface ListServiceOptions {
  /** How many records there are. */
  size: number;
  /** A page has no more records than this, whatever is asked for. */
  cap?: number;
  /** The headers of a page that begins at `from`. */
  headers?: (from: number) => Record<string, string>;
  /** Called before the page that begins at `from` is sent: it may wait, fail, or answer itself. */
  onPage?: (from: number, response: ServerResponse) => Promise<void> | void;
  /** The record at a place. */
  record?: (index: number) => unknown;
}

export interface ListService {
  env: Record<string, string>;
  /** The ranges that were asked for, as they came in. */
  ranges: string[];
  /** The most connections that there were at once. */
  connections: number;
  /** Waits until this range was asked for. */
  asked(range: string): Promise<void>;
  /** Waits until nobody waits for an answer any more. */
  released(): Promise<void>;
}

/** A service with one list, which it gives out by X-Range, several requests at a time. */
export async function listService(options: ListServiceOptions): Promise<ListService> {
  const { size, cap = size, headers = noHeaders, onPage, record = fileAt } = options;
  const events = new EventEmitter();
  const open = new Set<ServerResponse>();
  const service = { ranges: [] as string[], connections: 0 };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const range = String(request.headers['x-range']).replace('resources=', '');
    const [from = 0, to = 0] = range.split('-').map(Number);
    service.ranges.push(range);
    open.add(response);
    response.on('close', () => {
      open.delete(response);
      events.emit('change');
    });
    events.emit('change');
    await onPage?.(from, response);
    if (response.writableEnded) return;
    const end = Math.min(to + 1, size, from + cap);
    const indexes = Array.from({ length: Math.max(end - from, 0) }, (_, index) => from + index);
    for (const [name, value] of Object.entries(headers(from))) response.setHeader(name, value);
    response.end(JSON.stringify(indexes.map(record)));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.on('connection', () => {
    service.connections += 1;
  });
  const { env } = await listening(server);
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await once(events, 'change');
  };
  return Object.assign(service, {
    env,
    asked: (range: string) => until(() => service.ranges.includes(range)),
    released: () => until(() => open.size === 0),
  });
}

const noHeaders = (): Record<string, string> => ({});
const fileAt = (index: number) => ({ _id: `f-${index}`, name: `n${index}` });

/** What the service says about its size. */
export const contentRange = (total: number) => (from: number) => ({
  'Content-Range': `resources ${from}-${from}/${total}`,
});
