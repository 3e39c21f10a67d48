import { endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { MarError } from '../../errors.ts';
import { valueAt } from '../../json/fields.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { fromPlain, isObject, type Json } from '../../json/value.ts';
import {
  changesBetween,
  describeChanges,
  type Look,
  type LookChange,
  lookOf,
} from '../../records/look.ts';
import { isSettled } from '../../records/status.ts';
import { deadlineOf, presentEntry, timeLeft } from '../../records/timeLeft.ts';
import { namesIn, presentParties } from '../../records/workflow.ts';
import { Progress } from '../../terminal/progress.ts';
import type { View } from '../../terminal/view.ts';
import { cellText } from '../../values/cell.ts';
import { defaultConcurrency, Semaphore } from '../../values/concurrency.ts';
import { formatSeconds } from '../../values/duration.ts';
import { groupDigits, plural } from '../../values/numbers.ts';
import { sanitise } from '../../values/sanitise.ts';
import type { Clock } from '../../values/time.ts';
import { items, nameOf } from '../read/readingValues.ts';
import { looks } from '../read/tracked.ts';
import { workRequestView } from './view.ts';

/* The work requests of a board and of `today`: reading them, the facts about each, their order. */

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
  /** Due within 24 hours. */
  isSoon: boolean;
  isSettled: boolean;
  look: Look;
  /** The users and groups of the asset's present phase. */
  actors: readonly Party[];
  /** The name of the user who set the status. */
  lastBy: string;
  /** The request could not be read. */
  problem?: string;
}

interface Party {
  id: string;
  name: string;
  kind: 'user' | 'group';
}

export interface Section {
  heading: string;
  /** For programs. */
  name?: string;
  rows: readonly BoardRow[];
  isLate?: boolean;
  /** The heading is the status, so rows do not repeat it. */
  isStatus?: boolean;
}

/** Sorts rows into the sections of a board. */
export type Arrange = (rows: readonly BoardRow[]) => Section[];

const day = 24 * 60 * 60 * 1000;

export interface Reading {
  id: string;
  record?: ServiceRecord;
  error?: MarError;
}

/**
 * Reads all work requests, some at a time. A failure is part of the result. `readings` gets each as it
 * comes, for a caller that shows what there is when the user stops the command.
 */
export async function readBoard(
  context: Context,
  ids: readonly string[],
  readings: Reading[] = [],
): Promise<Reading[]> {
  if (ids.length === 0) return readings;
  const client = await context.client();
  let count = 0;
  const progress = new Progress(context.progressOptions, (elapsedMs) => [
    `${groupDigits(count)} of ${groupDigits(ids.length)} work requests`,
    formatSeconds(elapsedMs / 1000),
  ]);
  const read = async (id: string): Promise<Reading> => {
    try {
      const record = await client.call(endpoints.workRequestGet, { id });
      return { id, record: isBoardDrawn(context) ? shortened(record) : record };
    } catch (error) {
      if (!(error instanceof MarError) || context.world.signal.aborted) throw error;
      return { id, error };
    }
  };
  // Not `mapConcurrently`, which keeps the order: one slow request would hold up all after it.
  const places = new Semaphore(context.settings.concurrency ?? defaultConcurrency.reads);
  try {
    const reads = ids.map((id) =>
      places.run(async () => {
        if (context.world.signal.aborted) throw context.world.signal.reason;
        readings.push(await read(id));
        count += 1;
      }),
    );
    await Promise.all(reads);
  } finally {
    progress.end();
  }
  const order = new Map(ids.map((id, at) => [id, at]));
  return readings.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}

/** Long fields that no board shows. Thousands of work requests with their subtitles would fill the memory. */
const longFields = ['translation', 'graphicsTranslation', 'instructions', 'recipients', 'files'];

function shortened({ value }: ServiceRecord): ServiceRecord {
  const fields = Object.entries(value ?? {}).filter(([name]) => !longFields.includes(name));
  return new ServiceRecord(Object.fromEntries(fields), '');
}

/** True for a board, false for a list of records. */
export const isBoardDrawn = ({ printer, flags }: Context) =>
  (printer.isForPeople || flags.format === 'table') && !flags.columns && !flags.jq;

export const rowsOf = (context: Context, readings: readonly Reading[]): BoardRow[] => {
  const { clock } = context;
  // A record may name a group only by an id that another record has the name of.
  const names = new Map<string, string>();
  for (const { record } of readings) namesIn(record?.value, names);
  const nameOfParty = (id: string) => names.get(id) ?? context.userName(id) ?? id;
  return readings.map(({ id, record, error }) => {
    const problem = error && safeMessage(context, error);
    return boardRow({ id, record, problem }, clock, nameOfParty);
  });
};

export type Changes = ReadonlyMap<string, readonly LookChange[]>;

/** Compares each request with how it was last shown. One that was never shown has no changes. */
export function changesSince(context: Context, rows: readonly BoardRow[]): Changes {
  const seen = looks(context);
  return new Map(
    rows.flatMap(({ id, look, problem }): [string, LookChange[]][] => {
      const before = problem === undefined ? seen.get(id) : undefined;
      const changes = before ? changesBetween(before, look) : [];
      return changes.length > 0 ? [[id, changes]] : [];
    }),
  );
}

export const describedChanges = (changes: Changes) =>
  new Map([...changes].map(([id, some]) => [id, describeChanges(some)]));

/** On a board, messages do not go through `report`, which makes them safe. */
export const safeMessage = ({ world }: Context, { message }: MarError): string =>
  sanitise(world.redactor.clean(message));

function boardRow(
  { id, record, problem }: { id: string; record?: ServiceRecord; problem?: string },
  { now, date }: Clock,
  nameOfParty: (id: string) => string,
): BoardRow {
  const value = record?.value;
  const text = (read: unknown) => sanitise(cellText(read)).trim();
  const status = text(valueAt(value, 'status'));
  const due = date(deadlineOf(value, 'due'));
  const isOver = isSettled(status);
  const present = presentEntry(value, { date });
  const leftMs = due && !isOver ? due.getTime() - now.getTime() : Number.NaN;
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
    since: date(valueAt(present, 'date')),
    missing: items(value, 'materials')
      .filter((material) => valueAt(material, 'complete') === false)
      .map((material) => text(valueAt(material, 'name')) || '(unnamed)'),
    reason: text(valueAt(value, 'reason')),
    isLate: leftMs < 0,
    isSoon: leftMs >= 0 && leftMs < day,
    isSettled: isOver,
    look: lookOf(value, date),
    actors: actorsOf(value, (party) => text(nameOfParty(party))),
    lastBy: text(nameOf(present, 'user')),
  };
}

function actorsOf(record: unknown, nameOfParty: (id: string) => string): Party[] {
  const { groups, users } = presentParties(record);
  const party = (kind: Party['kind']) => (id: string) => ({ kind, id, name: nameOfParty(id) });
  return [...users.map(party('user')), ...groups.map(({ id }) => party('group')(id))];
}

/** Late requests first, then groups. The most urgent request decides where its group comes. */
export const byGroup =
  (group: Grouping): Arrange =>
  (rows) => {
    const sorted = readRows(rows);
    const groups = new Map<string, BoardRow[]>();
    for (const row of sorted.filter(({ isLate }) => !isLate)) {
      const name = row[group] || `(no ${group})`;
      const members = groups.get(name);
      if (members) members.push(row);
      else groups.set(name, [row]);
    }
    return filled([
      { heading: 'Late', rows: sorted.filter(({ isLate }) => isLate), isLate: true },
      ...[...groups].map(([heading, members]) => ({
        heading,
        rows: members,
        isStatus: group === 'status',
      })),
      unreadable(rows),
    ]);
  };

/** The rows that could be read, the most urgent first. */
export const readRows = (rows: readonly BoardRow[]): BoardRow[] =>
  rows.filter(({ problem }) => problem === undefined).sort(byUrgency);

export const unreadable = (rows: readonly BoardRow[]): Section => ({
  heading: 'Could not be read',
  rows: rows.filter(({ problem }) => problem !== undefined),
});

export const filled = (sections: readonly Section[]): Section[] =>
  sections.filter((section) => section.rows.length > 0);

/** By due date; then those without one, then those that are done, from the newest to the oldest. */
function byUrgency(a: BoardRow, b: BoardRow): number {
  if (a.isSettled !== b.isSettled) return Number(a.isSettled) - Number(b.isSettled);
  const never = Number.POSITIVE_INFINITY;
  if (a.isSettled) return Number(b.since ?? 0) - Number(a.since ?? 0);
  const [first, second] = [Number(a.due ?? never), Number(b.due ?? never)];
  return first === second ? 0 : first - second;
}

export function totalsOf(rows: readonly BoardRow[]): string {
  const counts: [number, string][] = [
    [rows.filter(({ isLate }) => isLate).length, 'late'],
    [rows.filter(({ isSoon }) => isSoon).length, 'due in 24 h'],
    [rows.filter(isMissing).length, 'missing materials'],
    [rows.filter((row) => row.isSettled).length, 'done'],
    [rows.filter(({ problem }) => problem !== undefined).length, 'not read'],
  ];
  const parts = counts.filter(([count], at) => count > 0 || at === 0);
  const words = parts.map(([count, what]) => `${count === 0 ? 'none' : count} ${what}`);
  return `${plural(rows.length, 'request')}: ${words.join(', ')}`;
}

const isMissing = ({ missing, isSettled: isOver }: BoardRow) => missing.length > 0 && !isOver;

/** The record of the service, and the facts of the board in one more field. */
export function boardRecord(row: BoardRow, now: Date, more: object = {}): ServiceRecord {
  const { record, due, since, isLate, isSettled: isOver, missing, actors, lastBy } = row;
  const tree = record?.tree ?? null;
  const facts = {
    late: isLate,
    due: due?.toISOString() ?? null,
    timeLeftMs: due && !isOver ? due.getTime() - now.getTime() : null,
    since: since?.toISOString() ?? null,
    missing: [...missing],
    canAct: actors.map(({ kind, id, name }) => ({ kind, id, name })),
    lastStatusBy: lastBy || null,
    ...more,
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
    {
      title: 'Can act',
      path: 'board.canAct',
      importance: 2,
      read: (wr) => items(wr, 'board.canAct').map((party) => valueAt(party, 'name')),
    },
    { title: 'Last status by', path: 'board.lastStatusBy', importance: 1 },
  ],
};
