import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listening } from '../harness/listening.ts';

export interface CommitService {
  env: Record<string, string>;
  /** How often each row was carried out. */
  commits: Map<number, number>;
  /** The body sent for each row. */
  bodies: Map<number, Record<string, unknown>>;
  /** Waits for so many more requests. */
  more(count: number): Promise<void>;
  /** From now on it answers everything, at once. */
  behave(): void;
}

/**
 * A service as it is on a bad day: it carries out a row at once or late, and then answers, hangs up
 * or says 503. It remembers what it did.
 */
export async function commitService(random: () => number): Promise<CommitService> {
  const commits = new Map<number, number>();
  const bodies = new Map<number, Record<string, unknown>>();
  const arrived = new EventEmitter().setMaxListeners(0);
  let isGood = false;
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request));
    const row = Number(body.instructions);
    bodies.set(row, body);
    arrived.emit('request');
    const mood = isGood ? 1 : random();
    if (mood < 0.3) await pause(random() * 20);
    commits.set(row, (commits.get(row) ?? 0) + 1);
    if (mood < 0.3) await pause(random() * 10);
    if (mood > 0.3 && mood < 0.34) return void request.socket.destroy();
    response.statusCode = mood > 0.34 && mood < 0.38 ? 503 : 200;
    response.setHeader('Content-Type', 'application/json');
    response.end(`{"_id":"wr-${row}"}`);
  });
  const { env } = await listening(server);
  return {
    env,
    commits,
    bodies,
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
