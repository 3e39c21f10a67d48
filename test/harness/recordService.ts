import { createServer, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

export interface RecordService {
  env: Record<string, string>;
  /** The paths that were asked for, below the base URL. */
  paths: string[];
}

/** A record's body, the status that it fails with, or a connection that is hung up. */
export type Stored = string | number | 'hang up';

/**
 * A service that answers by path. It waits until `together` requests are there and answers the last
 * of them first, so that who prints in the order of the answers is found out. Of several answers for
 * a path, each is given once, and the last of them for all that follow.
 */
export async function recordService(
  records: Record<string, Stored | readonly Stored[]>,
  together = 1,
): Promise<RecordService> {
  const paths: string[] = [];
  let waiting: (() => void)[] = [];
  const reply = (response: ServerResponse, stored: Stored = 404) => {
    if (stored === 'hang up') return response.destroy();
    if (typeof stored === 'string') return response.end(stored);
    response.statusCode = stored;
    return response.end(`{"message":"status ${stored}"}`);
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace('/api', '');
    paths.push(path);
    const stored = [records[path] ?? 404].flat();
    const asked = paths.filter((one) => one === path).length;
    waiting.push(() => reply(response, stored[Math.min(asked, stored.length) - 1]));
    if (waiting.length < together) return;
    const ready = waiting.reverse();
    waiting = [];
    for (const answer of ready) answer();
  });
  const { env } = await listening(server);
  return { paths, env };
}
