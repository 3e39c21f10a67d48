import { afterEach, describe, expect, it } from 'vitest';
import { JsonNumber } from '../../../src/core/json/value.ts';
import {
  formatDate,
  formatRelative,
  formatSpan,
  formatTime,
  readTime,
} from '../../../src/core/values/time.ts';

const evening = new Date('2026-12-01T17:00:00Z');
const time = evening.getTime();
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('readTime', () => {
  it.each([
    ['seconds', time / 1000],
    ['milliseconds', time],
    ['microseconds', time * 1000],
    ['a lossless number', new JsonNumber(String(time))],
    ['a big integer', BigInt(time) * 1000n],
  ])('reads %s by their size', (_, value) => {
    expect(readTime(value)).toEqual(evening);
  });

  it.each([0, -1, 42, 631_151_999, 5e9, 5e12, 5e15, 1e300, Number.NaN, Infinity])(
    'does not take %d for a time',
    (value) => expect(readTime(value)).toBeUndefined(),
  );

  it.each([null, undefined, '', '1796144400', true, {}, []])(
    'does not take %j for a time',
    (value) => expect(readTime(value)).toBeUndefined(),
  );

  it('obeys a unit that was set, and then takes no other', () => {
    expect(readTime(time / 1000, 's')).toEqual(evening);
    expect(readTime(time, 'ms')).toEqual(evening);
    expect(readTime(time * 1000, 'us')).toEqual(evening);
    expect(readTime(time, 's')).toBeUndefined();
    expect(readTime(time / 1000, 'us')).toBeUndefined();
  });
});

const timeZone = process.env.TZ;
afterEach(() => {
  process.env.TZ = timeZone;
});

describe('formatDate', () => {
  it.each([
    ['UTC', '2026-12-01 17:00 UTC'],
    ['Europe/Paris', '2026-12-01 18:00 CET'],
    ['America/New_York', '2026-12-01 12:00 EST'],
    ['Asia/Tokyo', '2026-12-02 02:00 UTC+9'],
    ['Asia/Kolkata', '2026-12-01 22:30 UTC+5:30'],
    ['Mars/Olympus', '2026-12-01 17:00 UTC'],
  ])('is in the local time of TZ=%s', (zone, text) => {
    process.env.TZ = zone;
    expect(formatDate(evening)).toBe(text);
    expect(formatDate(evening, 'Mars/Phobos')).toBe(text);
  });

  it('is in UTC if asked for', () => {
    process.env.TZ = 'Europe/Paris';
    expect(formatDate(evening, 'UTC')).toBe('2026-12-01 17:00 UTC');
    expect(formatTime(evening)).toBe('18:00:00 CET');
  });

  it('is in the zone, with its name', () => {
    expect(formatDate(evening, 'Europe/Paris')).toBe('2026-12-01 18:00 Europe/Paris');
    expect(formatDate(evening, 'Asia/Tokyo')).toBe('2026-12-02 02:00 Asia/Tokyo');
    expect(formatDate(new Date('2026-06-30T22:05:00Z'), 'Europe/Paris')).toBe(
      '2026-07-01 00:05 Europe/Paris',
    );
  });

  it.each(['', 'Mars/Olympus', '\x1b[2J', 'Europe/Paris\n'])(
    'is in local time for the zone %j',
    (zone) => {
      expect(formatDate(evening, zone)).toBe('2026-12-01 17:00 UTC');
    },
  );
});

describe('formatRelative', () => {
  it.each([
    [0, 'just now'],
    [-59_000, 'just now'],
    [59_000, 'just now'],
    [-minute, '1 min ago'],
    [-3.9 * hour, '3 h ago'],
    [2 * day, 'in 2 d'],
    [2 * day + 5 * hour, 'in 2 d'],
    [-45 * day, '1 mo ago'],
    [800 * day, 'in 2 y'],
  ])('%i ms from now is %s', (distance, words) => {
    expect(formatRelative(new Date(time + distance), evening)).toBe(words);
  });
});

describe('formatSpan', () => {
  it.each([
    [0, '0 ms'],
    [450, '450 ms'],
    [999.6, '1 s'],
    [12_400, '12 s'],
    [65_000, '1 min 5 s'],
    [hour, '1 h'],
    [hour + 5000, '1 h'],
    [2 * day + 3 * hour + minute, '2 d 3 h'],
    [-5, '0 ms'],
  ])('%d ms is %s', (length, words) => {
    expect(formatSpan(length)).toBe(words);
  });
});
