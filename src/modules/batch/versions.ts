import { forPerson, type RowProblem } from '../../core/errors.ts';
import type { AccountLog, NewOrder, PlacedOrder } from '../../core/log/accountLog.ts';
import type { Context } from '../../core/session/context.ts';
import { groupBy } from '../../core/values/groupBy.ts';
import { rowRanges } from '../../core/values/numbers.ts';
import { formatDate } from '../../core/values/time.ts';
import {
  type ComparedOrder,
  compareOrders,
  describeEarlier,
  type Earlier,
  earlierFacts,
} from '../../core/writes/placedBefore.ts';
import type { GoneOrder } from './journal/format.ts';
import type { ReplayedJournal } from './journal/replay.ts';
import { isInShard } from './journal/rowMatcher.ts';
import type { Shard } from './shards.ts';

/*
 * A sheet may be sent again, or in its next version, under any name: its rows are compared with the orders
 * of the earlier ones. Rows without an order are new.
 */

export interface KnownInput {
  keys: readonly string[];
  journal: ReplayedJournal | undefined;
  /** The journal has exactly these rows. */
  isSame: boolean;
}

export interface RowOrder extends NewOrder {
  row: number;
  key: string;
  /** It is sent by another shard, and only says what the sheet still has. */
  isElsewhere: boolean;
}

/** A row whose order exists. `changed`: the order was placed from another version of the row. */
export interface PlacedRow {
  row: number;
  state: 'unchanged' | 'changed';
  id?: string | undefined;
  message: string;
}

export interface Versions {
  placed: readonly PlacedRow[];
  /** Rows that are sent once more. */
  again?: readonly PlacedRow[];
  gone: readonly GoneOrder[];
  problems: readonly RowProblem[];
  /** The keys of all rows that the log has as ordered. */
  loggedKeys: ReadonlySet<string>;
}

export const noVersions: Versions = { placed: [], gone: [], problems: [], loggedKeys: new Set() };

/** The states of rows as orders, and what the sheet does not have any more. */
export function compareVersions(
  context: Context,
  log: AccountLog,
  orders: readonly RowOrder[],
  { keys, journal, isSame }: KnownInput,
  { shard, journal: path }: { shard: Shard; journal: string },
): Versions & { found: ComparedOrder<RowOrder>[]; logged: PlacedOrder[] } {
  const { href } = context.session.identity().baseUrl;
  const places = new Set(orders.map(({ place }) => place));
  const logged = log.find(href, places);
  const found = compareOrders(context, orders, logged, exemption(keys, journal));
  const ownId = journal?.header.id;
  const batches = new Set(logged.flatMap(({ batch }) => batch?.id ?? []));
  if (ownId) batches.add(ownId);
  const history = isSame || batches.size === 0 ? [] : log.find(href, new Set(), batches);
  const present = new Set(keys);
  const isHere = ({ key = '', place }: PlacedOrder) => present.has(key) || places.has(place);
  const siblings = path.replace(/\d+(-of-\d+\.mar-journal)$/, '');
  const isSibling = ({ batch }: PlacedOrder) =>
    siblings !== path && batch?.journal.startsWith(siblings);
  // A sheet of the next week may repeat an order of this one, and is no version of it.
  const related = [...groupBy(history, ({ batch }) => batch?.id ?? '')].flatMap(([id, all]) =>
    id === ownId || all.some(isSibling) || all.filter(isHere).length * 2 >= all.length ? all : [],
  );
  const relatedBatches = new Set([ownId, ...related.map(({ batch }) => batch?.id)]);
  const placed: PlacedRow[] = [];
  const problems: RowProblem[] = [];
  const covered = new Set(orders.map(orderText));
  for (const one of related) if (present.has(one.key ?? '')) covered.add(orderText(one));
  const similar: [row: number, earlier: Earlier][] = [];
  for (const { order, same, others } of found) {
    const { row } = order;
    const before = same ?? others.findLast(({ batch }) => batch && relatedBatches.has(batch.id));
    if (!before) {
      const other = others.at(-1);
      if (other && !order.isElsewhere) similar.push([row, other]);
      continue;
    }
    covered.add(orderText(before));
    if (order.isElsewhere) continue;
    const { id } = before;
    if (before.outcome === 'unknown') problems.push(unknownProblem(row, before));
    else if (!same || isEdited(order, same)) {
      placed.push({ row, state: 'changed', id, message: describeChange(before, order) });
    } else placed.push({ row, state: 'unchanged', id, message: orderedBefore(before) });
  }
  const earlier = similar[0]?.[1];
  if (earlier) {
    const rows = rowRanges(similar.map(([row]) => row));
    const message = `${rows}: ordered before for the same asset, language and territory, with other wishes. The first: ${describeEarlier(earlier)} (${earlier.wants || 'none'})`;
    context.reporter.warn('similar-order', message);
  }
  const gone = related.flatMap((order): GoneOrder[] => {
    const isGone = !present.has(order.key ?? '') && !covered.has(orderText(order));
    if (!isGone || !isInShard(shard, order.key ?? '')) return [];
    const { place, due, id } = order;
    return [{ place, due, id, message: [place, due && `due ${due}`].filter(Boolean).join(', ') }];
  });
  const loggedKeys = new Set(history.flatMap(({ key }) => key ?? []));
  const own = found.filter(({ order }) => !order.isElsewhere);
  return { found: own, logged, placed, gone, problems, loggedKeys };
}

/**
 * True for an earlier order that does not count for a row: its own, unless the log knows more of it than
 * the journal, which is then an older copy; and those of other rows of the file, unless they are equal.
 */
export function exemption(keys: readonly string[], journal: ReplayedJournal | undefined) {
  const present = new Set(keys);
  return (order: NewOrder, { outcome, id, key, batch, record }: Earlier): boolean => {
    if (!batch) return outcome === 'seen' && journal?.createdIds.has(id ?? '') === true;
    if (key !== order.key) return present.has(key ?? '') && record !== order.record;
    const isOwn = batch.id === journal?.header.id;
    return isOwn && outcome === 'unknown' && journal.end.line >= batch.lines;
  };
}

/** Only the rows of a sheet are known with all their fields. */
function orderedBefore({ at, by = '', key, place }: Earlier): string {
  const from = [at && formatDate(new Date(at)), !by.startsWith('mar ') && by && `from ${by}`];
  const compared = '; only asset, language, territory and uses were compared';
  const source = from.some(Boolean) ? ` (${from.filter(Boolean).join(', ')})` : '';
  const isPartial = key === undefined && !place.startsWith('event ');
  return `ordered before${source}${isPartial ? compared : ''}`;
}

const orderText = ({ place, wants }: Pick<NewOrder, 'place' | 'wants'>) => `${place}: ${wants}`;

/** A row may be the same in another format. Only rows have keys. */
const isEdited = (order: RowOrder, { key, record }: Earlier) =>
  key !== undefined && key !== order.key && record !== order.record;

/** `ordered with due 2026-12-01, the sheet says 2026-12-05; ask for it on its page if it is not there yet` */
function describeChange({ wants, due }: Earlier, order: RowOrder): string {
  const changes = [
    wants !== order.wants && `${wants || 'nothing'}, the sheet says ${order.wants || 'nothing'}`,
    due !== order.due && `due ${due ?? 'none'}, the sheet says ${order.due ?? 'none'}`,
  ].filter(Boolean);
  const what = changes.join('; ') || 'other details, such as instructions';
  return `ordered with ${what}; ask for it on its page if it is not there yet`;
}

const unknownProblem = (row: number, earlier: Earlier): RowProblem => ({
  row,
  line: 0,
  message: `may have been ordered before: ${describeEarlier(earlier)}`,
  cause: `may have been ordered before: ${describeEarlier({ ...earlier, id: undefined, row: undefined })}`,
  earlier: earlierFacts(earlier),
  hint: forPerson('To order again what may have been ordered, use --again.'),
});
