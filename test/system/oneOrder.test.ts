import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { runProgram } from '../harness/program.ts';
import { isolated } from '../harness/service.ts';
import { writeService } from '../harness/writeService.ts';

test('a hundred processes that place one order place it once', { timeout: 300_000 }, async () => {
  const service = await writeService();
  const env = isolated({ ...service.env, MAR_LOG: path.join(temporaryFolder(), 'log.jsonl') });
  const order = ['wr', 'create', '--asset', 'a-1', '--language', 'fra', '--use', 'online'];
  // The machine has fewer processors than processes.
  const argv = [...order, '--skip-checks', '--no-input', '--timeout', '4m'];
  const runs = await Promise.all(Array.from({ length: 100 }, () => runProgram(argv, env)));
  const codes = runs.map(({ code }) => code);
  expect(codes.filter((code) => code === 0)).toEqual([0]);
  // A process that had to wait too long for its turn sent nothing either.
  expect(codes.every((code) => [0, 2, 11].includes(code))).toBe(true);
  expect(service.received).toHaveLength(1);
});
