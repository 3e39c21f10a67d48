import { expect, it } from 'vitest';
import { Service } from '../../../src/core/api/service.ts';
import { createStyle } from '../../../src/core/output/style.ts';
import { paintTimeLeft, timeLeft } from '../../../src/core/records/lateness.ts';
import { readTime } from '../../../src/core/values/time.ts';

const now = new Date('2026-03-10T09:30:00Z');
const hour = 3_600_000;
const clock = { now, date: (value: unknown) => readTime(value), service: () => new Service() };
const inHours = (hours: number) => now.getTime() + hours * hour;

const request = (dueInHours: number, status: string, sinceHours?: number) => ({
  status,
  due: { date: inHours(dueInHours), tz: 'Asia/Tokyo' },
  history: sinceHours === undefined ? [] : [{ date: inHours(-sinceHours), status }],
});

it.each([
  [request(-5 * 24 - 3, 'in-progress'), 'overdue 5 d', 'red'],
  [request(-0.5, 'awaiting-materials'), 'overdue 30 min', 'red'],
  [request(3.5, 'incomplete'), '3 h left', 'yellow'],
  [request(4 * 24 + 2, 'in-progress'), '4 d left', undefined],
  [request(-22 * 24, 'complete', 20 * 24), 'done 20 d ago', 'green'],
  [request(-22 * 24, 'complete'), 'done', 'green'],
  [request(5, 'cancelled', 48), 'cancelled 2 d ago', undefined],
  [{ status: 'in-progress', due: 'soon' }, '', undefined],
  [{ status: 'in-progress', due: inHours(-30) }, 'overdue 1 d 6 h', 'red'],
] as const)('%j reads %s', (record, short, colour) => {
  expect(timeLeft(record, clock)).toBe(short);
  const style = createStyle(true);
  expect(paintTimeLeft(short, style, record, clock)).toBe(colour ? style[colour](short) : short);
});
