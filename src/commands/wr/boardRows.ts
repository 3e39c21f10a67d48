import { endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { MarError } from '../../errors.ts';
import { valueAt } from '../../json/fields.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { fromPlain, isObject, type Json } from '../../json/value.ts';
import { isSettled } from '../../records/status.ts';
import { deadlineOf, presentEntry, timeLeft } from '../../records/timeLeft.ts';
import { Progress } from '../../terminal/progress.ts';
import type { View } from '../../terminal/view.ts';
import { cellText } from '../../values/cell.ts';
import { defaultConcurrency, mapConcurrently } from '../../values/concurrency.ts';
import { formatSeconds } from '../../values/duration.ts';
import { groupDigits, plural } from '../../values/numbers.ts';
import { sanitise } from '../../values/sanitise.ts';
import type { Clock } from '../../values/time.ts';
import { items, nameOf } from '../read/readingValues.ts';
import { workRequestView } from './view.ts';

/* The work requests of a board: reading them, the facts about each, their order. */

export const groupings = ['status', 'language', 'territory', 'asset'] as const;
export type Grouping = (typeof groupings)[number];

export interface BoardRow extends Record<Grouping, string> {
  id: string;
  record?: ServiceRecord;
  due?: Date;
  /** `overdue 5 d`, `3 h left`, `done 20 d ago`. */
  timeLeft: string;
  since?: Date;
  missing: readonly string[];
  reason: string;
  isLate: boolean;
  isSettled: boolean;
  /** The request could not be read. */
  problem?: string;
}

export interface Section {
  heading: string;
  rows: readonly BoardRow[];
  isLate?: true;
}

const day = 24 * 60 * 60 * 1000;

export interface Reading {
  id: string;
  record?: ServiceRecord;
  error?: MarError;
}

/** Reads all work requests, some at a time. A failure is part of the result. */
export async function readBoard(context: Context, ids: readonly string[]): Promise<Reading[]> {
  if (ids.length === 0) return [];
  const client = await context.client();
  let count = 0;
  const progress = new Progress(context.progressOptions, (elapsedMs) => [
    `${groupDigits(count)} of ${groupDigits(ids.length)} work requests`,
    formatSeconds(elapsedMs / 1000),
  ]);
  const read = async (id: string): Promise<Reading> => {
    try {
      return { id, record: await client.call(endpoints.workRequestGet, { id }) };
    } catch (error) {
      if (!(error instanceof MarError) || context.world.signal.aborted) throw error;
      return { id, error };
    } finally {
      count += 1;
    }
  };
  try {
    const limit = context.settings.concurrency ?? defaultConcurrency.reads;
    const readings: Reading[] = [];
    for await (const { result, error } of mapConcurrently(iterate(ids), limit, read)) {
      if (!result) throw error;
      readings.push(result);
    }
    return readings;
  } finally {
    progress.end();
  }
}

async function* iterate<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

export const rowsOf = (context: Context, readings: readonly Reading[]): BoardRow[] => {
  const { clock } = context;
  return readings.map(({ id, record, error }) =>
    boardRow({ id, record, problem: error && safeMessage(context, error) }, clock),
  );
};

/** On a board, messages do not go through `report`, which makes them safe. */
export const safeMessage = ({ world }: Context, { message }: MarError): string =>
  sanitise(world.redactor.clean(message));

function boardRow(
  { id, record, problem }: { id: string; record?: ServiceRecord; problem?: string },
  { now, date }: Clock,
): BoardRow {
  const value = record?.value;
  const text = (read: unknown) => sanitise(cellText(read)).trim();
  const status = text(valueAt(value, 'status'));
  const due = date(deadlineOf(value, 'due'));
  const isOver = isSettled(status);
  return {
    id: sanitise(id),
    record,
    problem,
    status,
    language: text(valueAt(value, 'language')),
    territory: text(valueAt(value, 'territory')),
    asset: text(nameOf(value, 'asset')),
    due,
    timeLeft: timeLeft(value, { date, now }) || 'no due date',
    since: date(valueAt(presentEntry(value, { date }), 'date')),
    missing: items(value, 'materials')
      .filter((material) => valueAt(material, 'complete') === false)
      .map((material) => text(valueAt(material, 'name')) || '(unnamed)'),
    reason: text(valueAt(value, 'reason')),
    isLate: !isOver && due !== undefined && due < now,
    isSettled: isOver,
  };
}

/** Late requests first, then groups. The most urgent request decides where its group comes. */
export function sectionsOf(rows: readonly BoardRow[], group: Grouping): Section[] {
  const sorted = rows.filter(({ problem }) => problem === undefined).sort(byUrgency);
  const groups = new Map<string, BoardRow[]>();
  for (const row of sorted.filter(({ isLate }) => !isLate)) {
    const name = row[group] || `(no ${group})`;
    const members = groups.get(name);
    if (members) members.push(row);
    else groups.set(name, [row]);
  }
  const sections: Section[] = [
    { heading: 'Late', rows: sorted.filter(({ isLate }) => isLate), isLate: true },
    ...[...groups].map(([heading, members]) => ({ heading, rows: members })),
    { heading: 'Could not be read', rows: rows.filter(({ problem }) => problem !== undefined) },
  ];
  return sections.filter((section) => section.rows.length > 0);
}

/** By due date; then those without one, then those that are done, from the newest to the oldest. */
function byUrgency(a: BoardRow, b: BoardRow): number {
  if (a.isSettled !== b.isSettled) return Number(a.isSettled) - Number(b.isSettled);
  const never = Number.POSITIVE_INFINITY;
  if (a.isSettled) return Number(b.since ?? 0) - Number(a.since ?? 0);
  const [first, second] = [Number(a.due ?? never), Number(b.due ?? never)];
  return first === second ? 0 : first - second;
}

export function totalsOf(rows: readonly BoardRow[], now: Date): string {
  const isSoon = ({ due, isLate, isSettled: isOver }: BoardRow) =>
    due !== undefined && !isLate && !isOver && due.getTime() - now.getTime() < day;
  const counts: [number, string][] = [
    [rows.filter(({ isLate }) => isLate).length, 'late'],
    [rows.filter(isSoon).length, 'due in 24 h'],
    [rows.filter(isBlocked).length, 'missing materials'],
    [rows.filter((row) => row.isSettled).length, 'done'],
    [rows.filter(({ problem }) => problem !== undefined).length, 'not read'],
  ];
  const parts = counts.filter(([count], at) => count > 0 || at === 0);
  const words = parts.map(([count, what]) => `${count === 0 ? 'none' : count} ${what}`);
  return `${plural(rows.length, 'request')}: ${words.join(', ')}`;
}

const isBlocked = ({ missing, isSettled: isOver }: BoardRow) => missing.length > 0 && !isOver;

/** The record of the service, and the facts of the board in one more field. */
export function boardRecord(row: BoardRow, now: Date): ServiceRecord {
  const { record, due, since, isLate, isSettled: isOver, missing } = row;
  const tree = record?.tree ?? null;
  const facts = {
    late: isLate,
    due: due?.toISOString() ?? null,
    timeLeftMs: due && !isOver ? due.getTime() - now.getTime() : null,
    since: since?.toISOString() ?? null,
    missing: [...missing],
  };
  return ServiceRecord.fromTree(
    new Map<string, Json>([
      ...(isObject(tree) ? tree : new Map([['record', tree]])),
      ['board', fromPlain(facts)],
    ]),
  );
}

export const boardView: View = {
  knownFields: workRequestView.knownFields,
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Status', path: 'status', kind: 'status', importance: 5 },
    { title: 'Late', path: 'board.late', importance: 4 },
    { title: 'Due', path: 'board.due', importance: 4 },
    { title: 'Time left (ms)', path: 'board.timeLeftMs', kind: 'number', importance: 1 },
    { title: 'Since', path: 'board.since', importance: 1 },
    { title: 'Missing', path: 'board.missing', importance: 3 },
    { title: 'Reason', path: 'reason', importance: 2 },
    { title: 'Language', path: 'language', importance: 3 },
    { title: 'Territory', path: 'territory', importance: 3 },
    { title: 'Asset', path: 'asset.name', importance: 2, read: (wr) => nameOf(wr, 'asset') },
  ],
};
