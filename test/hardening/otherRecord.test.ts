import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeService } from '../harness/fakeService.ts';
import { mar, temporaryFolder } from '../harness/mar.ts';
import { runProgram } from '../harness/program.ts';
import { recordService } from '../harness/recordService.ts';
import { isolated } from '../harness/service.ts';

const a1 = '{"_id":"a1","name":"One"}';
const a2 = '{"_id":"a2","name":"Two"}';

/** An editor that changes the name. */
const editor = `${process.execPath} ${path.join(import.meta.dirname, 'changeName.cjs')}`;

/** A service whose reads return the given records in turn, the last one from then on. */
async function confusedService(...records: string[]) {
  const methods: string[] = [];
  const bodies: string[] = [];
  const { env } = await fakeService(({ method, body }) => {
    methods.push(method);
    if (method !== 'GET') {
      bodies.push(body);
      return body;
    }
    const reads = methods.filter((method) => method === 'GET').length;
    return records[Math.min(reads, records.length) - 1];
  });
  const own = { ...env, MAR_STATE_DIR: temporaryFolder(), EDITOR: editor };
  const run = (argv: readonly string[], stdin = '') => mar(argv, { env: own, stdin });
  return { methods, bodies, run };
}

describe('a record that comes back for another id is never written', () => {
  const writes: readonly (readonly [string, readonly string[], string])[] = [
    ['asset put --set', ['asset', 'put', 'a1', '--set', 'name=Mine'], ''],
    ['asset put --set --force', ['asset', 'put', 'a1', '--set', 'name=Mine', '--force'], ''],
    ['asset put --set --dry-run', ['asset', 'put', 'a1', '--set', 'name=Mine', '--dry-run'], ''],
    ['asset put -f', ['asset', 'put', '-f', '-'], '{"_id":"a1","name":"Mine"}'],
    ['asset put --base', ['asset', 'put', 'a1', '--base', '-', '--set', 'name=Mine'], a1],
    ['asset edit', ['asset', 'edit', 'a1'], ''],
    ['wr create --like', ['wr', 'create', '--like', 'a1', '--set', 'language=fra'], ''],
    ['event put --work-request', ['event', 'put', '--type', 'wam', '--work-request', 'a1'], ''],
  ];

  it.each(writes)('%s', async (_name, argv, stdin) => {
    const service = await confusedService(a2);
    const run = await service.run(argv, stdin);
    expect(service.bodies).toEqual([]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^error: .*a1.*"a2"/m);
    expect(run.stderr).not.toContain('warning');
  });

  it.each([
    ['asset put --set', ['asset', 'put', 'a1', '--set', 'name=Mine']],
    ['asset edit', ['asset', 'edit', 'a1']],
  ])('%s, when only the second read is of another record', async (_name, argv) => {
    const service = await confusedService(a1, a2);
    const run = await service.run(argv);
    expect(service).toMatchObject({ methods: ['GET', 'GET'], bodies: [] });
    expect(run.code, run.stderr).toBe(1);
    expect(run.stderr).toContain('"a2"');
  });

  it('nor is one that has no id at all', async () => {
    const service = await confusedService('{"name":"Nobody"}');
    const run = await service.run(['asset', 'put', 'a1', '--set', 'name=Mine']);
    expect(service.bodies).toEqual([]);
    expect(run.code, run.stderr).toBe(1);
    expect(run.stderr).toContain('a1');
  });
});

describe('a record that comes back for another id', () => {
  const get = ['asset', 'get', 'a1', '--json'];

  it('is printed with a warning that names both ids, and refused with --strict', async () => {
    const service = await confusedService(a2);
    const run = await service.run(get);
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stderr).warning.message).toMatch(/a1.*"a2"$/);
    expect(JSON.parse(run.stdout)).toEqual(JSON.parse(a2));
    expect(await service.run([...get, '--strict'])).toMatchObject({ code: 1, stdout: '' });
  });

  it.each([
    ['wr get of several', ['wr', 'get', 'a1', 'a1']],
    ['wr wait', ['wr', 'wait', 'a1', '--status', 'done']],
    ['wr history', ['wr', 'history', 'a1']],
    ['notification show', ['notification', 'show', 'a1']],
  ])('%s warns as well', async (_name, argv) => {
    const service = await confusedService('{"_id":"a2","status":"done","history":[]}');
    expect((await service.run(argv)).stderr).toMatch(/^warning: .*a1.*"a2"/m);
  });

  it('is neither offered on Tab nor remembered by the guard', async () => {
    const service = await recordService({
      '/assets/a1': ['{"_id":"a2","name":"Stale"}', '{"_id":"a1","name":"New"}'],
      '/assets/a2': '{"_id":"a2","name":"New"}',
      '/assets': '{"_id":"a2","name":"Mine"}',
    });
    const env = isolated(service.env);
    await runProgram(get, env);
    for (const given of ['', 'a']) {
      const { stdout } = await runProgram(['complete-words', 'fish', 'asset', 'get', given], env);
      expect(stdout).not.toMatch(/^a[12]/m);
    }
    // Had the stale record been remembered as seen, this would be a change by somebody else.
    const run = await runProgram(['asset', 'put', 'a2', '--set', 'name=Mine'], env);
    expect(run.code, run.stderr).toBe(0);
  });
});
