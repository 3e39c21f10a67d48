import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listening } from '../harness/listening.ts';

export interface CommitService {
  env: Record<string, string>;
  /** How often each row was carried out. */
  commits: Map<number, number>;
  /** The body sent for each row. */
  bodies: Map<number, Record<string, unknown>>;
  /** The asset of each row, as JSON. */
  assets: Map<number, string>;
  /** Forgets what was carried out; assets stay as they are. */
  forget(): void;
  /** Another user changes the note of some assets, while no request is in progress. */
  changeByOthers(): Promise<void>;
  /** The notes that others wrote last, by row. */
  notes: Map<number, string>;
  /** Waits for so many more requests. */
  more(count: number): Promise<void>;
  /** From now on it answers everything, at once. Without `isGood`, it is a bad day again. */
  behave(isGood?: boolean): void;
}

/**
 * A service as it is on a bad day: it carries out a row at once or late, and then answers, hangs up
 * or says 503. It remembers what it did.
 */
export async function commitService(random: () => number): Promise<CommitService> {
  const commits = new Map<number, number>();
  const bodies = new Map<number, Record<string, unknown>>();
  const assets = new Map<number, string>();
  const arrived = new EventEmitter().setMaxListeners(0);
  const notes = new Map<number, string>();
  let isGood = false;
  let inProgress = 0;
  const server = createServer(async (request, response) => {
    inProgress += 1;
    try {
      await respond(request, response);
    } finally {
      inProgress -= 1;
      arrived.emit('end');
    }
  });
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await textOf(request);
    const body = text === '' ? {} : JSON.parse(text);
    const asset = String(body._id ?? request.url?.split('/').at(-1));
    const row = Number(body.instructions ?? asset.slice(2));
    arrived.emit('request');
    const mood = isGood ? 1 : random();
    if (request.method === 'GET') {
      response.statusCode = mood < 0.02 ? 503 : 200;
      return void response.end(assets.get(row));
    }
    bodies.set(row, body);
    if (mood < 0.3) await pause(random() * 20);
    commits.set(row, (commits.get(row) ?? 0) + 1);
    if (request.method === 'PUT') assets.set(row, text);
    if (mood < 0.3) await pause(random() * 10);
    if (mood > 0.3 && mood < 0.34) return void request.socket.destroy();
    response.statusCode = mood > 0.34 && mood < 0.38 ? 503 : 200;
    response.setHeader('Content-Type', 'application/json');
    return void response.end(request.method === 'PUT' ? text : `{"_id":"wr-${row}"}`);
  };
  const { env } = await listening(server);
  return {
    env,
    commits,
    bodies,
    assets,
    forget: () => commits.clear(),
    notes,
    async changeByOthers() {
      // A request that was sent before a kill may be carried out after it.
      while (inProgress > 0) await once(arrived, 'end');
      for (const row of [...assets.keys()].filter(() => random() < 0.05)) {
        const note = `by others, ${random()}`;
        const text = (assets.get(row) as string).replace(/,"note":"[^"]*"/, '');
        assets.set(row, text.replace(/}$/, `,"note":"${note}"}`));
        notes.set(row, note);
      }
    },
    async more(count) {
      for (let left = count; left > 0; left -= 1) await once(arrived, 'request');
    },
    behave(good = true) {
      isGood = good;
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
