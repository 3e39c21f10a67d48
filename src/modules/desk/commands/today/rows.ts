import { nameOf } from '../../../../core/commands/viewParts.ts';
import { workRequestView } from '../../../../core/commands/wr/view.ts';
import { items, valueAt } from '../../../../core/json/fields.ts';
import { isListDrawn } from '../../../../core/output/printResults.ts';
import type { View } from '../../../../core/output/viewType.ts';
import { actorsIn, territoryUsers } from '../../../../core/reads/actors.ts';
import { type Reading, readWorkRequests } from '../../../../core/reads/workRequests.ts';
import {
  isDueSoon,
  isLate,
  presentEntry,
  timeLeft,
  timeLeftColour,
} from '../../../../core/records/lateness.ts';
import {
  changesBetween,
  describeChanges,
  lookOf,
  safeText,
} from '../../../../core/records/look.ts';
import type { Context } from '../../../../core/session/context.ts';
import { followed, savedLooks } from '../../../../core/session/tracked.ts';
import { sanitise } from '../../../../core/values/sanitise.ts';

/* The work requests of `today`: the facts about each. */

export type Row = Awaited<ReturnType<typeof rowsOf>>[number] & {
  /** Lines below the request that replace the reason why it is not done. */
  details?: readonly string[];
};

/** A request is in one of these groups. */
export const groups = {
  late: { heading: 'Late', inCounts: 'late' },
  'due-soon': { heading: 'Due in 24 hours', inCounts: 'due in 24 h' },
  blocked: { heading: 'Blocked, waiting or missing materials', inCounts: 'blocked' },
  changed: { heading: 'Changed since you last looked', inCounts: 'changed' },
  other: { heading: 'Others', inCounts: 'on time' },
  'no-due-date': { heading: 'No due date', inCounts: 'without a due date' },
  finished: { heading: 'Finished', inCounts: 'finished' },
  unread: { heading: 'Could not be read', inCounts: 'not read' },
};

/** True for sections on a screen, false for a list of records. */
export const isDrawn = ({ flags, session, world }: Context): boolean =>
  isListDrawn(flags, session.settings.output, world.streams.stdout);

export const readRequests = (context: Context, ids: readonly string[]) =>
  readWorkRequests(context, ids, {
    isDrawn: isDrawn(context),
    onRecord(record) {
      // Read beside the work requests. A failure is that of `rowsOf`, which needs them.
      territoryUsers(context, [record]).catch(() => {});
    },
  });

export async function rowsOf(context: Context, readings: readonly Reading[]) {
  const { clock } = context.session;
  const { now, date } = clock;
  const actorsOf = await actorsIn(
    context,
    readings.map(({ record }) => record?.value),
  );
  const seen = savedLooks(context.session, 'Mark');
  const batches = new Map(followed(context.session).map(({ id, batch }) => [id, batch]));
  return readings.map(({ id, record, error }) => {
    const value = record?.value;
    const look = lookOf(value, date, clock.service());
    const { status, due } = look;
    const { rule, awaited, canAct, waits } = actorsOf(value);
    const { meaning, isSettled: isOver } = rule;
    const timeLeftMs = due === undefined || isOver ? null : Date.parse(due) - now.getTime();
    const present = presentEntry(value, { date });
    const before = record && seen.get(id);
    const changes = before ? changesBetween(before, look) : [];
    const missing = items(value, 'materials')
      .filter((material) => valueAt(material, 'complete') === false)
      .map((material) => safeText(valueAt(material, 'name')) || '(unnamed)');
    const groupOf = (): keyof typeof groups => {
      if (!record) return 'unread';
      if (isOver) return 'finished';
      if (isLate(timeLeftMs)) return 'late';
      if (isDueSoon(timeLeftMs)) return 'due-soon';
      if (missing.length > 0 || meaning === 'blocked') return 'blocked';
      if (changes.length > 0) return 'changed';
      return due === undefined ? 'no-due-date' : 'other';
    };
    return {
      id: sanitise(id),
      record,
      /** Why the request could not be read. A drawing does not go through `report`, which makes it safe. */
      problem: error && sanitise(context.world.redactor.clean(error.message)),
      status,
      language: safeText(valueAt(value, 'language')),
      territory: safeText(valueAt(value, 'territory')),
      asset: safeText(nameOf(value, 'asset')),
      assetId: safeText(valueAt(value, 'asset._id')),
      project: safeText(nameOf(value, 'project')),
      projectId: safeText(valueAt(value, 'project._id')),
      /** `overdue 5 d`, `3 h left`, `done 20 d ago`. */
      timeLeft: timeLeft(value, clock) || (record ? 'no due date' : ''),
      colour: timeLeftColour(value, clock),
      reason: safeText(valueAt(value, 'reason')),
      awaited,
      waits,
      /** The changes to mark, in words. */
      changed: describeChanges(changes),
      /** The field that the records for programs have in addition. */
      board: {
        late: isLate(timeLeftMs),
        due: due ?? null,
        timeLeftMs,
        since: date(valueAt(present, 'date'))?.toISOString() ?? null,
        missing,
        waitsFor: awaited.map(({ id, name, role, because }) => ({ id, name, role, because })),
        /** The users and groups of the asset's present phase. */
        canAct,
        lastStatusBy: safeText(nameOf(present, 'user')) || null,
        /** Since a person last saw it on a screen. One that nobody saw has none. */
        changes,
        /** The file of the batch that created it. */
        batch: batches.get(id) || null,
        meaning,
        group: groupOf(),
      },
    };
  });
}

/** Late, due soon, blocked, changed or not read: that may be late too. */
export const isNeedy = ({ board }: Row): boolean =>
  ['late', 'due-soon', 'blocked', 'changed', 'unread'].includes(board.group);

/** By due date; then those without one and those that are done, from the newest to the oldest. */
export function byUrgency({ board: a }: Row, { board: b }: Row): number {
  const left = ({ timeLeftMs }: Row['board']) => timeLeftMs ?? Number.MAX_VALUE;
  return left(a) - left(b) || (b.since ?? '').localeCompare(a.since ?? '');
}

const partiesColumn = (path: string) => ({
  path,
  read: (wr: unknown) => items(wr, path).map((party) => valueAt(party, 'name')),
});

export const todayView: View = {
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
    { ...partiesColumn('board.waitsFor'), title: 'Waits for', importance: 3 },
    { ...partiesColumn('board.canAct'), title: 'Can act', importance: 2 },
    { title: 'Last status by', path: 'board.lastStatusBy', importance: 1 },
  ],
};
