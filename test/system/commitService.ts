import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listening } from '../harness/listening.ts';

export interface CommitService {
  env: Record<string, string>;
  /** How often each row was carried out. */
  commits: Map<number, number>;
  /** Waits for so many more requests. */
  more(count: number): Promise<void>;
  /** From now on it answers everything, at once. */
  behave(): void;
}

/**
 * A service as it is on a bad day: it carries out a row at once or late, and then answers, hangs up
 * or says 503. It remembers what it did. `next` gives it its moods.
 */
export async function commitService(next: (below: number) => number): Promise<CommitService> {
  const commits = new Map<number, number>();
  const arrived = new EventEmitter().setMaxListeners(0);
  let isGood = false;
  const server = createServer(async (request, response) => {
    const row = Number(JSON.parse(await textOf(request)).instructions);
    arrived.emit('request');
    const mood = isGood ? 1 : next(100) / 100;
    if (mood < 0.3) await pause(next(20));
    commits.set(row, (commits.get(row) ?? 0) + 1);
    if (mood < 0.3) await pause(next(10));
    if (mood >= 0.3 && mood < 0.34) return void request.socket.destroy();
    response.statusCode = mood >= 0.34 && mood < 0.38 ? 503 : 200;
    response.setHeader('Content-Type', 'application/json');
    response.end(`{"_id":"wr-${row}"}`);
  });
  const { env } = await listening(server);
  return {
    env,
    commits,
    async more(count) {
      for (let left = count; left > 0; left -= 1) await once(arrived, 'request');
    },
    behave() {
      isGood = true;
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
