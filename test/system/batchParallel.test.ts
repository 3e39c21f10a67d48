import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { numbered } from '../batch/harness.ts';
import { temporaryFolder } from '../harness/mar.ts';
import { program, runProgram } from '../harness/program.ts';
import { randomNumbers } from '../harness/random.ts';
import { isolated } from '../harness/service.ts';
import { commitService } from './commitService.ts';

const shards = 8;
const rows = 200;
const kills = 12;

/** The process that runs a shard; its lock names it. */
function workerOf(file: string, shard: number): number | undefined {
  try {
    const lock = `${file}.${shard}-of-${shards}.mar-journal.lock`;
    return JSON.parse(readFileSync(lock, 'utf8')).pid;
  } catch {
    return undefined;
  }
}

test('under GNU parallel, with workers killed at random, each row is done once or reported as unknown', {
  timeout: 300_000,
}, async () => {
  const numbers = randomNumbers(7);
  const service = await commitService(() => numbers(2 ** 32) / 2 ** 32);
  const env = isolated(service.env);
  const file = path.join(temporaryFolder(), 'rows.jsonl');
  writeFileSync(file, numbered(rows));
  const batch = ['wr', 'create', '--batch', file];
  const argv = [...program, ...batch, '--shard', `auto/${shards}`];
  const runAll = () => {
    const indexes = Array.from({ length: shards }, (_, index) => String(index + 1));
    const child = spawn('parallel', ['-j', String(shards), '-N0', ...argv, ':::', ...indexes], {
      env,
      stdio: 'ignore',
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    return once(child, 'exit');
  };

  /** A killed worker leaves its lock, and its number may be given to another process. */
  const killed = new Set<number>();
  for (let round = 0; round < 10 && killed.size < kills; round += 1) {
    const ended = runAll().then(() => 'ended');
    while (killed.size < kills) {
      const first = await Promise.race([ended, service.more(1 + numbers(6))]);
      if (first === 'ended') break;
      const worker = workerOf(file, 1 + numbers(shards));
      if (worker === undefined || killed.has(worker)) continue;
      killed.add(worker);
      process.kill(worker, 'SIGKILL');
    }
    await ended;
  }
  expect(killed.size).toBe(kills);
  service.behave();
  await runAll();
  const { code, stdout, stderr } = await runProgram(['batch', 'status', file, '--json'], env);
  expect(code, stderr).toBe(0);
  const status = JSON.parse(stdout);
  expect(status).toMatchObject({ rows, pending: 0, failed: 0, invalid: 0, sending: 0 });
  expect(status.done + status.unknown).toBe(rows);
  expect([...service.commits.values()].filter((count) => count > 1)).toEqual([]);
  const unknown = new Set(status.unknownRows);
  const missing = Array.from({ length: rows }, (_, at) => at + 1).filter(
    (row) => !service.commits.has(row),
  );
  expect(missing.filter((row) => !unknown.has(row))).toEqual([]);
});
