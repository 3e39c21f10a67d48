import { describe, expect, it } from 'vitest';
import { assetService } from '../harness/assetService.ts';
import { mar } from '../harness/mar.ts';
import { runProgram } from '../harness/program.ts';
import { isolated, startService } from '../harness/service.ts';

const writers = Array.from({ length: 12 }, (_, index) => `w${index}`);

describe('many writers of one asset', () => {
  it('each of a field of its own, lose nothing that was written: the sandbox has tags', async () => {
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
  }, 60_000);

  it('lose nothing outside the last read and the write, where there are no tags', async () => {
    const service = await assetService('{"_id":"a-1","name":"One"}');
    // Somebody else writes before each read, so between any two of them; never behind the last.
    let others = 0;
    service.before = (method) => {
      if (method !== 'GET') return;
      others += 1;
      service.text = JSON.stringify({ ...JSON.parse(service.text), [`o${others}`]: true });
    };
    for (const name of writers) {
      const run = await mar(['asset', 'put', 'a-1', '--set', `${name}=true`], service);
      expect(run.code, run.stderr).toBe(0);
    }
    const fields = Object.keys(JSON.parse(service.text));
    expect(fields).toEqual(expect.arrayContaining(writers));
    for (let other = 1; other <= others; other += 1) expect(fields).toContain(`o${other}`);
  });
});
