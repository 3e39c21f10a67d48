import { describe, expect, it } from 'vitest';
import { mar } from '../../harness/mar.ts';
import { refused } from '../../harness/marWith.ts';
import { recordService } from '../../harness/recordService.ts';

const get = ['asset', 'get'];
const assets = {
  '/assets/a-1': '{"_id":"a-1","name":"one"}',
  '/assets/a-2': '{"_id":"a-2","name":"two"}',
  '/assets/a-3': '{"_id":"a-3","name":"three"}',
};
const names = ['--columns', '_id,name'];

describe('one id', () => {
  it('is key and value rows in a pipe, whole and in the order of the record', async () => {
    const record =
      '{"_id":"a-1","2":9007199254740993,"1":1.0,"usage":{"online":true},"tags":["x","y"],"none":null,"2D Scope":"tab\\there"}';
    const { env } = await recordService({ '/assets/a-1': record });
    const run = await mar([...get, 'a-1'], { env });
    expect(run.stdout).toBe(
      [
        '_id\ta-1',
        '2\t9007199254740993',
        '1\t1.0',
        'usage.online\ttrue',
        'tags[0]\tx',
        'tags[1]\ty',
        'none\t',
        '["2D Scope"]\ttab\\there',
        '',
      ].join('\n'),
    );
  });
});

describe('several ids', () => {
  it('are printed in the order given, whichever response comes first', async () => {
    const { env } = await recordService(assets, 3);
    const run = await mar([...get, 'a-3', 'a-1', 'a-2', ...names], { env });
    expect(run).toEqual({ code: 0, stdout: 'a-3\tthree\na-1\tone\na-2\ttwo\n', stderr: '' });
  });

  it.each([
    ['--json', `[${assets['/assets/a-1']},${assets['/assets/a-3']}]\n`],
    ['--jsonl', `${assets['/assets/a-1']}\n${assets['/assets/a-3']}\n`],
  ])('with one missing print the others, then exit with 5 (%s)', async (flag, stdout) => {
    const { env } = await recordService({ ...assets, '/assets/a-2': 404 }, 3);
    const run = await mar([...get, 'a-1', 'a-2', 'a-3', flag], { env });
    expect(run).toMatchObject({ code: 5, stdout });
    expect(JSON.parse(run.stderr).error).toMatchObject({ kind: 'not-found', status: 404 });
  });

  it('name each one that is missing', async () => {
    const { env } = await recordService(assets);
    const run = await mar([...get, 'x-1', 'a-1', 'x-2', ...names], { env });
    expect(run).toMatchObject({ code: 5, stdout: 'a-1\tone\n' });
    expect(run.stderr).toContain('asset x-1');
    expect(run.stderr).toContain('asset x-2');
  });

  it('of which one fails worse than missing exit with the code for that', async () => {
    const { env } = await recordService({ ...assets, '/assets/a-2': 500 });
    const run = await mar([...get, 'x-1', 'a-2', 'a-3', ...names], { env });
    expect(run).toMatchObject({ code: 1, stdout: 'a-3\tthree\n' });
  });

  it.each(['', '.', '..', 'a\nb', '\ud800'])(
    'of which one is %j are refused before anything is sent',
    async (bad) => {
      await refused([...get, 'a-1', bad, 'a-2']);
    },
  );

  it('are asked for each time they are given', async () => {
    const { env } = await recordService(assets);
    const run = await mar([...get, 'a-1', 'a-1', ...names], { env });
    expect(run.stdout).toBe('a-1\tone\na-1\tone\n');
  });
});

describe('the id -', () => {
  it('reads ids from standard input, one a line without blank ones, in its place among others', async () => {
    const service = await recordService(assets);
    const stdin = 'a-2\r\n\n  a-1  \n\na-3';
    const run = await mar([...get, '-', ...names], { ...service, stdin });
    expect(run).toEqual({ code: 0, stdout: 'a-2\ttwo\na-1\tone\na-3\tthree\n', stderr: '' });
    const among = [...get, 'a-3', '-', 'a-1', ...names];
    const mixed = await mar(among, { ...service, stdin: 'a-2\n' });
    expect(mixed.stdout).toBe('a-3\tthree\na-2\ttwo\na-1\tone\n');
  });

  it('makes a list of one id or none too, so that a script always gets the same form', async () => {
    const service = await recordService(assets);
    const run = await mar([...get, '-', '--json'], { ...service, stdin: 'a-1\n' });
    expect(run.stdout).toBe(`[${assets['/assets/a-1']}]\n`);
    const none = await mar([...get, '-', '--json'], { ...service, stdin: '\n' });
    expect(none).toMatchObject({ code: 0, stdout: '[]\n' });
  });

  it('reads more ids than are asked for side by side', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `b-${index}`);
    const records = ids.map((id) => [`/assets/${id}`, `{"_id":"${id}"}`]);
    const service = await recordService(Object.fromEntries(records));
    const stdin = ids.join('\n');
    const run = await mar([...get, '-', '--columns', '_id'], { ...service, stdin });
    expect(run.stdout).toBe(`${stdin}\n`);
  });

  it('can be given once only', async () => {
    await refused([...get, '-', 'a-1', '-'], { stdin: 'a-1\n' });
  });
});
