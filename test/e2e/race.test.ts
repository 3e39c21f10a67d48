import { expect, it } from 'vitest';
import { runProgram } from '../harness/program.ts';
import { isolated, startService } from '../harness/service.ts';

const writers = Array.from({ length: 6 }, (_, index) => `w${index}`);

it('many writers, each of a field of its own, lose nothing: the sandbox has tags', async () => {
  const { baseUrl, account } = await startService();
  const env = isolated({ ...account, MAR_BASE_URL: baseUrl });
  const runs = await Promise.all(
    writers.map(async (name) => {
      const argv = ['asset', 'put', 'a-1001', '--set', `race.${name}=true`, '--json'];
      return { name, run: await runProgram(argv, env) };
    }),
  );
  const written = runs.filter(({ run }) => run.code === 0).map(({ name }) => name);
  for (const { run } of runs) expect([0, 6], run.stderr).toContain(run.code);
  expect(written.length).toBeGreaterThan(0);
  const { stdout } = await runProgram(['asset', 'get', 'a-1001', '--json'], env);
  expect(Object.keys(JSON.parse(stdout).race ?? {}).sort()).toEqual(written.sort());
});
