import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listsService, type StoredList } from '../../harness/listsService.ts';
import { mar, temporaryFolder } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { requestWords } from '../../words/requests.ts';

const day = 24 * 60 * 60 * 1000;
const now = Date.now();
const at = (days: number) => Math.round(now + days * day);

const file = (_id: string, embargo?: object) => ({
  _id,
  name: `${_id}.mov`,
  asset: 'a-1',
  embargo,
});
const files = [
  file('f-open', { event: false }),
  file('f-none'),
  file('f-soon', { event: false, end: at(14) }),
  file('f-event', { event: true }),
  file('f-over', { event: true, end: at(-10) }),
];

const download = (id: string, fileId: string, days: number, user: unknown = 'u-1') => ({
  _id: id,
  asset: { _id: 'a-1', name: 'Trailer', type: 'promo' },
  project: { _id: 'p-1', name: 'Harbor' },
  file: { _id: fileId, name: `${fileId}.mov` },
  created: at(days),
  user,
});
const downloads = [
  download('d-1', 'f-open', -1),
  download('d-2', 'f-soon', -2),
  download('d-3', 'f-event', -3, 'u-2'),
  download('d-4', 'f-over', -11),
  download('d-5', 'f-over', -9),
  download('d-6', 'f-gone', -1),
];
const users = [{ _id: 'u-1', name: 'Greta Vogel' }];

async function prepare(changed: Record<string, StoredList> = {}) {
  const lists = { '/downloads': downloads, '/files/_slug': files, '/session': users, ...changed };
  const { env } = await listsService(lists);
  return (argv: readonly string[], more: object = {}) =>
    mar([...argv, '--no-color'], { env, ...more });
}

it('file list --embargoed lists files with the time when it ends, or the event', async () => {
  const run = await prepare();
  const { stdout, stderr } = await run(['file', 'list', '--embargoed'], { columns: 100 });
  expect(stdout).toMatch(/f-soon +f-soon\.mov +\d{4}-\d\d-\d\d \d\d:\d\d \S+/);
  expect(stdout).toMatch(/f-event +f-event\.mov +at an event/);
  expect(stdout).not.toMatch(/f-open|f-none|f-over/);
  expect(stderr).toMatch(/2 of 5 .*--embargoed/);
  const csv = (await run(['file', 'list', '--embargoed', '-o', 'csv'])).stdout;
  expect(csv).toMatch(
    /^_id,name,embargo\.end,embargo\.event,asset,language\r?\nf-soon,f-soon\.mov,\d{4}-.*Z,false/,
  );
});

describe('downloads audit', () => {
  it.each([
    [
      'file',
      [
        { file: 'f-event', count: 2 },
        { file: 'f-soon', count: 1 },
      ],
    ],
    [
      'user',
      [
        { user: 'u-1', name: 'Greta Vogel', count: 2 },
        { user: 'u-2', count: 1 },
      ],
    ],
    ['asset', [{ asset: 'a-1', name: 'Trailer', count: 3 }]],
  ])('counts by %s', async (what, groups) => {
    const again = download('d-7', 'f-event', -4);
    const run = await prepare({ '/downloads': [downloads[1], downloads[2], again] });
    const counted = ['downloads', 'audit', '--summary', what, '--json'];
    const all = await run(counted);
    expect(JSON.parse(all.stdout)).toMatchObject(groups);
  });

  it.each([[[]], [['--since', '30d']]])('names downloads without a time: %j', async (flags) => {
    const undated = { ...download('d-7', 'f-soon', -1), created: 'yesterday' };
    const run = await prepare({ '/downloads': [...downloads, undated] });
    const { stdout, stderr } = await run(['downloads', 'audit', '--json', ...flags]);
    expect(stdout).not.toContain('d-7');
    expect(stderr).toMatch(/"undated-download".*\bd-7\b/);
  });

  it('lists who downloaded what under embargo, and says what it could not know', async () => {
    const run = await prepare();
    const { code, stdout, stderr } = await run(['downloads', 'audit', '--json']);
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(found.map(({ _id }: { _id: string }) => _id)).toEqual(['d-2', 'd-3', 'd-4']);
    expect(found[0]).toMatchObject({
      user: { _id: 'u-1', name: 'Greta Vogel' },
      embargo: { end: at(14), event: false },
    });
    expect(found[1]).toMatchObject({ user: { name: 'u-2' }, embargo: { event: true } });
    expect(stderr).toMatch(/"unlisted-file".*f-gone/);
    const screen = await run(['downloads', 'audit'], { columns: 80 });
    expect(screen.stdout).toMatch(/Greta Vogel +f-soon\.mov/);
    expect(screen.stderr.replace(/\s+/g, ' ')).toContain(requestWords.noEmbargoHistory);
  });

  it('prints the time of a download and the end of its embargo with --times iso', async () => {
    const run = await prepare({ '/downloads': [downloads[1]] });
    const argv = ['downloads', 'audit', '--times', 'iso', '--jq', '.created, .embargo.end'];
    const isoOf = (days: number) => new Date(at(days)).toISOString().replace(/\.\d+Z/, 'Z');
    expect((await run(argv)).stdout).toBe(`${isoOf(-2)}\n${isoOf(14)}\n`);
  });

  it.each([
    ['5d', 'd-2\nd-3\n'],
    ['1h', ''],
  ])('takes --since %s', async (since, ids) => {
    const run = await prepare();
    const { stdout } = await run(['downloads', 'audit', '--since', since, '--jq', '._id']);
    expect(stdout).toBe(ids);
  });

  it('fails with 3, and writes sheets with names', async () => {
    const run = await prepare();
    const csv = path.join(temporaryFolder(), 'embargo.csv');
    const stderr = await failure(3, run(['downloads', 'audit', '--fail', '-O', csv]));
    expect(stderr).toMatch(/^error: 3 downloads /m);
    expect(readFileSync(csv, 'utf8')).toMatch(
      /^created,user\.name,user\._id,file\.name,.*\r?\n.*,Greta Vogel,u-1,f-soon\.mov/,
    );
    const clean = await prepare({ '/downloads': [] });
    expect((await clean(['downloads', 'audit', '--fail'])).code).toBe(0);
  });

  it('prints ids if the account may not list users, and fails if it may not list files', async () => {
    const run = await prepare({ '/session': 403 });
    const { code, stdout, stderr } = await run(['downloads', 'audit']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('u-1')]);
    expect(stderr).toContain(requestWords.noUserNames);
    const blind = await prepare({ '/files/_slug': 403 });
    expect((await blind(['downloads', 'audit'])).code).toBe(4);
  });
});
