import type { EndpointId } from '../api/endpoints.ts';
import type { Service } from '../api/service.ts';
import { type EarlierOrder, forPerson, type Hint, MarError, runHint } from '../errors.ts';
import { type Input, type Option, option, stringOption } from '../input.ts';
import type { JsonObject } from '../json/value.ts';
import type { AccountLog, NewOrder, PlacedOrder } from '../log/accountLog.ts';
import { notificationOf, type Order, orderOf } from '../records/orderIdentity.ts';
import type { Context } from '../session/context.ts';
import { savedLooks } from '../session/tracked.ts';
import { words } from '../values/commandLine.ts';
import { groupBy } from '../values/groupBy.ts';
import { formatDate, hour } from '../values/time.ts';
import type { OrderSource, Plan } from './plan.ts';

/* The same order is placed once: before it is sent, it is compared with what this machine sent or saw. */

export const orderOptions: readonly Option[] = [
  option('--again', 'send it even if the same one was sent before'),
  option('--log <file>', 'the log of what was ordered; off: none', {
    default: 'MAR_LOG, or for a profile, a file in the state folder',
    completes: 'file',
  }),
];

/** The records that cost something if they are sent twice, and how they are recognised. */
const identifiers: Partial<Record<EndpointId, (record: unknown, service: Service) => Order>> = {
  workRequestCreate: orderOf,
  eventPut: notificationOf,
};

/** True for `--again`, and for `--again=all` of a batch. With `failed`, only rows that failed are repeated. */
export const sendsAgain = ({ options: { again } }: Pick<Input, 'options'>) =>
  again === true || again === 'all';

/** Undefined for a record that is no order. */
export function orderSource(endpoint: EndpointId, input: Input): OrderSource | undefined {
  if (!identifiers[endpoint]) return undefined;
  const file = stringOption(input, 'file');
  return {
    ...(file !== undefined && file !== '-' && { file }),
    log: stringOption(input, 'log'),
    again: sendsAgain(input),
  };
}

/** The identity of an order or event. Undefined for a record that is neither. */
export function newOrder(
  { session }: Pick<Context, 'session'>,
  endpoint: EndpointId,
  record: JsonObject,
): NewOrder | undefined {
  return identifiers[endpoint]?.(record, session.service());
}

/** The log of the account. Without one, warns once that repeated orders cannot be recognised. */
export async function openLog(
  { session, reporter, world }: Context,
  file: string | undefined,
): Promise<AccountLog | undefined> {
  const log = await session.log(file);
  if (!log && (file || world.env.MAR_LOG) !== 'off') {
    reporter.warn(
      'no-log',
      'mar records no orders here, so it cannot recognise one that is sent again. To record them, set MAR_LOG to a file; to hide this warning, set it to off',
    );
  }
  return log;
}

export type Earlier = EarlierOrder &
  Pick<PlacedOrder, 'place' | 'wants' | 'key' | 'due' | 'record'> &
  Partial<Pick<PlacedOrder, 'write' | 'batch'>>;

/** An order, with the last one that is the same, and those with other wishes for its place. */
export interface ComparedOrder<Order extends NewOrder> {
  order: Order;
  same?: Earlier | undefined;
  others: readonly Earlier[];
}

/**
 * The one question before an order, by every door: was it placed before? Compares orders with those in
 * the log and with the work requests that this machine has seen. `isExempt` names earlier orders that do
 * not count for a row, because they are other rows of its batch, or the row itself.
 */
export function compareOrders<Order extends NewOrder>(
  { session, world }: Pick<Context, 'session' | 'world'>,
  orders: readonly Order[],
  logged: readonly PlacedOrder[],
  isExempt: (order: Order, earlier: Earlier) => boolean = () => false,
): ComparedOrder<Order>[] {
  const known = new Set(logged.map(({ id }) => id));
  const seen = [...savedLooks(session)].flatMap(([id, { order }]): Earlier[] =>
    order?.place && !known.has(id) ? [{ ...order, id, outcome: 'seen' }] : [],
  );
  const byPlace = groupBy([...seen, ...logged], ({ place }) => place);
  const maxAge = Number(session.service().value('event', 'same-hours')) * hour;
  const isOld = (at = '') => world.now().getTime() - Date.parse(at) > maxAge;
  return orders.map((order) => {
    const isEvent = order.place.startsWith('event ');
    const there = (byPlace.get(order.place) ?? []).filter(
      (earlier) => order.place !== '' && !isExempt(order, earlier),
    );
    const same = there.filter(({ wants, at }) => wants === order.wants && !(isEvent && isOld(at)));
    const isRow = ({ key }: Earlier) => key !== undefined && key === order.key;
    const others = isEvent ? [] : there.filter(({ wants }) => wants !== order.wants);
    return { order, same: same.findLast(isRow) ?? same.at(-1), others };
  });
}

/** `wr-2051, 2026-11-17 21:03, from mar wr create -f request.yaml` */
export function describeEarlier({ id, at, by, file, row, batch, outcome }: Earlier): string {
  const flag = batch === undefined ? '-f' : '--batch';
  const place = file && `${flag} ${file}${row === undefined ? '' : `, row ${row}`}`;
  const parts = [
    id ?? (outcome === 'unknown' ? 'outcome unknown' : undefined),
    at && formatDate(new Date(at)),
    by && ['from', by, place].filter(Boolean).join(' '),
    outcome === 'seen' ? 'seen on this machine' : undefined,
  ];
  return parts.filter(Boolean).join(', ');
}

export const earlierFacts = ({ id, at, by, file, row, outcome }: Earlier): EarlierOrder => ({
  id,
  at,
  by,
  file,
  row,
  outcome,
});

export function repeatedError(endpoint: EndpointId, last: Earlier): MarError {
  const what = endpoint === 'eventPut' ? 'event' : 'order';
  const verb = last.outcome === 'unknown' ? 'may have been placed' : 'was placed';
  const again = [
    forPerson('Nothing was sent. To send it all the same, use --again.'),
    runHint('To see which fields are compared', words`mar config get ${what}.same`),
  ];
  const hint =
    last.outcome === 'unknown' ? ['Nothing was sent.', ...whatNext(endpoint, last)] : again;
  const facts = { hint, id: last.id, earlier: [earlierFacts(last)] };
  const message = `the same ${what} ${verb} before: ${describeEarlier(last)}`;
  return new MarError('placed-before', message, facts);
}

export const secondOrder = 'if the first one arrived, this places a second, final order';

/** Where to look for a write whose outcome is unknown, and what to do then. */
export function whatNext(endpoint: EndpointId, { place }: Pick<NewOrder, 'place'>): Hint[] {
  const again = 'run the same command with --again';
  if (endpoint === 'eventPut') {
    return [
      { text: 'Ask one of the people whether they were notified.' },
      forPerson(`If nobody was, ${again}.`),
    ];
  }
  const [asset = ''] = place.split(' ');
  return [
    {
      text: `Look for it on the page of asset ${asset} in the web application, or ask a colleague who gets the notification.`,
    },
    runHint('If it exists', words`mar wr track ID`),
    forPerson(`If it is not there, ${again}: ${secondOrder}.`),
  ];
}

/**
 * Refuses a plan whose order was placed before. On a terminal it is a warning, before the question of `review`.
 * With --again, it is one only if nobody knows whether the earlier one has arrived.
 */
export async function checkEarlier(context: Context, plan: Plan, input: Input): Promise<Plan> {
  const { order, endpoint, body } = plan;
  const { reporter } = context;
  const { yes, dryRun } = input.options;
  const sent = newOrder(context, endpoint, body);
  if (!order || !sent || (order.again && (yes || dryRun))) return plan;
  const log = await openLog(context, order.log);
  if (!log) return plan;
  const { href } = context.session.identity().baseUrl;
  const [found] = compareOrders(context, [sent], log.find(href, new Set([sent.place])));
  if (found?.same && (!order.again || found.same.outcome === 'unknown')) {
    const error = repeatedError(endpoint, found.same);
    if (!reporter.isInteractive || yes || dryRun) throw order.again ? needsYes(error) : error;
    reporter.warn('placed-before', error.message);
    return { ...plan, order: { ...order, again: true } };
  }
  const other = order.again ? undefined : found?.others.at(-1);
  if (other) {
    const message = `there is an order for the same asset, language and territory, with other wishes (${other.wants || 'none'}): ${describeEarlier(other)}`;
    reporter.warn('similar-order', message);
  }
  return plan;
}
/** For --again without a terminal, after an unknown outcome. */
const needsYes = (error: MarError) =>
  error.with({
    hint: [
      'Nothing was sent. First look whether it has arrived.',
      forPerson('To send it all the same, add --yes.'),
    ],
  });
