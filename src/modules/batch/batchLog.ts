import { resourceNoun, resources } from '../../core/api/endpoints.ts';
import { forPerson, MarError, orUndefined } from '../../core/errors.ts';
import { resolveLinks } from '../../core/files/paths.ts';
import { valueAt } from '../../core/json/fields.ts';
import { type JsonObject, toPlain } from '../../core/json/value.ts';
import type {
  AccountLog,
  NewOrder,
  PlacedOrder,
  RowSettlement,
  Settlement,
  WriteOutcome,
} from '../../core/log/accountLog.ts';
import { deadlineOf } from '../../core/records/lateness.ts';
import { keyOfRecord } from '../../core/rows/rowKey.ts';
import type { Context } from '../../core/session/context.ts';
import { batchKey, track } from '../../core/session/tracked.ts';
import { groupBy } from '../../core/values/groupBy.ts';
import { rowRanges } from '../../core/values/numbers.ts';
import { formatDate } from '../../core/values/time.ts';
import {
  type ComparedOrder,
  compareOrders,
  describeEarlier,
  earlierFacts,
  newOrder,
  openLog,
  orderSource,
  sendsAgain,
} from '../../core/writes/placedBefore.ts';
import { settleSafely } from '../../core/writes/recordIntent.ts';
import type { JournalEvent } from './journal/format.ts';
import type { Journal } from './journal/journal.ts';
import { latestEvent, type ReplayedJournal } from './journal/replay.ts';
import type { RowStates } from './journal/rowStates.ts';
import type { BatchInput } from './rules.ts';
import type { RowOutcome } from './runner/sendRow.ts';
import {
  compareVersions,
  exemption,
  type KnownInput,
  noVersions,
  type RowOrder,
  type Versions,
} from './versions.ts';

/** Outcomes are recorded in steps, so that a killed run leaves few rows without one. */
const settledAtOnce = 500;

export type OutcomeRecorder = ReturnType<typeof outcomeRecorder>;

/** A batch in the log of its account: what was ordered before, and what becomes of this run. */
export async function batchLog(context: Context, file: BatchInput, known: KnownInput) {
  const { endpointId, input, settings, rules, undone, words } = file;
  const { session, world } = context;
  const source = orderSource(endpointId, input);
  // `--check` needs no account.
  const identity = orUndefined(() => session.identity());
  const log = source
    ? identity && (await openLog(context, source.log))
    : identity && (await session.log());
  const { again } = input.options;
  const isRepeated = sendsAgain(input);
  const journal = resolveLinks(settings.journal);
  const { shard } = settings;
  const orders: RowOrder[] = [];
  /** Earlier orders that the rows were compared with. */
  const compared = new Set<string>();

  return {
    add(row: number, record: JsonObject, isElsewhere = false): void {
      const order = newOrder(context, endpointId, record);
      if (!order) return;
      const key = known.keys[row - 1] ?? '';
      const date = session.clock.date(deadlineOf(record, 'due'));
      const due = date && formatDate(date, valueAt(toPlain(record), 'due.tz'));
      orders.push({ ...order, row, key, due, record: keyOfRecord(record), isElsewhere });
    },
    /** The number of rows to send that may have been ordered before. */
    doubtful: 0,
    /** The number of rows to send that were ordered before. */
    repeated: 0,
    versions(): Versions {
      if (!log || !source) {
        warnOfRepeats(context, orders);
        return noVersions;
      }
      const { found, logged, ...versions } = compareVersions(context, log, orders, known, {
        shard,
        journal,
      });
      for (const one of logged) compared.add(nameOf(one));
      const rowOf = new Map(logged.length > 0 ? known.keys.map((key, at) => [key, at + 1]) : []);
      const done = logged.map((one) => ({ ...one, row: rowOf.get(one.key ?? '') ?? 0 }));
      const sent = new Set(versions.placed.map(({ row }) => row));
      const all = [
        ...done.filter(({ row }) => row > 0),
        ...orders.filter(({ row }) => !sent.has(row)),
      ];
      warnOfRepeats(context, all);
      if (isRepeated) {
        this.doubtful = found.filter(({ same }) => same?.outcome === 'unknown').length;
        this.repeated = versions.placed.length;
        return { ...versions, placed: [], again: versions.placed, problems: [] };
      }
      if (again !== 'changed') return versions;
      const inState = (state: string) => versions.placed.filter((one) => one.state === state);
      return { ...versions, placed: inState('unchanged'), again: inState('changed') };
    },
    /** Before a run of the same journal. */
    async settleEarlier(known: KnownRows): Promise<void> {
      if (log) await settleRuns(context, log, known);
    },
    /** Records what is about to be sent. Returns what records the outcomes. */
    async begin(sent: Journal, isSent: (row: number) => boolean) {
      if (!log || !identity) return undefined;
      const placed = orders.filter(({ row }) => isSent(row));
      orders.splice(0, orders.length, ...placed);
      const { resource } = rules.endpoint;
      const run = {
        at: world.now().toISOString(),
        service: identity.baseUrl.href,
        account: identity.email,
        by: world.agent ?? `mar ${words}`,
        endpoint: endpointId,
        what: {
          kind: resources.find((one) => one.resource === resource)?.name ?? resourceNoun(resource),
        },
        file: settings.name,
        batch: {
          journal,
          id: sent.id,
          lines: sent.syncedLines,
          rows: sent.states.summarise().rows,
          undoOf: undone?.id,
        },
      };
      const isExempt = exemption(known.keys, known.journal);
      const refuseNew = (logged: readonly PlacedOrder[]) => {
        const added = logged.filter((one) => !compared.has(nameOf(one)));
        refuseSame(compareOrders(context, orders, added, isExempt));
      };
      const name = await log.intend(run, orders, isRepeated ? undefined : refuseNew);
      const rows = new Set(orders.map(({ row }) => row));
      orders.length = 0;
      return outcomeRecorder(context, { log, name, rows, journal: sent, undone: undone?.id });
    },
  };
}

const nameOf = ({ write, row }: PlacedOrder) => `${write} ${row}`;

/** Rows with the same wishes for the same place may be two versions, or one order that is there twice. */
function warnOfRepeats({ reporter }: Context, orders: readonly NewOrder[]) {
  const placed = orders.filter(({ place }) => place !== '');
  const repeats = [...groupBy(placed, ({ place, wants }) => `${place}: ${wants}`)]
    .map(([order, same]) => [order, new Set(same.map(({ row = 0 }) => row))] as const)
    .filter(([, rows]) => rows.size > 1);
  const [first] = repeats;
  if (!first) return;
  const [order, rows] = first;
  const more = repeats.length > 1 ? `; so do ${repeats.length - 1} other groups of rows` : '';
  const message = `${rowRanges([...rows].sort((a, b) => a - b))} order the same (${order}); other details do not count${more}`;
  reporter.warn('repeated-order', message);
}

/** Another process has placed these orders since they were compared. */
function refuseSame(found: readonly ComparedOrder<RowOrder>[]): void {
  const same = found.flatMap(({ order, same: earlier }) =>
    earlier?.write ? [{ row: order.row, earlier }] : [],
  );
  const [first] = same;
  if (!first) return;
  const rows = rowRanges(same.map(({ row }) => row));
  const message = `${rows}: ordered a moment ago: ${describeEarlier(first.earlier)}`;
  throw new MarError('placed-before', message, {
    hint: forPerson('Nothing was sent. To send them all the same, use --again.'),
    earlier: same.map(({ earlier }) => earlierFacts(earlier)),
  });
}

/** The outcome in the log, by the outcome of a row or by its event in the journal. */
const outcomes: Partial<Record<string, WriteOutcome>> = {
  done: 'done',
  failed: 'refused',
  invalid: 'refused',
  conflict: 'refused',
  unknown: 'unknown',
};

interface RecordedRun {
  log: AccountLog;
  name: string;
  /** The orders without an outcome. */
  rows: Set<number>;
  journal: Journal;
  /** The batch that this one takes back. */
  undone: string | undefined;
}

function outcomeRecorder(context: Context, { log, name, rows, journal, undone }: RecordedRun) {
  const settled: RowSettlement[] = [];
  const record = async (end: object = {}) => {
    const outcome = { write: name, rows: settled.splice(0), lines: journal.syncedLines, ...end };
    await settleSafely(log, [outcome], context);
  };
  return {
    async settle(row: number, outcome: RowOutcome): Promise<void> {
      const as = outcomes[outcome.kind];
      if (!as || !rows.delete(row)) return;
      settled.push('id' in outcome ? [row, as, outcome.id] : [row, as]);
      if (settled.length === settledAtOnce) await record();
    },
    /** Rows that were sent, and whose outcome could not be saved, are unknown. No other row was sent. */
    async close(): Promise<void> {
      for (const row of rows) {
        if (journal.states.get(row) !== 'pending') settled.push([row, 'unknown']);
      }
      const counts = countsOf(journal.states);
      await record({ as: 'ended', counts });
      const { done, unchanged } = counts;
      if (undone && done + unchanged === journal.states.summarise().rows) {
        const runs = runsOf(context, log, undone);
        const takenBack = runs.map(({ write }) => ({ write, as: 'taken-back' as const }));
        await settleSafely(log, takenBack, context);
      }
    },
  };
}

/** The rows of a journal that nobody else uses now, by their keys. */
type KnownRows = Pick<ReplayedJournal, 'path' | 'states' | 'keys'> & { id: string };

/**
 * Copies what a journal knows of its orders to the log: the process of an earlier run may have been killed
 * before it did that, and people decide about rows later. Their work requests are put on the list of `today`.
 */
export async function settleRuns(
  context: Context,
  log: AccountLog,
  journal: KnownRows,
  decided: ReadonlySet<number> = new Set(),
) {
  const { id: batch, keys, states } = journal;
  const counts = countsOf(states);
  const placed = log.find(context.session.identity().baseUrl.href, new Set(), new Set([batch]));
  const rowsNow = new Map(placed.length > 0 ? keys.map((key, index) => [key, index + 1]) : []);
  const rowNow = ({ row = 0, key = '' }: PlacedOrder) =>
    (keys[row - 1] === key ? row : rowsNow.get(key)) ?? 0;
  const open = placed.filter((one) => one.outcome === 'unknown' || decided.has(rowNow(one)));
  const created: string[] = [];
  const settled = runsOf(context, log, batch).flatMap((run): Settlement[] => {
    const isOpen = run.outcome === 'unknown';
    const own = open.filter(({ write }) => write === run.write);
    if (!isOpen && !run.counts?.unknown && own.length === 0 && decided.size === 0) return [];
    const rows = own.flatMap((one): RowSettlement[] => {
      const now = rowNow(one);
      const { id, ...event } = now ? latestEvent(journal, now) : {};
      const as = outcomeIn(event);
      if (as === 'done' && id && run.endpoint === 'workRequestCreate') created.push(id);
      return as ? [[one.row ?? 0, as, id]] : [];
    });
    const isEnded = isOpen && rows.length === own.length;
    return [{ write: run.write, ...(isEnded && { as: 'ended' }), counts, rows }];
  });
  await track(context.session, created, batchKey(journal.path));
  await settleSafely(log, settled, context);
}

function countsOf(states: RowStates) {
  const { rows: _, ...counts } = states.summarise();
  return { ...counts, resent: states.resent().length };
}

const outcomeIn = ({ event, as }: Partial<JournalEvent>): WriteOutcome | undefined =>
  event === 'resolved' ? (as === 'created' ? 'done' : 'refused') : event && outcomes[event];

function runsOf({ session }: Context, log: AccountLog, id: string) {
  const { baseUrl, email } = session.identity();
  return log.writes(baseUrl.href, email).filter(({ batch }) => batch?.id === id);
}
