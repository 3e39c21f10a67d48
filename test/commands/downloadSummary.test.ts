import { afterEach, describe, expect, it } from 'vitest';
import { mar } from '../harness/mar.ts';
import { recordingServer } from '../harness/recordingServer.ts';

const summary = (by: string, ...more: string[]) => ['downloads', 'list', '--summary', by, ...more];

interface Download {
  project?: unknown;
  asset?: unknown;
  user?: unknown;
  created?: unknown;
}

/** A service with these downloads, each page of them in an answer of its own. */
const service = async (...pages: Download[][]) => {
  const bodies = pages.map((page, at) =>
    JSON.stringify(page.map((download, index) => ({ _id: `d-${at}-${index}`, ...download }))),
  );
  return recordingServer(...bodies, '[]');
};

const at = (text: string) => ({ created: Date.parse(text) });
const project = (_id: string, name?: string) => ({ project: { _id, name } });

const timeZone = process.env.TZ;
afterEach(() => {
  if (timeZone === undefined) delete process.env.TZ;
  else process.env.TZ = timeZone;
});

describe('downloads list --summary', () => {
  it('counts every page, though --all was not said', async () => {
    const { env, requests } = await service(
      [project('p-1', 'One'), project('p-2', 'Two')],
      [project('p-2', 'Two')],
    );
    const run = await mar(summary('project', '--json'), { env });
    expect(JSON.parse(run.stdout)).toEqual([
      { project: 'p-2', name: 'Two', count: 2 },
      { project: 'p-1', name: 'One', count: 1 },
    ]);
    expect(requests.length).toBeGreaterThan(2);
  });

  it.each([
    ['--limit', '1'],
    ['--range', '0-0'],
  ])('counts only the part that %s names', async (flag, value) => {
    const { env } = await service([project('p-1'), project('p-2')]);
    const run = await mar(summary('project', '--jsonl', flag, value), { env });
    expect(run.stdout).toBe('{"project":"p-1","name":null,"count":1}\n');
  });

  it('sends the filters of the service along', async () => {
    const { env, requests } = await service([project('p-1')]);
    await mar(summary('project', '--q', 'trailer'), { env });
    expect(requests[0]).toContain('/downloads?q=trailer ');
  });

  it('is plain numbers in a pipe: key, name, count', async () => {
    const { env } = await service([project('p-1', 'One'), project('p-1', 'One')]);
    const run = await mar(summary('project'), { env });
    expect(run).toMatchObject({ code: 0, stdout: 'p-1\tOne\t2\n', stderr: '' });
  });

  it('has bars on a terminal, and how many there were beside it', async () => {
    const { env } = await service([
      ...Array.from({ length: 8 }, () => project('p-1', 'One')),
      project('p-2', 'Two'),
    ]);
    const run = await mar(summary('project'), { env: { ...env, NO_COLOR: '1' }, columns: 40 });
    expect(run.stdout.split('\n')).toEqual([
      'PROJECT  NAME  COUNT',
      `p-1      One       8  ${'█'.repeat(18)}`,
      'p-2      Two       1  ██▎',
      '',
    ]);
    expect(run.stderr).toBe('9 downloads, 2 projects\n');
  });

  it('counts days where the user is, with the empty ones between', async () => {
    process.env.TZ = 'Asia/Tokyo';
    const { env } = await service([
      at('2026-03-03T16:00:00Z'),
      at('2026-03-01T14:59:00Z'),
      at('2026-03-01T15:00:00Z'),
    ]);
    const run = await mar(summary('day'), { env });
    expect(run.stdout).toBe('2026-03-01\t1\n2026-03-02\t1\n2026-03-03\t0\n2026-03-04\t1\n');
  });

  it('names the zone of its days on a terminal', async () => {
    process.env.TZ = 'Asia/Tokyo';
    const { env } = await service([at('2026-03-01T15:00:00Z')]);
    const run = await mar(summary('day'), { env: { ...env, NO_COLOR: '1' }, columns: 40 });
    expect(run.stdout).toContain('2026-03-02 Mon');
    expect(run.stderr).toBe('1 download, 1 day (Asia/Tokyo)\n');
  });

  it('loses and doubles no day where the clocks change', async () => {
    process.env.TZ = 'America/New_York';
    const { env } = await service([at('2026-03-07T12:00:00Z'), at('2026-03-10T12:00:00Z')]);
    const run = await mar(summary('day'), { env });
    expect(run.stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
      '2026-03-07',
      '2026-03-08',
      '2026-03-09',
      '2026-03-10',
      '',
    ]);
  });

  it('prints a long time without downloads as one line, on a terminal', async () => {
    process.env.TZ = 'UTC';
    const { env } = await service([at('2026-01-01T12:00:00Z'), at('2026-03-01T12:00:00Z')]);
    const run = await mar(summary('day'), { env: { ...env, NO_COLOR: '1' }, columns: 40 });
    expect(run.stdout.split('\n').map((line) => line.slice(0, 30).trimEnd())).toEqual([
      'DAY             COUNT',
      '2026-01-01 Thu      1  ███████',
      '… 58 days without downloads',
      '2026-03-01 Sun      1  ███████',
      '',
    ]);
    expect(run.stderr).toBe('2 downloads, 2 days (UTC)\n');
  });

  it('counts by a user that is an id or a record, and names unknown users', async () => {
    const downloads = [
      { user: 'u-1' },
      { user: { _id: 'u-1', name: 'Ann' } },
      { user: null },
      {},
      { user: {} },
    ];
    const run = await mar(summary('user', '--json'), await service(downloads));
    expect(JSON.parse(run.stdout)).toEqual([
      { user: 'u-1', name: 'Ann', count: 2 },
      { user: null, name: null, count: 3 },
    ]);
    const { stderr } = await mar(summary('user'), await service(downloads));
    expect(stderr).toContain('3 of them have no user\n');
  });

  it('shows those without a user last, in words', async () => {
    const { env } = await service([{}, {}, { user: 'u-1' }]);
    const run = await mar(summary('user'), { env: { ...env, NO_COLOR: '1' }, columns: 80 });
    const lines = run.stdout.split('\n');
    expect(lines[1]).toMatch(/^u-1 +1 /);
    expect(lines[2]).toMatch(/^\(unknown\) +2 /);
  });

  it('reports it when no download has a user', async () => {
    const { env } = await service([{}, {}]);
    const note = 'The service sends no user with its downloads. To see';
    const run = await mar(summary('user'), { env: { ...env, NO_COLOR: '1' }, columns: 120 });
    expect(run).toMatchObject({ code: 0, stdout: '' });
    expect(run.stderr).toContain(note);
    const piped = await mar(summary('user'), await service([{}, {}]));
    expect(piped.stdout).toBe('\t\t2\n');
    expect(piped.stderr).toContain(note);
  });

  it('survives downloads of any shape', async () => {
    const odd = [1, 'x', true, [], [{}], { _id: 5 }, { name: '\u001b[2J' }, null];
    const { env } = await service(
      odd.map((value) => ({ project: value, asset: value, user: value, created: value })),
    );
    for (const by of ['day', 'project', 'asset', 'user', 'type']) {
      for (const columns of [undefined, 20, 40]) {
        const run = await mar(summary(by, '--range', '0-9'), { env, columns });
        expect(run.code).toBe(0);
        expect(run.stdout).not.toContain('\u001b[2J');
      }
    }
  });

  it('of nothing is nothing: an empty array, no line, a word on a terminal', async () => {
    const { env } = await service();
    expect(await mar(summary('day', '--json'), { env })).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(await mar(summary('day'), { env })).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const run = await mar(summary('day'), { env, columns: 80 });
    expect(run).toMatchObject({ code: 0, stdout: '', stderr: 'No records found\n' });
  });

  it('prints nothing when a page fails: half a count would be a wrong one', async () => {
    const { env } = await recordingServer('[{"_id":"d-1"}]', { status: 500 });
    const run = await mar(summary('type', '--page-size', '1', '--retries', '0'), { env });
    expect(run).toMatchObject({ code: 1, stdout: '' });
  });

  it('picks columns', async () => {
    const { env } = await service([project('p-1', 'One')]);
    const run = await mar(summary('project', '--columns', 'count,name'), { env });
    expect(run.stdout).toBe('1\tOne\n');
  });

  it('refuses what it cannot count by, and sends nothing', async () => {
    const { env, requests } = await service([]);
    const run = await mar(summary('week'), { env });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('day, project, asset, user, type');
    expect(requests).toEqual([]);
  });
});
