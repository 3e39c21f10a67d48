import { endpoints } from '../../api/endpoints.ts';
import { MarError } from '../../errors.ts';
import { items, valueAt } from '../../json/fields.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { isListDrawn } from '../../output/printResults.ts';
import { Progress } from '../../output/progress.ts';
import type { View } from '../../output/view.ts';
import { isDueSoon, isLate, presentEntry, timeLeft } from '../../records/lateness.ts';
import { changesBetween, describeChanges, lookOf, safeText } from '../../records/look.ts';
import { isSettled } from '../../records/status.ts';
import { namesIn, presentParties } from '../../records/workflow.ts';
import type { Context } from '../../session/context.ts';
import { looks } from '../../session/tracked.ts';
import { defaultConcurrency, Semaphore, settle } from '../../values/concurrency.ts';
import { formatSeconds } from '../../values/duration.ts';
import { groupDigits, plural } from '../../values/numbers.ts';
import { sanitise } from '../../values/sanitise.ts';
import { nameOf } from '../viewParts.ts';
import { workRequestView } from './view.ts';

/* The work requests of a board and of `today`: reading them, the facts about each, their order. */

export const groupings = ['status', 'language', 'territory', 'asset'] as const;
export type Grouping = (typeof groupings)[number];

export type BoardRow = ReturnType<typeof rowsOf>[number];

export interface Section {
  heading: string;
  /** For programs. */
  name?: string;
  rows: readonly BoardRow[];
}

/** Sorts rows, which come in the order of their urgency, into the sections of a board. */
export type Arrange = (rows: readonly BoardRow[]) => Section[];

export interface Reading {
  id: string;
  record?: ServiceRecord;
  error?: MarError;
}

/**
 * Reads all work requests, some at a time. A failure is part of the result. If the user stops the
 * command, returns those that were read.
 */
export async function readBoard(context: Context, ids: readonly string[]): Promise<Reading[]> {
  if (ids.length === 0) return [];
  const client = await context.session.client();
  let count = 0;
  const progress = new Progress(context.reporter.progressOptions, (elapsedMs) => [
    `${groupDigits(count)} of ${groupDigits(ids.length)} work requests`,
    formatSeconds(elapsedMs / 1000),
  ]);
  // Not `mapConcurrently`, which keeps the order: one slow request would hold up all after it.
  const places = new Semaphore(context.session.settings.concurrency ?? defaultConcurrency.reads);
  const read = async (id: string): Promise<Reading[]> => {
    const call = () => client.call(endpoints.workRequestGet, { id });
    const { result: record, error } = await settle(places.run(call));
    count += 1;
    if (record) return [{ id, record: isBoardDrawn(context) ? shortened(record) : record }];
    if (context.world.signal.aborted) return [];
    if (error instanceof MarError) return [{ id, error }];
    throw error;
  };
  try {
    return (await Promise.all(ids.map(read))).flat();
  } finally {
    progress.end();
  }
}

/** Long fields that no board shows. Thousands of work requests with their subtitles would fill the memory. */
const longFields = ['translation', 'graphicsTranslation', 'instructions', 'recipients', 'files'];

function shortened({ value }: ServiceRecord): ServiceRecord {
  const fields = Object.entries(value ?? {}).filter(([name]) => !longFields.includes(name));
  return new ServiceRecord(Object.fromEntries(fields), '');
}

/** True for a board, false for a list of records. */
export const isBoardDrawn = ({ flags, session, world }: Context): boolean =>
  isListDrawn(flags, session.settings.output, world.streams.stdout);

/** On a board, messages do not go through `report`, which makes them safe. */
export const safeMessage = ({ world }: Context, { message }: MarError): string =>
  sanitise(world.redactor.clean(message));

export function rowsOf(context: Context, readings: readonly Reading[]) {
  const { now, date } = context.session.clock;
  const seen = looks(context.session);
  // A record may name a group only by an id that another record has the name of.
  const names = new Map<string, string>();
  for (const { record } of readings) namesIn(record?.value, names);
  const party = (kind: 'user' | 'group') => (id: string) => {
    return { kind, id, name: safeText(names.get(id) ?? context.session.userName(id) ?? id) };
  };
  return readings.map(({ id, record, error }) => {
    const value = record?.value;
    const look = lookOf(value, date);
    const { status, due } = look;
    const isOver = isSettled(status);
    const timeLeftMs = due === undefined || isOver ? null : Date.parse(due) - now.getTime();
    const present = presentEntry(value, { date });
    const before = record && seen.get(id);
    const changes = before ? changesBetween(before, look) : [];
    const { users, groups } = presentParties(value);
    return {
      id: sanitise(id),
      record,
      /** Why the request could not be read. */
      problem: error && safeMessage(context, error),
      status,
      language: safeText(valueAt(value, 'language')),
      territory: safeText(valueAt(value, 'territory')),
      asset: safeText(nameOf(value, 'asset')),
      /** `overdue 5 d`, `3 h left`, `done 20 d ago`. */
      timeLeft: timeLeft(value, { date, now }) || (record ? 'no due date' : ''),
      reason: safeText(valueAt(value, 'reason')),
      isSoon: isDueSoon(timeLeftMs),
      isSettled: isOver,
      look,
      /** The changes to mark, in words. */
      changed: describeChanges(changes),
      /** The field that the records for programs have in addition. */
      board: {
        late: isLate(timeLeftMs),
        due: due ?? null,
        timeLeftMs,
        since: date(valueAt(present, 'date'))?.toISOString() ?? null,
        missing: items(value, 'materials')
          .filter((material) => valueAt(material, 'complete') === false)
          .map((material) => safeText(valueAt(material, 'name')) || '(unnamed)'),
        /** The users and groups of the asset's present phase. */
        canAct: [...users.map(party('user')), ...groups.map(({ id }) => party('group')(id))],
        lastStatusBy: safeText(nameOf(present, 'user')) || null,
        /** Since it was last shown. One that was never shown has none. */
        changes,
      },
    };
  });
}

/** Late requests first, then groups. The most urgent request decides where its group comes. */
export const byGroup =
  (group: Grouping): Arrange =>
  (rows) => {
    const groups = new Map<string | undefined, BoardRow[]>();
    for (const row of rows) {
      const name = row.board.late ? undefined : row[group] || `(no ${group})`;
      groups.set(name, [...(groups.get(name) ?? []), row]);
    }
    return [...groups].map(([heading = 'Late', members]) => ({ heading, rows: members }));
  };

/** By due date; then those without one, then those that are done, from the newest to the oldest. */
function byUrgency(a: BoardRow, b: BoardRow): number {
  if (a.isSettled !== b.isSettled) return Number(a.isSettled) - Number(b.isSettled);
  if (a.isSettled) return (b.board.since ?? '').localeCompare(a.board.since ?? '');
  const left = ({ board }: BoardRow) => board.timeLeftMs ?? Number.MAX_VALUE;
  return left(a) - left(b);
}

/** The sections that have rows. */
export function sectionsOf(
  rows: readonly BoardRow[],
  arrange: Arrange,
  { listsUnreadable = false } = {},
): Section[] {
  const read = rows.filter(({ problem }) => problem === undefined);
  const unread = listsUnreadable ? rows.filter(({ problem }) => problem !== undefined) : [];
  const sections = [
    ...arrange(read.sort(byUrgency)),
    { heading: 'Could not be read', rows: unread },
  ];
  return sections.filter((section) => section.rows.length > 0);
}

export function totalsOf(rows: readonly BoardRow[]): string {
  const facts: [string, (row: BoardRow) => boolean][] = [
    ['late', ({ board }) => board.late],
    ['due in 24 h', ({ isSoon }) => isSoon],
    ['missing materials', (row) => row.board.missing.length > 0 && !row.isSettled],
    ['done', (row) => row.isSettled],
    ['not read', ({ problem }) => problem !== undefined],
  ];
  const counts = facts.map(([what, isTrue]) => [rows.filter(isTrue).length, what] as const);
  const parts = counts.filter(([count], at) => count > 0 || at === 0);
  const words = parts.map(([count, what]) => `${count || 'none'} ${what}`);
  return `${plural(rows.length, 'request')}: ${words.join(', ')}`;
}

export const boardView: View = {
  knownFields: workRequestView.knownFields,
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Status', path: 'status', kind: 'status', importance: 5 },
    { title: 'Late', path: 'board.late', importance: 4 },
    { title: 'Due', path: 'board.due', kind: 'time', importance: 4 },
    { title: 'Time left (ms)', path: 'board.timeLeftMs', kind: 'duration', importance: 1 },
    { title: 'Since', path: 'board.since', kind: 'time', importance: 1 },
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
