import { resourceNoun, resources } from '../../core/api/endpoints.ts';
import { forPerson, MarError, orUndefined, type RowProblem } from '../../core/errors.ts';
import { resolveLinks } from '../../core/files/paths.ts';
import type { JsonObject } from '../../core/json/value.ts';
import type {
  AccountLog,
  NewOrder,
  PlacedOrder,
  RowSettlement,
  Settlement,
  WriteOutcome,
} from '../../core/log/accountLog.ts';
import type { Row } from '../../core/rows/row.ts';
import type { Context } from '../../core/session/context.ts';
import { groupBy } from '../../core/values/groupBy.ts';
import { rowRanges } from '../../core/values/numbers.ts';
import {
  compareOrders,
  describeEarlier,
  type Earlier,
  earlierFacts,
  loggedOrders,
  newOrder,
  openLog,
  orderSource,
  settleSafely,
} from '../../core/writes/index.ts';
import type { Journal } from './journal/journal.ts';
import type { ReplayedJournal } from './journal/replay.ts';
import type { BatchInput } from './rules.ts';
import type { RowOutcome } from './runner/outcomes.ts';

/** Outcomes are recorded in steps, so that a killed run leaves few rows without one. */
const settledAtOnce = 500;

interface RowOrder extends NewOrder {
  row: number;
  line: number;
  key: string;
}

/** The keys of the rows of an input, and its journal if it has one. */
export interface KnownInput {
  keys: readonly string[];
  journal: ReplayedJournal | undefined;
}

export type OutcomeRecorder = ReturnType<typeof outcomeRecorder>;

/** A batch in the log of its account: which rows were ordered before, and what becomes of this run. */
export async function batchLog(context: Context, file: BatchInput, known: KnownInput) {
  const { endpointId, input, settings, rules, undone, words } = file;
  const { session, reporter, world } = context;
  const source = orderSource(context, endpointId, input);
  // `--check` needs no account.
  const identity = orUndefined(() => session.identity());
  const log = source
    ? identity && (await openLog(context, source.log))
    : identity && (await session.log());
  const again = source?.again === true;
  const journal = resolveLinks(settings.journal);
  const isExempt = exemption(journal, known);
  const orders: RowOrder[] = [];
  const texts = new Map<string, string>();
  /** Most rows of a long file repeat these; one copy of each is enough. */
  const once = (text: string) => {
    if (!texts.has(text)) texts.set(text, text);
    return texts.get(text) ?? text;
  };
  const compare = (logged: readonly PlacedOrder[]) =>
    compareOrders(context, orders, logged, isExempt);

  return {
    add({ number, line }: Row, record: JsonObject): void {
      const order = newOrder(context, endpointId, record);
      if (!order) return;
      const key = known.keys[number - 1] ?? '';
      const { place, wants } = order;
      orders.push({ place: once(place), wants: once(wants), row: number, line, key });
    },
    /** The number of rows to send that may have been ordered before. */
    doubtful: 0,
    problems(): RowProblem[] {
      // For people, who look before they send.
      if (input.options.check || reporter.isInteractive) warnOfRepeats(context, orders);
      const found = log ? compare(loggedOrders(context, log, orders)) : [];
      if (again) {
        this.doubtful = found.filter(({ same }) => same?.outcome === 'unknown').length;
        return [];
      }
      const similar = found.filter((one) => !one.same && one.similar);
      const earlier = similar[0]?.similar;
      if (earlier) {
        const rows = rowRanges(similar.map(({ order }) => order.row));
        const message = `${rows}: ordered before for the same asset, language and territory, with other wishes. The first: ${describeEarlier(earlier)} (${earlier.wants || 'none'})`;
        reporter.warn('similar-order', message);
      }
      return found.flatMap(({ order: { row, line }, same }) => {
        if (!same) return [];
        const verb = same.outcome === 'unknown' ? 'may have been ordered' : 'ordered';
        const { id: _, row: __, ...run } = same;
        return {
          row,
          line,
          message: `${verb} before: ${describeEarlier(same)}`,
          cause: `${verb} before: ${describeEarlier(run)}`,
          earlier: earlierFacts(same),
          hint: forPerson('To order again what was ordered before, use --again.'),
        };
      });
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
      const check = (logged: readonly PlacedOrder[]) => refuseNew(compare(logged));
      const name = await log.intend(run, orders, again ? undefined : check);
      const rows = new Set(orders.map(({ row }) => row));
      orders.length = 0;
      return outcomeRecorder(context, { log, name, rows, journal: sent, undone: undone?.id });
    },
  };
}

/**
 * Which earlier orders do not count for a row. Its own order does not, unless the log knows more of it
 * than the journal: that is then an older copy. Nor do the orders of other rows of the same file, as
 * long as the file has these rows.
 */
function exemption(path: string, { keys, journal }: KnownInput) {
  const present = new Set(keys);
  return (order: NewOrder, { outcome, id, key, batch }: Earlier): boolean => {
    if (!batch) return outcome === 'seen' && journal?.createdIds.has(id ?? '') === true;
    const isOwn = batch.id === journal?.header.id;
    if (!isOwn && (batch.journal === path || inputOf(batch.journal) !== inputOf(path)))
      return false;
    if (key !== order.key) return present.has(key ?? '');
    return isOwn && outcome === 'unknown' && journal.end.line >= batch.lines;
  };
}

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

/** The file that a shard is a part of; the journal itself, if it is of the whole file. */
const inputOf = (journal: string) => journal.replace(/\.\d+-of-\d+\.mar-journal$/, '');

/** Another process has placed these orders since they were compared. */
function refuseNew(found: ReturnType<typeof compareOrders<RowOrder>>): void {
  const same = found.flatMap(({ order, same: earlier }) =>
    earlier ? [{ row: order.row, earlier }] : [],
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
