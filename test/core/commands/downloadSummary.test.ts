import { afterEach, describe, expect, it, vi } from 'vitest';
import { mar, marOk } from '../../harness/mar.ts';
import { refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';

const summary = (by: string, ...more: string[]) => ['downloads', 'list', '--summary', by, ...more];

type Download = { project?: unknown; asset?: unknown; user?: unknown; created?: unknown };

/** A service with these downloads, each page of them in an answer of its own. */
const service = async (...pages: Download[][]) => {
  const bodies = pages.map((page, at) =>
    JSON.stringify(page.map((download, index) => ({ _id: `d-${at}-${index}`, ...download }))),
  );
  return recordingServer(...bodies, '[]');
};

const at = (text: string) => ({ created: Date.parse(text) });
const project = (_id: string, name?: string) => ({ project: { _id, name } });

/** The summary of one page of downloads; on a terminal if it has columns. */
async function summarised(downloads: Download[], argv: string[], columns?: number) {
  const { env } = await service(downloads);
  return marOk(argv, { env: { ...env, NO_COLOR: '1' }, columns });
}

afterEach(() => void vi.unstubAllEnvs());

describe('downloads list --summary', () => {
  it('counts every page, though --all was not said', async () => {
    const [one, two] = [project('p-1', 'One'), project('p-2', 'Two')];
    const { env, requests } = await service([one, two], [two]);
    const run = await mar(summary('project', '--json', '--q', 'trailer'), { env });
    expect(JSON.parse(run.stdout)).toEqual([
      { project: 'p-2', name: 'Two', count: 2 },
      { project: 'p-1', name: 'One', count: 1 },
    ]);
    expect(requests.length).toBeGreaterThan(2);
    expect(requests[0]).toContain('/downloads?q=trailer ');
  });

  it.each([
    ['--limit', '1'],
    ['--range', '0-0'],
  ])('counts only the part that %s names', async (flag, value) => {
    const argv = summary('project', '--jsonl', flag, value);
    const run = await summarised([project('p-1'), project('p-2')], argv);
    expect(run.stdout).toBe('{"project":"p-1","name":null,"count":1}\n');
  });

  it('is plain numbers in a pipe: key, name, count, or the picked columns', async () => {
    const downloads = [project('p-1', 'One'), project('p-1', 'One')];
    const run = await summarised(downloads, summary('project'));
    expect(run).toEqual({ code: 0, stdout: 'p-1\tOne\t2\n', stderr: '' });
    const picked = await summarised(downloads, summary('project', '--columns', 'count,name'));
    expect(picked.stdout).toBe('2\tOne\n');
  });

  it('is a table on a terminal, and how many there were beside it', async () => {
    const downloads = [...Array(8).fill(project('p-1', 'One')), project('p-2', 'Two')];
    const run = await summarised(downloads, summary('project'), 40);
    expect(run.stdout.split('\n')).toEqual([
      'PROJECT  NAME  COUNT',
      'p-1      One       8',
      'p-2      Two       1',
      '',
    ]);
    expect(run.stderr).toBe('9 downloads, 2 projects\n');
  });

  it.each([
    [
      'Asia/Tokyo',
      ['2026-03-03T16:00:00Z', '2026-03-01T14:59:00Z', '2026-03-01T15:00:00Z'],
      '2026-03-01\t1\n2026-03-02\t1\n2026-03-04\t1\n',
    ],
    [
      // The clocks change.
      'America/New_York',
      ['2026-03-07T12:00:00Z', '2026-03-10T12:00:00Z'],
      '2026-03-07\t1\n2026-03-10\t1\n',
    ],
  ])('counts days where the user is: %s', async (zone, times, days) => {
    vi.stubEnv('TZ', zone);
    expect((await summarised(times.map(at), summary('day'))).stdout).toBe(days);
    const shown = await summarised(times.slice(-1).map(at), summary('day'), 40);
    expect(shown.stderr).toBe(`1 download, 1 day (${zone})\n`);
  });

  it('counts by a user that is an id or a record, those without one last', async () => {
    const users = ['u-1', { _id: 'u-1', name: 'Ann' }, null, undefined, {}];
    const downloads = users.map((user) => ({ user }));
    const run = await summarised(downloads, summary('user', '--json'));
    expect(JSON.parse(run.stdout)).toEqual([
      { user: 'u-1', name: 'Ann', count: 2 },
      { user: null, name: null, count: 3 },
    ]);
    const shown = await summarised(downloads, summary('user'), 80);
    expect(shown.stdout).toMatch(/^.*\nu-1 +Ann +2\n +3\n$/);
    expect(shown.stderr).toMatch(/\b3 of them .*user\n/);
  });

  it('reports it when no download has a user', async () => {
    const stderr = expect.stringMatching(/ no user /);
    const shown = await summarised([{}, {}], summary('user'), 120);
    expect(shown).toMatchObject({ code: 0, stderr });
    const piped = await summarised([{}, {}], summary('user'));
    expect(piped).toEqual({ code: 0, stdout: '\t\t2\n', stderr });
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
    expect(run).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^\D+\n$/) });
  });

  it('prints nothing when a page fails: half a count would be a wrong one', async () => {
    const { env } = await recordingServer('[{"_id":"d-1"}]', { status: 500 });
    const run = await mar(summary('type', '--page-size', '1', '--retries', '0'), { env });
    expect(run).toMatchObject({ code: 1, stdout: '' });
  });

  it('refuses what it cannot count by, and sends nothing', async () => {
    expect(await refused(summary('week'))).toContain('day, project, asset, file, user, type');
  });
});
