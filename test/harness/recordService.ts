import { createServer, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

export interface RecordService {
  env: Record<string, string>;
  /** The requested paths, below the base URL. */
  paths: string[];
}

/** The body of a response, an error status, or a connection closed without a response. */
export type StoredRecord = string | number | 'hang up';

/**
 * A service with responses by path. It collects `together` requests and responds to the last one
 * first, to catch code that prints in the order of the responses. If a path has several responses,
 * each is sent once and the last one repeats.
 */
export async function recordService(
  records: Record<string, StoredRecord | readonly StoredRecord[]>,
  together = 1,
): Promise<RecordService> {
  const paths: string[] = [];
  let waiting: (() => void)[] = [];
  const reply = (response: ServerResponse, stored: StoredRecord = 404) => {
    if (stored === 'hang up') return response.destroy();
    if (typeof stored === 'string') return response.end(stored);
    response.statusCode = stored;
    return response.end(`{"message":"status ${stored}"}`);
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace('/api', '');
    paths.push(path);
    const stored = [records[path] ?? 404].flat();
    const count = paths.filter((one) => one === path).length;
    waiting.push(() => reply(response, stored[Math.min(count, stored.length) - 1]));
    if (waiting.length < together) return;
    const ready = waiting.reverse();
    waiting = [];
    for (const respond of ready) respond();
  });
  const { env } = await listening(server);
  return { paths, env };
}
