import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { runProgram, startProgram } from '../harness/program.ts';
import { randomNumbers } from '../harness/random.ts';
import { isolated } from '../harness/service.ts';
import { type CommitService, commitService } from './commitService.ts';

/** Each lane has its seed; the rest of its course depends on how fast the machine is. */
const seeds = [1, 2];
const killsInALane = 105;
const rows = 150;

interface Status {
  rows: number;
  done: number;
  left: number;
  unknown: number;
  unknownRows: number[];
}

/** One batch after the other, each killed over and over until all its rows are sent. */
async function lane(seed: number): Promise<{ kills: number; unknown: number }> {
  const next = randomNumbers(seed);
  let kills = 0;
  let unknown = 0;
  while (kills < killsInALane) {
    const service = await commitService(next);
    const env = isolated(service.env);
    const file = path.join(temporaryFolder(), 'rows.jsonl');
    const lines = Array.from({ length: rows }, (_, row) => `{"instructions":"${row + 1}"}\n`);
    writeFileSync(file, lines.join(''));
    const argv = ['wr', 'create', '--batch', file];
    const status = async (): Promise<Status> =>
      JSON.parse((await runProgram([...argv, '--status', '--json'], env)).stdout);

    for (let isOver = false; !isOver && kills < killsInALane; ) {
      const wasKilled = await runAndKill(argv, env, service, next);
      if (wasKilled) kills += 1;
      else isOver = (await status()).left === 0;
    }
    service.behave();
    await runProgram(argv, env);
    const ended = await status();
    checkNothingLost(service, ended);
    unknown += ended.unknown;
    await resolveAll(argv, env, service, ended.unknownRows);
    expect(await status()).toMatchObject({ rows, done: rows, left: 0, unknown: 0 });
    expect(service.commits.size).toBe(rows);
    expect([...service.commits.values()].filter((count) => count > 1)).toEqual([]);
  }
  return { kills, unknown };
}

/** Kills a run somewhere: while it starts, or while rows are on their way, or says it ended. */
async function runAndKill(
  argv: string[],
  env: NodeJS.ProcessEnv,
  service: CommitService,
  next: (below: number) => number,
) {
  const child = startProgram(argv, env);
  const exited = once(child, 'exit');
  const ended = exited.then(() => 'ended');
  const wait = async () => {
    if (next(10) === 0) return pause(next(300));
    await service.more(1 + next(8));
    // Anywhere between the request and what is written about its answer.
    return pause(next(12));
  };
  const first = await Promise.race([ended, wait()]);
  if (first === 'ended') return false;
  child.kill('SIGKILL');
  const [, signal] = await exited;
  return signal === 'SIGKILL';
}

/** Never twice; and what the service has is done or known to be unknown. */
function checkNothingLost({ commits }: CommitService, { done, left, unknownRows }: Status): void {
  expect(left).toBe(0);
  expect(done + unknownRows.length).toBe(rows);
  expect([...commits.values()].filter((count) => count > 1)).toEqual([]);
  const unknown = new Set(unknownRows);
  const missing = Array.from({ length: rows }, (_, row) => row + 1).filter(
    (row) => !commits.has(row) && !unknown.has(row),
  );
  expect(missing).toEqual([]);
}

/** What a person would do: look, and decide. */
async function resolveAll(
  argv: string[],
  env: NodeJS.ProcessEnv,
  { commits }: CommitService,
  unknown: readonly number[],
): Promise<void> {
  if (unknown.length === 0) return;
  const decisions = unknown.flatMap((row) => [
    '--resolve',
    `${row}=${commits.has(row) ? 'created' : 'retry'}`,
  ]);
  const { code, stderr } = await runProgram([...argv, ...decisions], env);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
}

test('killed 200 times, a batch sends nothing twice, loses nothing, and says what is unknown', {
  timeout: 240_000,
}, async () => {
  const ran = await Promise.all(seeds.map(lane));
  const kills = ran.reduce((sum, one) => sum + one.kills, 0);
  expect(kills).toBeGreaterThanOrEqual(200);
  // Without any, it was never killed where it hurts.
  expect(ran.reduce((sum, { unknown }) => sum + unknown, 0)).toBeGreaterThan(0);
});
