import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type FakeResponse, fakeService } from '../harness/fakeService.ts';
import { mar, temporaryFolder } from '../harness/mar.ts';
import { randomNumbers } from '../harness/random.ts';

const runs = 40;
const rows = 12;
const concurrency = 4;

type Random = (below: number) => number;

/** A request that waits for its response. */
interface Held {
  id: string;
  method: string;
  isRefused: boolean;
  respond: (response: FakeResponse) => void;
}

/**
 * A service without ETags that holds every request until as many are in progress as may be. Then no
 * row is between its read and its write, so others change assets at random, and one request gets its
 * response: a 429, once in a run.
 */
async function contestedService(random: Random) {
  const ids = Array.from({ length: rows }, (_, row) => `a-${row + 1}`);
  const assets = new Map(ids.map((id): [string, object] => [id, { _id: id, name: 'Old' }]));
  const expected = new Map(ids.map((id): [string, Record<string, number>] => [id, {}]));
  const held: Held[] = [];
  const pending = new Set<string>();
  /** Being read when the 429 was sent: mar may go on with these, or read them again after the pause. */
  const uncertain = new Set<string>();
  let limit = concurrency;
  let hasRefused = false;
  let changes = 0;

  const changeSome = () => {
    for (let left = 1 + random(6); left > 0; left -= 1) {
      const id = ids[random(rows)] as string;
      if (uncertain.has(id)) continue;
      changes += 1;
      const theirs = { [`theirs${changes}`]: changes };
      assets.set(id, { ...assets.get(id), ...theirs });
      expected.set(id, { ...expected.get(id), ...theirs });
    }
  };
  const step = () => {
    if (held.length === 0 || held.length < Math.min(limit, pending.size)) return;
    changeSome();
    const [next] = held.splice(random(held.length), 1) as [Held];
    if (next.isRefused) {
      limit = concurrency / 2;
      for (const { id, method } of held) if (method === 'GET') uncertain.add(id);
    } else if (next.method === 'PUT') pending.delete(next.id);
    next.respond({
      status: next.isRefused ? 429 : 200,
      headers: { 'Retry-After': '1' },
      body: JSON.stringify(assets.get(next.id)),
    });
    step();
  };
  const { env } = await fakeService(({ method, path, body: text }) => {
    const body = method === 'PUT' ? JSON.parse(text) : undefined;
    const id = body?._id ?? path.split('/').at(-1);
    uncertain.delete(id);
    const isRefused = !hasRefused && random(6) === 0;
    hasRefused ||= isRefused;
    if (body && !isRefused) assets.set(id, body);
    return new Promise((respond) => {
      held.push({ id, method, isRefused, respond });
      step();
    });
  });
  return {
    env: { ...env, MAR_STATE_DIR: temporaryFolder() },
    /** Expects a batch that writes each asset. */
    start() {
      for (const id of ids) pending.add(id);
      limit = concurrency;
      hasRefused = false;
    },
    assets: () => ids.map((id) => assets.get(id)),
    /** The assets with this name and all changes of others. */
    expected: (name: string) => ids.map((_id) => ({ _id, name, ...expected.get(_id) })),
  };
}

async function changeAndUndo(seed: number): Promise<void> {
  const service = await contestedService(randomNumbers(seed));
  const { env } = service;
  const file = path.join(temporaryFolder(), 'assets.csv');
  const lines = Array.from({ length: rows }, (_, row) => `a-${row + 1},New\n`);
  writeFileSync(file, `_id,name\n${lines.join('')}`);
  const stdout = `${rows} rows: ${rows} done\n`;
  const steps: [string[], string][] = [
    [['asset', 'put', '--batch', file], 'New'],
    [['batch', 'undo', file], 'Old'],
  ];
  for (const [argv, name] of steps) {
    service.start();
    const outcome = await mar([...argv, '--retries', '0', '--timeout', '5m'], { env });
    expect(outcome, `seed ${seed}: ${outcome.stderr}`).toMatchObject({ code: 0, stdout });
    expect(service.assets(), `seed ${seed}`).toEqual(service.expected(name));
  }
}

test(`in ${runs} runs with slow writes and pauses, no change of others is lost, nor by an undo`, {
  timeout: 600_000,
}, async () => {
  const seeds = Array.from({ length: runs }, (_, run) => run + 1);
  const ended = await Promise.allSettled(seeds.map(changeAndUndo));
  expect(ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))).toEqual([]);
});
