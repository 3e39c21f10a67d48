import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFile } from '../harness/mar.ts';
import { program, runProgram } from '../harness/program.ts';
import { randomNumbers } from '../harness/random.ts';
import { isolated } from '../harness/service.ts';
import { numbered } from '../modules/batch/harness.ts';
import { commitService } from './commitService.ts';

const shards = 8;
const rows = 200;

test('under GNU parallel each worker sends its own shard, and each row is sent once', {
  timeout: 300_000,
}, async () => {
  const numbers = randomNumbers(7);
  const service = await commitService(() => numbers(2 ** 32) / 2 ** 32);
  service.behave();
  const env = isolated(service.env);
  const file = temporaryFile(numbered(rows), 'rows.jsonl');
  const argv = [...program, 'wr', 'create', '--batch', file, '--shard', `{}/${shards}`];
  const indexes = Array.from({ length: shards }, (_, index) => String(index + 1));
  const words = ['-j', String(shards), ...argv, ':::', ...indexes];
  const child = spawn('parallel', words, { env, stdio: 'ignore' });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  expect(await once(child, 'exit')).toEqual([0, null]);
  const { stdout } = await runProgram(['batch', 'status', file, '--json'], env);
  expect(JSON.parse(stdout)).toMatchObject({ rows, done: rows, unknown: 0 });
  expect([...service.commits.values()]).toEqual(Array(rows).fill(1));
});
