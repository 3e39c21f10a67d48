import { existsSync } from 'node:fs';
import { type Ledger, type NewOrder, others, type Settlement } from '../../core/config/ledger.ts';
import { forPerson, MarError, messageOf, orUndefined, type RowProblem } from '../../core/errors.ts';
import { resolveLinks } from '../../core/files/paths.ts';
import type { JsonObject } from '../../core/json/value.ts';
import type { Row } from '../../core/rows/row.ts';
import type { Context } from '../../core/session/context.ts';
import { groupBy } from '../../core/values/groupBy.ts';
import { rowRanges } from '../../core/values/numbers.ts';
import {
  compareOrder,
  describeEarlier,
  type Earlier,
  earlierFacts,
  findEarlier,
  isWithoutLedger,
  newOrder,
  openLedger,
  orderSource,
} from '../../core/writes/index.ts';
import type { BatchInput } from './rules.ts';
import type { RowOutcome } from './runner/outcomes.ts';

/** Outcomes are recorded in steps, so that a killed run leaves few rows without one. */
const settledAtOnce = 500;

export type OutcomeRecorder = ReturnType<typeof outcomeRecorder>;

/** The orders of the rows of a batch. Undefined if its rows are no orders. */
export async function rowOrders(context: Context, file: BatchInput) {
  const { endpointId, input, settings } = file;
  const source = orderSource(context, endpointId, input);
  const { session, reporter, world } = context;
  // `--check` needs no account.
  if (!source || !orUndefined(() => session.identity())) return undefined;
  const ledger = await openLedger(context, source.ledger);
  const { again } = source;
  const journal = resolveLinks(settings.journal);
  const hasJournal = existsSync(settings.journal);
  /** Not of this batch, whose journal has it, nor of another shard: its rows are others of the same file. */
  const isCompared = ({ journal: other = '' }: Earlier) =>
    other === journal ? !hasJournal : inputOf(other) !== inputOf(journal);
  const orders: (NewOrder & { row: number; line: number })[] = [];
  const texts = new Map<string, string>();
  /** Most rows of a long file repeat these; one copy of each is enough. */
  const once = (text: string) => {
    if (!texts.has(text)) texts.set(text, text);
    return texts.get(text) ?? text;
  };

  /** Finds the rows that were ordered before. */
  function compare(all: readonly Earlier[]) {
    const byPlace = groupBy(all.filter(isCompared), ({ place }) => place);
    const same: { row: number; line: number; earlier: Earlier }[] = [];
    const similar: typeof same = [];
    if (byPlace.size === 0) return { same, similar };
    for (const { row, line, ...order } of orders) {
      const found = compareOrder(context, order, byPlace.get(order.place) ?? []);
      const [last, other] = [found.same.at(-1), found.similar.at(-1)];
      if (last) same.push({ row, line, earlier: last });
      else if (other) similar.push({ row, line, earlier: other });
    }
    return { same, similar };
  }

  return {
    add({ number, line }: Row, record: JsonObject, key: string): void {
      const { place, wants, body } = newOrder(context, endpointId, record, key);
      orders.push({ place: once(place), wants: once(wants), body, row: number, line });
    },
    /** Rows to send that may have been ordered before. */
    doubtful: 0,
    async problems(): Promise<RowProblem[]> {
      // For people, who look before they send.
      if (input.options.check || reporter.isInteractive) warnOfRepeats(context, orders);
      const earlier = await findEarlier(context, source, orders);
      const { same, similar } = compare(earlier);
      if (again) {
        this.doubtful = same.filter((one) => one.earlier.outcome === 'unknown').length;
        return [];
      }
      const [first] = similar;
      if (first) {
        const rows = rowRanges(similar.map(({ row }) => row));
        const { earlier } = first;
        const message = `${rows}: ordered before for the same asset, language and territory, with other wishes. The first: ${describeEarlier(earlier)} (${earlier.wants || 'none'})`;
        reporter.warn('similar-order', message);
      }
      return same.map(({ row, line, earlier }) => {
        const verb = earlier.outcome === 'unknown' ? 'may have been ordered' : 'ordered';
        const { id: _, row: __, ...run } = earlier;
        return {
          row,
          line,
          message: `${verb} before: ${describeEarlier(earlier)}`,
          cause: `${verb} before: ${describeEarlier(run)}`,
          earlier: earlierFacts(earlier),
          hint: forPerson('To order again what was ordered before, use --again.'),
        };
      });
    },
    /** Records what is about to be sent. Returns what records the outcomes. */
    async place(isSent: (row: number) => boolean) {
      const { baseUrl, email } = session.identity();
      const run = {
        at: world.now().toISOString(),
        service: baseUrl.href,
        account: email,
        by: source.by,
        file: settings.name,
        journal,
      };
      const sent = orders.filter(({ row }) => isSent(row));
      if (!ledger || sent.length === 0) return undefined;
      try {
        const check = (earlier: readonly Earlier[]) => refuseNew(compare(earlier).same);
        const name = await ledger.place(run, sent, again ? undefined : check);
        orders.length = 0;
        return outcomeRecorder(context, ledger, name);
      } catch (error) {
        if (!isWithoutLedger(context, error, again)) throw error;
        return undefined;
      }
    },
  };
}

/** Rows with the same wishes for the same place may be two versions, or one order that is there twice. */
function warnOfRepeats({ reporter }: Context, orders: readonly (NewOrder & { row: number })[]) {
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
function refuseNew(same: readonly { row: number; earlier: Earlier }[]): void {
  const [first] = same;
  if (!first) return;
  const rows = rowRanges(same.map(({ row }) => row));
  const message = `${rows}: ordered a moment ago: ${describeEarlier(first.earlier)}`;
  throw new MarError('placed-before', message, {
    hint: forPerson('Nothing was sent. To send them all the same, use --again.'),
    earlier: same.map(({ earlier }) => earlierFacts(earlier)),
  });
}

const outcomes: Partial<Record<RowOutcome['kind'], Settlement['as']>> = {
  done: 'created',
  failed: 'refused',
  invalid: 'refused',
  conflict: 'refused',
  unknown: 'unknown',
};

function outcomeRecorder({ reporter }: Context, ledger: Ledger, run: string) {
  let settled: Settlement[] = [];
  const record = async () => {
    const all = settled;
    settled = [];
    // The journal has the outcomes too, so the rows go on.
    await ledger.settle(all).catch((error: unknown) => {
      const message = `the ledger cannot record the outcomes of rows: ${messageOf(error)}`;
      reporter.warn('not-recorded', message);
    });
  };
  return {
    async settle(row: number, outcome: RowOutcome): Promise<void> {
      const as = outcomes[outcome.kind];
      const id = 'id' in outcome ? outcome.id : undefined;
      if (as) settled.push({ order: `${run}/${row}`, as, id });
      if (settled.length === settledAtOnce) await record();
    },
    /** No other row was sent. */
    async close(): Promise<void> {
      settled.push({ order: `${run}${others}`, as: 'unsent' });
      await record();
    },
  };
}
