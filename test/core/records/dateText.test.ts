import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mar, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { recordWords } from '../../words/records.ts';

const timeZone = process.env.TZ;
beforeEach(() => {
  process.env.TZ = 'America/New_York';
  // A Wednesday. In Berlin it is 13:30, in Tokyo 21:30.
  at('2026-11-18T12:30:45Z');
});
afterEach(() => {
  vi.useRealTimers();
  if (timeZone === undefined) delete process.env.TZ;
  else process.env.TZ = timeZone;
});

const at = (now: string) => vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });

const create = ['wr', 'create', '--dry-run', '--skip-checks'];

/** The deadline that `wr create` would send. */
async function due(...flags: string[]) {
  const { env } = await recordingServer('{}');
  const { code, stdout, stderr } = await mar([...create, ...flags, '--json'], { env });
  expect(code, stderr).toBe(0);
  const { request } = JSON.parse(stdout);
  const { date, tz } = request.body.due;
  return { date: new Date(date).toISOString(), tz };
}

const berlin = async (text: string) => (await due('--due', text, '--tz', 'Europe/Berlin')).date;

describe('a due date', () => {
  it.each([
    ['2026-12-01', '2026-12-01T22:59'],
    ['2026-12-01T18', '2026-12-01T17:00'],
    ['2026-12-01t18:00', '2026-12-01T17:00'],
    ['2026-12-01T18:00Z', '2026-12-01T18:00'],
    ['1 Dec', '2026-12-01T22:59'],
    ['1 december', '2026-12-01T22:59'],
    ['1 Dec 18:00', '2026-12-01T17:00'],
    ['1 Dec 9:05', '2026-12-01T08:05'],
    ['1 DEC 2027', '2027-12-01T22:59'],
    ['1 Dec 2027 18:00', '2027-12-01T17:00'],
    ['17 Nov', '2027-11-17T22:59'],
    ['18 Nov', '2026-11-18T22:59'],
    ['29 Feb', '2028-02-29T22:59'],
    ['today', '2026-11-18T22:59'],
    ['Tomorrow', '2026-11-19T22:59'],
    ['tomorrow 18:00', '2026-11-19T17:00'],
    ['tomorrowT18', '2026-11-19T17:00'],
    ['thu', '2026-11-19T22:59'],
    ['monday', '2026-11-23T22:59'],
    ['Tuesday 18:00', '2026-11-24T17:00'],
    ['+14d', '2026-12-02T22:59'],
    ['+14D', '2026-12-02T22:59'],
    ['+2w', '2026-12-02T22:59'],
    ['+1mo', '2026-12-18T22:59'],
    ['+1moT18:00', '2026-12-18T17:00'],
    ['+1Y', '2027-11-18T22:59'],
  ])('%s is %s in UTC, for Berlin', async (text, instant) => {
    expect(await berlin(text)).toBe(`${instant}:00.000Z`);
  });

  it('counts from the day in its own time zone', async () => {
    at('2026-12-31T20:00:00Z');
    const { date } = await due('--due', 'tomorrow', '--tz', 'Asia/Tokyo');
    expect(date).toBe('2027-01-02T14:59:00.000Z');
    expect((await due('--due', 'today')).date).toBe('2027-01-01T04:59:00.000Z');
  });

  it.each([
    ['2026-12-31T12:00:00Z', '1 Jan', '2027-01-01T22:59'],
    ['2026-12-31T12:00:00Z', 'fri', '2027-01-01T22:59'],
    ['2026-12-31T23:30:00Z', '1 Jan', '2027-01-01T22:59'],
    ['2027-01-31T12:00:00Z', '+1mo', '2027-02-28T22:59'],
    ['2026-03-28T12:00:00Z', 'tomorrow', '2026-03-29T21:59'],
    ['2026-03-28T12:00:00Z', '+1d 12:00', '2026-03-29T10:00'],
    ['2026-10-24T12:00:00Z', 'sunday', '2026-10-25T22:59'],
  ])('crosses the end of a year, or a change of clocks: at %s, %s', async (now, text, instant) => {
    at(now);
    expect(await berlin(text)).toBe(`${instant}:00.000Z`);
  });

  it('without a time ends with the day, even if the last hour comes twice', async () => {
    // On 3 April 2027, clocks in Santiago go back from midnight to 23:00.
    const { date } = await due('--due', '3 Apr 2027', '--tz', 'Santiago');
    expect(date).toBe('2027-04-04T03:59:00.000Z');
  });

  it('without a time is reported as the end of the day', async () => {
    const { env } = await recordingServer('{}');
    const whole = await mar([...create, '--due', '1 Dec', '--tz', 'Berlin'], { env });
    expect(whole.stderr).toMatch(/due\.date is 2026-12-01 23:59 Europe\/Berlin, .*day/);
    const timed = await mar([...create, '--due', '1 Dec 23:59', '--tz', 'Berlin'], { env });
    expect(timed.stderr).toMatch(/2026-12-01 23:59 Europe\/Berlin(?!, the)/);
  });

  it('is read in --set, in files and in the editor', async () => {
    const expected = { date: '2026-12-01T17:00:00.000Z', tz: 'Europe/Berlin' };
    expect(await due('--set', 'due.date=1 Dec 18:00', '--set', 'due.tz=Berlin')).toEqual(expected);
    const file = temporaryFile('due: {date: 1 Dec 18:00, tz: berlin}', 'request.yaml');
    expect(await due('-f', file)).toEqual(expected);
    const copy = `require('node:fs').copyFileSync('${file}', process.argv[2])`;
    const EDITOR = `${process.execPath} ${temporaryFile(copy, 'editor.cjs')}`;
    const { env } = await recordingServer('{}');
    const own = { ...env, EDITOR, MAR_STATE_DIR: temporaryFolder() };
    const run = await mar([...create, '--edit', '--json'], { env: own });
    expect(JSON.parse(run.stdout).request.body.due.date, run.stderr).toBe(1_796_144_400_000);
  });
});

describe('a date with two readings is refused with both', () => {
  it.each([
    ['01/12/2026', '1 Dec 2026 or 12 Jan 2026'],
    ['1.12.26', '1 Dec 2026 or 12 Jan 2026'],
    ['1-12-2026 18:00', '1 Dec 2026 or 12 Jan 2026'],
    ['wednesday', '18 Nov 2026 or 25 Nov 2026'],
    ['2026-10-25T02:30', '2026-10-25T02:30+02:00 or 2026-10-25T02:30+01:00'],
  ])('%s', async (text, readings) => {
    const message = await refused([...create, '--due', text, '--tz', 'Berlin']);
    expect(message).toContain(`due.date: ${recordWords.twoReadings(text, `write ${readings}`)}\n`);
  });

  it.each([
    ['31/12/2026', '31 Dec 2026'],
    ['12.12.26', '12 Dec 2026'],
  ])('%s has one, which the error shows', async (text, reading) => {
    const message = await refused([...create, '--set', `due.date="${text}"`]);
    expect(message).toMatch(new RegExp(`due.date: ${text} .* ${reading}\n`));
  });

  it('for a field that is neither a deadline nor a start', async () => {
    const message = await refused([...create, '--set', 'created=1 Dec']);
    expect(message).toMatch(/created: 1 Dec .* 1 Dec 2025 or 1 Dec 2026/);
  });
});

it.each([
  ...['31 Jun', '0 Dec', '45/67/2026', '2026-12-01T24:00', '29 Feb 2027', '0226-12-20'],
  ...[
    'next monday',
    '1 Dezember',
    '+1m',
    'tomorrow 18:00Z',
    '7d',
    '2026-12-1',
    '2026-12-01T9:00',
    '1 Dec 26',
  ],
])('--due %s is refused, with the forms that are accepted', async (text) => {
  const stderr = await refused([...create, '--due', text, '--tz', 'Berlin']);
  expect(stderr).toContain(text);
  expect(stderr).toContain('1 Dec 2026 18:00, tomorrow, monday');
});

it('--due with a time that clocks skip is refused', async () => {
  const time = '2027-03-28T02:30';
  const stderr = await refused([...create, '--due', time, '--tz', 'Berlin']);
  expect(stderr).toContain(recordWords.skippedHour(time, 'Europe/Berlin'));
});

describe('a time zone', () => {
  it.each([
    ['Berlin', 'Europe/Berlin'],
    ['new york', 'America/New_York'],
    ['Port-au-Prince', 'America/Port-au-Prince'],
    ['Singapore', 'Asia/Singapore'],
    ['kolkata', 'Asia/Kolkata'],
    ['America/Argentina/San_Juan', 'America/Argentina/San_Juan'],
    ['Europe/Paris', 'Europe/Paris'],
    ['UTC', 'UTC'],
  ])('%s is %s', async (text, zone) => {
    expect((await due('--due', '+14d', '--tz', text)).tz).toBe(zone);
    const stored = await due('--set', 'due.date=1796144400000', '--set', `due.tz=${text}`);
    expect(stored.tz).toBe(zone);
  });

  it.each([
    ['Berln', '"Europe/Berlin"'],
    ['Munich', '"Munich"\n'],
    ['Mars/Olympus', '"Mars/Olympus"'],
    ['San Juan', '"San Juan"\n'],
  ])('%s is refused', async (text, message) => {
    expect(await refused(['wr', 'create', '--due', '+14d', '--tz', text])).toContain(message);
    const set = ['--set', 'due.date=1896144400000', '--set', `due.tz=${text}`];
    expect(await refused(['wr', 'create', ...set])).toContain(message.trim());
    // The check of a time that needs no zone can be skipped.
    expect((await due(...set)).tz).toBe(text);
  });
});

describe('downloads list takes the last such day', () => {
  /** The days that `downloads list` prints, of all days around now. */
  async function days(...flags: string[]) {
    const start = Date.parse('2025-11-10T17:00:00Z');
    const records = Array.from({ length: 380 }, (_, index) => {
      const created = start + index * 24 * 3600 * 1000;
      return { _id: new Date(created).toISOString().slice(0, 10), created };
    });
    const { env, requests } = await recordingServer(JSON.stringify(records), '[]');
    const argv = ['downloads', 'list', ...flags, '--page-size', '400', '--columns', '_id'];
    const { code, stdout, stderr } = await mar(argv, { env });
    expect(code, stderr).toBe(0);
    expect(requests[0]).toMatch(/^GET \/api\/downloads HTTP/);
    return stdout.trim().split('\n');
  }

  it.each([
    ['monday', '2026-11-16'],
    ['WED', '2026-11-18'],
    ['thursday', '2026-11-12'],
    ['1 Dec', '2025-12-01'],
    ['18 Nov', '2026-11-18'],
    ['1 Nov 2026', '2026-11-01'],
    ['2026-11-17T18', '2026-11-18'],
  ])('--since %s', async (text, first) => {
    expect((await days('--since', text))[0]).toBe(first);
  });

  it.each([
    ['monday', '2026-11-16', '2026-11-16'],
    ['monday..tuesday', '2026-11-16', '2026-11-17'],
    ['20 Dec..5 Jan', '2025-12-20', '2026-01-05'],
    ['1 Nov..', '2026-11-01', '2026-11-24'],
  ])('--created %s', async (text, first, last) => {
    const found = await days('--created', text);
    expect([found[0], found.at(-1)]).toEqual([first, last]);
  });

  it('and refuses days with two readings', async () => {
    for (const flag of ['--since', '--created']) {
      const message = await refused(['downloads', 'list', flag, '01/12/2026']);
      expect(message).toMatch(new RegExp(`${flag}: .* 1 Dec 2026 or 12 Jan 2026`));
    }
  });

  it('counts a day without midnight from its first hour', async () => {
    // On 6 September 2026, clocks in Santiago skip the hour after midnight.
    process.env.TZ = 'America/Santiago';
    const times = ['2026-09-06T03:59:59Z', '2026-09-06T04:00:00Z'];
    const records = times.map((time) => ({ _id: time, created: Date.parse(time) }));
    const { env } = await recordingServer(JSON.stringify(records), '[]');
    const argv = ['downloads', 'list', '--since', '2026-09-06', '--columns', '_id'];
    expect((await mar(argv, { env })).stdout).toBe('2026-09-06T04:00:00Z\n');
  });
});

it('every form names the same day in every zone', async () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Pacific/Kiritimati', 'UTC'];
  const months = 'Jan february MAR Apr may June jul August sep Oct november Dec'.split(' ');
  const [min, max] = [new Date('2026-01-01'), new Date('2035-12-31')];
  const date = fc.date({ min, max, noInvalidDate: true });
  const clocks = fc.option(fc.constantFrom('09:00', '12:34', '23:00'), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(date, fc.constantFrom(...zones), clocks, async (when, zone, clock) => {
      const iso = when.toISOString().slice(0, 10);
      const [year, month, day] = iso.split('-').map(Number) as [number, number, number];
      const written = `${day} ${months[month - 1]} ${year}`;
      for (const text of [iso, written]) {
        const given = clock === undefined ? text : `${text} ${clock}`;
        const { date } = await due('--due', given, '--tz', zone);
        const shown = new Date(date).toLocaleString('sv-SE', { timeZone: zone });
        expect(shown, given).toBe(`${iso} ${clock ?? '23:59'}:00`);
      }
      // Noon of that day is the same day in these zones, and `today` when it is now.
      at(`${iso}T12:00:00Z`);
      const today = new Date(`${iso}T12:00:00Z`).toLocaleDateString('sv-SE', { timeZone: zone });
      const named = `${Number(today.slice(8))} ${months[Number(today.slice(5, 7)) - 1]}`;
      for (const text of ['today', '+0d', named]) {
        const { date } = await due('--due', text, '--tz', zone);
        expect(new Date(date).toLocaleDateString('sv-SE', { timeZone: zone }), text).toBe(today);
      }
    }),
    { numRuns: 25, seed: 20261116 },
  );
});
