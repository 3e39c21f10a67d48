import { describe, expect, it } from 'vitest';
import { mar, startMar } from '../../harness/mar.ts';
import { marWith } from '../../harness/marWith.ts';
import { type RecordingServer, recordingServer } from '../../harness/recordingServer.ts';
import { outputWords } from '../../words/output.ts';

const list = ['file', 'list'];

/** Some files, as the service sends a page of them. */
const page = (...numbers: number[]) =>
  `[${numbers.map((number) => `{"_id":"f-${number}","name":"n${number}"}`).join(', ')}]`;

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

const ranges = (server: RecordingServer) =>
  server.requests.map((request) => /^X-Range: resources=(.*)\r$/m.exec(request)?.[1]);

describe('a list as JSON', () => {
  it('is one array on one line, each record as the service sent it', async () => {
    const { env } = await recordingServer('[ {"2":1.0, "1":9007199254740993} , {"z":{}} ]');
    const run = await mar([...list, '--json'], { env });
    expect(run.stdout).toBe('[{"2":1.0,"1":9007199254740993},{"z":{}}]\n');
  });

  it('is one array of all pages', async () => {
    const run = await marWith([page(0, 1), page(2), '[]'], [...list, '--all', '--json']);
    expect(run.stdout).toBe(`${page(0, 1, 2).replaceAll(', ', ',')}\n`);
  });

  it('is indented on a terminal', async () => {
    const run = await marWith([page(0, 1), '[]'], [...list, '--all', '--json'], { columns: 80 });
    expect(run.stdout).toBe(`${JSON.stringify(JSON.parse(page(0, 1)), null, 2)}\n`);
  });

  it.each([undefined, 80])(
    'is an empty array when there is none (terminal: %s)',
    async (columns) => {
      const run = await marWith('[]', [...list, '--json'], { columns });
      expect(run).toMatchObject({ code: 0, stdout: '[]\n' });
    },
  );

  it.each([
    ['--json', '[{"_id":"f-0","name":"n0"}'],
    ['--jsonl', '{"_id":"f-0","name":"n0"}\n'],
    ['--output-format=tsv', 'f-0\tn0'],
    ['--output-format=csv', '_id,name,language,country,tags,asset,created\r\nf-0,n0,'],
    ['--output-format=yaml', '- _id: f-0\n  name: n0\n'],
    ['--jq=._id', 'f-0\n'],
  ])('with %s is written while the next page is waited for', async (flag, first) => {
    const server = await recordingServer(page(0), { raw: '', afterwards: 'wait' });
    const run = startMar([...list, '--all', '--page-size', '1', flag], server);
    await run.stdout.until(first);
    expect(run.stdout.text.startsWith(first)).toBe(true);
    run.signal('SIGINT');
    expect((await run.ended).code).toBe(130);
  });
});

describe('a list in a pipe', () => {
  it('is tab-separated, uncut, uncoloured, with no header', async () => {
    const name = 'x'.repeat(500);
    const record = { _id: 'f-1', name, language: 'fra', tags: ['a', 'b'], created: 1700000000000 };
    const { env } = await recordingServer(JSON.stringify([record]));
    const run = await mar(list, { env: { ...env, FORCE_COLOR: '1' } });
    expect(run.stdout).toBe(`f-1\t${name}\tfra\t\ta;b\t\t2023-11-14T22:13:20.000Z\n`);
  });

  it('is nothing at all when there is none', async () => {
    expect(await marWith('[]', list)).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('a list on a terminal', () => {
  it('that is empty reports it beside the result', async () => {
    const run = await marWith('[]', list, { columns: 80 });
    expect(run).toEqual({ code: 0, stdout: '', stderr: `${outputWords.noRecords}\n` });
  });
});

describe('--columns', () => {
  const files = '[{"_id":"f-1","name":"n","embargo":{"end":5},"tags":["x","y"],"2D Scope":1}]';

  it('picks fields by their paths, in the order given', async () => {
    const columns = 'tags[1],embargo.end,["2D Scope"],country,name';
    const run = await marWith(files, [...list, '--columns', columns]);
    expect(run.stdout).toBe('y\t5\t1\t\tn\n');
  });

  it('may be repeated', async () => {
    const { env } = await recordingServer('[{"_id":"f-1","name":"one","path":"/a"}]');
    const once = await mar([...list, '--columns', 'name,_id,path'], { env });
    const argv = [...list, '--columns', 'name', '--fields', '_id', '--columns=path'];
    expect(await mar(argv, { env })).toEqual(once);
    expect(once.stdout).toBe('one\tf-1\t/a\n');
  });
});

describe('paging', () => {
  it('asks for the default range once', async () => {
    const server = await recordingServer(page(...upTo(10)));
    await mar(list, server);
    expect(ranges(server)).toEqual(['0-9']);
  });

  it('asks for as much as --limit needs', async () => {
    const server = await recordingServer(page(0, 1), page(2, 3), page(4));
    const argv = [...list, '--limit', '5', '--page-size', '2', '--columns', '_id'];
    const run = await mar(argv, server);
    expect(ranges(server)).toEqual(['0-1', '2-3', '4-4']);
    expect(run.stdout).toBe('f-0\nf-1\nf-2\nf-3\nf-4\n');
  });

  it.each([
    ['--limit', ['--limit', '2']],
    ['--range', ['--range', '0-1']],
  ])('prints no more than %s asks for, though the service sends more', async (_name, flags) => {
    const run = await marWith(page(0, 1, 2, 3), [...list, ...flags, '--columns', '_id']);
    expect(run.stdout).toBe('f-0\nf-1\n');
  });
});
