import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type FakeRequest, fakeService } from '../harness/fakeService.ts';

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
  const respond = async ({ method, path, body: text }: FakeRequest) => {
    const body = text === '' ? {} : JSON.parse(text);
    const asset = String(body._id ?? path.split('/').at(-1));
    const row = Number(body.instructions ?? asset.slice(2));
    arrived.emit('request');
    const mood = isGood ? 1 : random();
    if (method === 'GET') return mood < 0.02 ? 503 : assets.get(row);
    bodies.set(row, body);
    if (mood < 0.3) await pause(random() * 20);
    commits.set(row, (commits.get(row) ?? 0) + 1);
    if (method === 'PUT') assets.set(row, text);
    if (mood < 0.3) await pause(random() * 10);
    if (mood > 0.3 && mood < 0.34) return undefined;
    if (mood > 0.34 && mood < 0.38) return 503;
    return method === 'PUT' ? text : `{"_id":"wr-${row}"}`;
  };
  const { env } = await fakeService(async (request) => {
    inProgress += 1;
    try {
      return await respond(request);
    } finally {
      inProgress -= 1;
      arrived.emit('end');
    }
  });
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
