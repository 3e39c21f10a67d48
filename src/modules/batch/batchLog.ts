import { resourceNoun, resources } from '../../core/api/endpoints.ts';
import { forPerson, MarError, orUndefined } from '../../core/errors.ts';
import { resolveLinks } from '../../core/files/paths.ts';
import { valueAt } from '../../core/json/fields.ts';
import { type JsonObject, toPlain } from '../../core/json/value.ts';
import type {
  AccountLog,
  PlacedOrder,
  RowSettlement,
  Settlement,
  WriteOutcome,
} from '../../core/log/accountLog.ts';
import { deadlineOf } from '../../core/records/lateness.ts';
import { keyOfRecord } from '../../core/rows/rowKey.ts';
import type { Context } from '../../core/session/context.ts';
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
  settleSafely,
} from '../../core/writes/index.ts';
import type { Journal } from './journal/journal.ts';
import type { BatchInput } from './rules.ts';
import type { RowOutcome } from './runner/outcomes.ts';
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
  const { session, reporter, world } = context;
  const source = orderSource(context, endpointId, input);
  // `--check` needs no account.
  const identity = orUndefined(() => session.identity());
  const log = source
    ? identity && (await openLog(context, source.log))
    : identity && (await session.log());
  const { again } = input.options;
  const isRepeated = sendsAgain(input);
  const journal = resolveLinks(settings.journal);
  const orders: RowOrder[] = [];
  /** Earlier orders that the rows were compared with. */
  const compared = new Set<string>();
  const texts = new Map<string, string>();
  /** Most rows of a long file repeat these; one copy of each is enough. */
  const once = (text: string) => {
    if (!texts.has(text)) texts.set(text, text);
    return texts.get(text) ?? text;
  };

  return {
    add(row: number, record: JsonObject): void {
      const order = newOrder(context, endpointId, record);
      if (!order) return;
      const key = known.keys[row - 1] ?? '';
      const date = session.clock.date(deadlineOf(record, 'due'));
      const due = date && formatDate(date, valueAt(toPlain(record), 'due.tz'));
      const { place, wants } = order;
      orders.push({
        ...{ place: once(place), wants: once(wants), row, key },
        ...{ due: due && once(due), record: keyOfRecord(record) },
      });
    },
    /** The number of rows to send that may have been ordered before. */
    doubtful: 0,
    versions(): Versions {
      // For people, who look before they send.
      if (input.options.check || reporter.isInteractive) warnOfRepeats(context, orders);
      if (!log || !source) return noVersions;
      const { found, logged, ...versions } = compareVersions(context, log, orders, known, journal);
      for (const one of logged) compared.add(nameOf(one));
      if (isRepeated) {
        this.doubtful = found.filter(({ same }) => same?.outcome === 'unknown').length;
        return { ...versions, placed: [], problems: [] };
      }
      if (again !== 'changed') return versions;
      return { ...versions, placed: versions.placed.filter(({ state }) => state === 'unchanged') };
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
function warnOfRepeats({ reporter }: Context, orders: readonly RowOrder[]) {
  const placed = orders.filter(({ place }) => place !== '');
  const byOrder = groupBy(placed, ({ place, wants }) => `${place}: ${wants}`);
  const repeats = [...byOrder].filter(([, same]) => same.length > 1);
  const [first] = repeats;
  if (!first) return;
  const [order, same] = first;
  const rows = same.map(({ row }) => row);
  const more = repeats.length > 1 ? `; so do ${repeats.length - 1} other groups of rows` : '';
  const message = `${rowRanges(rows)} order the same (${order}), with other details${more}`;
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

const outcomes: Partial<Record<RowOutcome['kind'], WriteOutcome>> = {
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
  let settled: RowSettlement[] = [];
  const record = async (end: object = {}) => {
    const all = settled;
    settled = [];
    const outcome = { write: name, rows: all, lines: journal.syncedLines, ...end };
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
      const { rows: _, ...counts } = journal.states.summarise();
      await record({ as: 'ended', counts });
      const { done, unchanged } = counts;
      if (undone && done + unchanged === journal.states.summarise().rows) {
        await settleRuns(context, log, undone, { as: 'taken-back' });
      }
    },
  };
}

/** Records something about all runs of a batch. */
async function settleRuns(
  context: Context,
  log: AccountLog,
  batch: string,
  outcome: Pick<Settlement, 'as' | 'counts'>,
): Promise<void> {
  const { baseUrl, email } = context.session.identity();
  const runs = log.writes(baseUrl.href, email).filter((write) => write.batch?.id === batch);
  const outcomes = runs.map(({ write }) => ({ write, ...outcome }));
  await settleSafely(log, outcomes, context);
}
