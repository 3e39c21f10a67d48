import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mar } from '../../harness/mar.ts';
import { refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';

beforeEach(() => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-15T12:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** The edges of days in Tokyo, which is nine hours ahead of UTC. */
const times = {
  before: '2026-10-31T14:59:59.999Z',
  first: '2026-10-31T15:00:00.000Z',
  middle: '2026-11-07T00:00:00.000Z',
  last: '2026-11-14T14:59:59.999Z',
  after: '2026-11-14T15:00:00.000Z',
};

const downloads = Object.entries(times).map(([_id, time]) => ({ _id, created: Date.parse(time) }));

/** Downloads in pages of two, as a service that caps its pages gives them. */
async function list(argv: string, records: object[] = downloads) {
  const pages = records.flatMap((_, at) =>
    at % 2 ? [] : [JSON.stringify(records.slice(at, at + 2))],
  );
  const server = await recordingServer(...pages, '[]');
  const run = await mar(['downloads', 'list', ...argv.split(' ')], server);
  return { ...run, requests: server.requests };
}

/** The ids of the downloads, in one text. */
const found = async (argv: string, records?: object[]) =>
  (await list(`${argv} -o tsv --columns _id`, records)).stdout.trim().replaceAll('\n', ' ');

describe('downloads list --created with days', () => {
  it.each([
    ['2026-11-01..2026-11-14', 'first middle last'],
    ['2026-11-01..', 'first middle last after'],
    ['..2026-11-14', 'before first middle last'],
    ['2026-11-07..2026-11-07', 'middle'],
    ['2027-01-01..', ''],
    ['2026-11-14', 'last'],
    ['today', 'after'],
    ['yesterday', 'last'],
    ['yesterday..today', 'last after'],
    ['2026-11-07..yesterday', 'middle last'],
  ])('%s takes both days whole, in the time zone of this machine', async (range, ids) => {
    const run = await list(`--created ${range} -o tsv --columns _id`);
    expect([run.code, run.stdout.trim().replaceAll('\n', ' ')]).toEqual([0, ids]);
    const count = ids.split(' ').filter(Boolean).length;
    expect(run.stderr).toContain(`${count} of 5 downloads `);
  });

  it('asks for everything and sends no filter of its own, but the others', async () => {
    const { requests } = await list('--created 2026-11-01..2026-11-14 --q x');
    expect(requests.length).toBeGreaterThan(3);
    expect(requests[0]).toMatch(/^GET \/api\/downloads\?q=x HTTP/);
  });

  it('reads times in the unit that they are in', async () => {
    const seconds = downloads.map(({ _id, created }) => ({
      _id,
      created: Math.floor(created / 1e3),
    }));
    expect(await found('--created 2026-11-01..2026-11-14', seconds)).toBe('first middle last');
  });

  it('--limit is how many of them to show, --range is where to look, --summary counts them', async () => {
    expect(await found('--created 2026-11-01.. --limit 2')).toBe('first middle');
    // The user asked for two: how many more there are is no news.
    expect((await list('--created 2026-11-01.. --limit 2')).stderr).toBe('');
    const { requests } = await list('--created 2026-11-01.. --range 0-1');
    expect(requests).toEqual([expect.stringContaining('X-Range: resources=0-1')]);
    const { stdout } = await list('--created 2026-11-01..2026-11-14 --summary day --jsonl');
    const days = stdout.trim().split('\n');
    expect(days[0]).toBe('{"day":"2026-11-01","count":1}');
    expect(days.at(-1)).toBe('{"day":"2026-11-14","count":1}');
  });

  it('shows how many had no time to go by', async () => {
    const records = [...downloads, { _id: 'odd', created: 'yesterday' }, { _id: 'none' }];
    const run = await list('--created 2026-11-01.. --columns _id', records);
    expect(run.stdout).not.toContain('odd');
    expect(run.stderr).toContain(' 2 downloads ');
  });

  it.each([
    ['recent', ''],
    ['2026-11', ''],
    ['1793458800000', ''],
    ['2026-11-01..14', '2026-11-01..14'],
  ])('%s is no range of days: it is sent unchanged', async (created, note) => {
    const { requests, stderr } = await list(`--created ${created}`);
    expect(requests).toEqual([expect.stringContaining(`GET /api/downloads?created=${created} `)]);
    expect(stderr).toContain(note);
    expect(stderr).not.toContain(' of 5 downloads ');
  });
});

describe('downloads list --since', () => {
  it.each([
    ['1d', 'last after'],
    ['2w', 'middle last after'],
    ['2026-11-01', 'first middle last after'],
    ['5m', ''],
    ['3mo', 'before first middle last after'],
    ['1y', 'before first middle last after'],
    ['yesterday', 'last after'],
    ['today', 'after'],
  ])('%s', async (since, ids) => {
    expect(await found(`--since ${since}`)).toBe(ids);
    const [first] = (await list(`--since ${since}`)).requests;
    expect(first).toMatch(/^GET \/api\/downloads HTTP/);
  });

  it('3mo counts months of the calendar, and ends at the last day of a shorter one', async () => {
    vi.setSystemTime(new Date('2026-05-31T12:00:00Z'));
    const times = ['2026-02-28T11:59:59Z', '2026-02-28T12:00:01Z'];
    const records = times.map((time, index) => ({ _id: `d-${index}`, created: Date.parse(time) }));
    expect(await found('--since 3mo', records)).toBe('d-1');
  });

  it('does not count what it looked at where there is nothing to look at', async () => {
    const server = await recordingServer('[]');
    const run = await mar(['downloads', 'list', '--since', '1d'], { ...server, columns: 80 });
    expect(run).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^\D+\n$/) });
  });

  it("leaves the service's own filter alone", async () => {
    const { requests } = await list('--since 1d --created recent');
    expect(requests[0]).toContain('?created=recent ');
  });
});

it.each([
  ['--created 2026-11-14..2026-11-01', '--created', '2026-11-14..2026-11-01'],
  ['--created 2026-02-30..', '--created', '2026-02-30'],
  ['--created ..', '--created', '..'],
  ['--since last-week', '--since', 'last-week'],
  ['--since 2026-13-01', '--since', '2026-13-01'],
  ['--since 999999y', '--since', '999999y'],
  ['--created 2026-11-31', '--created', '2026-11-31'],
  ['--created today..yesterday', '--created', 'today..yesterday'],
  ['--since 1d --created 2026-11-01..', '--since', undefined],
  ['--since 1d --limit x', '--limit', 'x'],
])('downloads list refuses %s, and sends nothing', async (flags, flag, value) => {
  const stderr = await refused(['downloads', 'list', ...flags.split(' '), '--json']);
  expect(JSON.parse(stderr).error).toMatchObject(value ? { flag, value } : { flag });
});
