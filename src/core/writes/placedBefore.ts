import type { EndpointId } from '../api/endpoints.ts';
import {
  type Ledger,
  LedgerError,
  type NewOrder,
  type OrderOutcome,
  type PlacedOrder,
} from '../config/ledger.ts';
import {
  type EarlierOrder,
  forPerson,
  type Hint,
  MarError,
  messageOf,
  runHint,
} from '../errors.ts';
import { type Input, type Option, option, stringOption } from '../input.ts';
import { textAt } from '../json/fields.ts';
import type { JsonObject } from '../json/value.ts';
import { notificationOf, type Order, orderOf } from '../records/orderIdentity.ts';
import { keyOfRecord } from '../rows/rowKey.ts';
import type { Context } from '../session/context.ts';
import { savedLooks } from '../session/tracked.ts';
import { words } from '../values/commandLine.ts';
import { formatDate, hour } from '../values/time.ts';
import type { OrderSource, Plan } from './plan.ts';

/* The same order is placed once: before it is sent, it is compared with what this machine sent or saw. */

export const orderOptions: readonly Option[] = [
  option('--again', 'send it even if the same order was placed before'),
  option('--log <file>', 'the file that records what was ordered; off records nothing', {
    default: 'MAR_LOG, or a file in the state folder',
    completes: 'file',
  }),
];

/** What people lose if it is sent twice, and how it is recognised. */
const kinds: Partial<Record<EndpointId, OrderKind>> = {
  workRequestCreate: { by: 'mar wr create', group: 'order', identify: orderOf },
  eventPut: { by: 'mar event put', group: 'event', identify: notificationOf },
};

interface OrderKind {
  by: string;
  group: 'order' | 'event';
  identify(record: unknown, same: readonly string[]): Order;
}

/** True for `--again`, and for `--again=all` of a batch. With `failed`, only rows that failed are repeated. */
export const sendsAgain = ({ options: { again } }: Pick<Input, 'options'>) =>
  again === true || again === 'all';

/** Undefined for a record that is no order. */
export function orderSource(
  { world }: Context,
  endpoint: EndpointId,
  input: Input,
): OrderSource | undefined {
  const kind = kinds[endpoint];
  if (!kind) return undefined;
  const file = stringOption(input, 'file');
  return {
    by: world.agent ?? kind.by,
    ...(file !== undefined && file !== '-' && { file }),
    ledger: stringOption(input, 'log'),
    again: sendsAgain(input),
  };
}

/** `body` is the fingerprint of the record. */
export function newOrder(
  { session }: Pick<Context, 'session'>,
  endpoint: EndpointId,
  record: JsonObject,
  body = keyOfRecord(record),
): NewOrder {
  const kind = kinds[endpoint];
  if (!kind) return { place: '', wants: '', body };
  return { ...kind.identify(record, session.service().parts(kind.group, 'same')), body };
}

/** The ledger for an order. Without one, warns once that repeated orders cannot be recognised. */
export async function openLedger(
  { session, reporter, world }: Context,
  file: string | undefined,
): Promise<Ledger | undefined> {
  const ledger = await session.ledger(file);
  if (!ledger && (file || world.env.MAR_LOG) !== 'off') warnOfNoLedger({ reporter });
  return ledger;
}

function warnOfNoLedger({ reporter }: Pick<Context, 'reporter'>) {
  reporter.warn(
    'no-ledger',
    'mar records no orders here, so it cannot recognise one that is sent again. To record them, set MAR_LOG to a file; to hide this warning, set it to off',
  );
}

export type Earlier = Pick<PlacedOrder, 'place' | 'wants'> & EarlierOrder & { journal?: string };

/** The orders of this machine at these places, and the work requests that it has seen there. */
function earlierOrders(
  { session }: Context,
  ledger: Ledger | undefined,
  orders: readonly NewOrder[],
): Earlier[] {
  const places = new Set(orders.map(({ place }) => place).filter(Boolean));
  if (!ledger || places.size === 0) return [];
  const placed = ledger.find(session.identity().baseUrl.href, places);
  const known = new Set(placed.map(({ id }) => id));
  const seen = [...savedLooks(session)].flatMap(([id, { order }]) =>
    order && places.has(order.place) && !known.has(id) ? [{ ...order, id, outcome: 'seen' }] : [],
  );
  return [...placed, ...seen];
}

/** Of the earlier orders at its place, those that are the same order, and those with other wishes. */
export function compareOrder(
  { session, world }: Pick<Context, 'session' | 'world'>,
  order: NewOrder,
  earlier: readonly Earlier[],
) {
  const there = order.place ? earlier.filter(({ place }) => place === order.place) : [];
  const isEvent = order.place.startsWith('event ');
  const maxAge = Number(session.service().value('event', 'same-hours')) * hour;
  const isOld = (at = '') => isEvent && world.now().getTime() - Date.parse(at) > maxAge;
  const same = there.filter(({ wants, at }) => wants === order.wants && !isOld(at));
  return { same, similar: isEvent ? [] : there.filter((one) => one.wants !== order.wants) };
}

/** `wr-2051, 2026-11-17 21:03, from mar wr create -f request.yaml` */
export function describeEarlier({ id, at, by, file, row, journal, outcome }: Earlier): string {
  const flag = journal === undefined ? '-f' : '--batch';
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

function repeatedError(endpoint: EndpointId, same: readonly Earlier[]): MarError {
  const last = same.at(-1) as Earlier;
  const what = endpoint === 'eventPut' ? 'event' : 'order';
  const verb = last.outcome === 'unknown' ? 'may have been placed' : 'was placed';
  const again = forPerson('Nothing was sent. To send it all the same, use --again.');
  const hint =
    last.outcome === 'unknown' ? ['Nothing was sent.', ...whatNext(endpoint, last)] : again;
  const facts = { hint, id: last.id, earlier: same.map(earlierFacts) };
  const message = `the same ${what} ${verb} before: ${describeEarlier(last)}`;
  return new MarError('placed-before', message, facts);
}

/** Where to look for a write whose outcome is unknown, and what to do then. */
function whatNext(endpoint: EndpointId, { place }: Pick<NewOrder, 'place'>): Hint[] {
  const again = 'run the same command with --again.';
  if (endpoint === 'eventPut') {
    return [
      { text: 'Ask one of the people whether they were notified.' },
      forPerson(`If nobody was, ${again}`),
    ];
  }
  const [asset = ''] = place.split(' ');
  return [
    {
      text: `Look for it on the page of asset ${asset} in the web application, or ask a colleague who gets the notification.`,
    },
    runHint('If it exists', words`mar wr track ID`),
    forPerson(`If it does not, ${again}`),
  ];
}

/**
 * Refuses a plan whose order was placed before. On a terminal it is a question, and the plan says the answer.
 * With --again, it is a question only if nobody knows whether the earlier one has arrived.
 */
export async function checkEarlier(context: Context, plan: Plan, input: Input): Promise<Plan> {
  const { order, endpoint, body } = plan;
  const { reporter } = context;
  const { yes, dryRun } = input.options;
  if (!order || (order.again && (yes || dryRun))) return plan;
  const sent = newOrder(context, endpoint, body);
  const earlier = await findEarlier(context, order, [sent]);
  const { same, similar } = compareOrder(context, sent, earlier);
  const isUnknown = same.at(-1)?.outcome === 'unknown';
  if (order.again ? isUnknown : same.length > 0) {
    const error = repeatedError(endpoint, same);
    if (!reporter.isInteractive || yes || dryRun) throw order.again ? needsYes(error) : error;
    reporter.reportOnce(error.message, 'essential');
    await reporter.confirm('Send it again?', 'Nothing was sent.');
    return { ...plan, order: { ...order, again: true } };
  }
  if (order.again) return plan;
  const other = similar.at(-1);
  if (other) {
    const message = `there is an order for the same asset, language and territory, with other wishes (${other.wants || 'none'}): ${describeEarlier(other)}`;
    reporter.warn('similar-order', message);
  }
  return plan;
}

/** The earlier orders at these places. With --again, a ledger that cannot be read has none. */
export async function findEarlier(
  context: Context,
  { ledger: file, again }: OrderSource,
  orders: readonly NewOrder[],
): Promise<Earlier[]> {
  try {
    return earlierOrders(context, await openLedger(context, file), orders);
  } catch (error) {
    if (!isWithoutLedger(context, error, again)) throw error;
    return [];
  }
}

/** For --again without a terminal, after an unknown outcome. */
const needsYes = (error: MarError) =>
  error.with({
    hint: [
      'Nothing was sent. First look whether it has arrived.',
      forPerson('To send it all the same, add --yes.'),
    ],
  });

/** Records that an order is about to be sent. Returns what records its outcome. */
export async function placeOrder(context: Context, { endpoint, body, order }: Plan) {
  const { session, reporter, world } = context;
  const ledger = order && (await openLedger(context, order.ledger));
  if (!ledger) return undefined;
  const { baseUrl, email } = session.identity();
  const sent = newOrder(context, endpoint, body);
  const { by, file, again } = order;
  const run = { at: world.now().toISOString(), service: baseUrl.href, account: email, by, file };
  /** Earlier ones that may have arrived, and did not: this one is sent in their place. */
  let replaced: PlacedOrder[] = [];
  let name: string;
  try {
    name = await ledger.place(run, [sent], (earlier) => {
      const { same } = compareOrder(context, sent, earlier);
      if (same.length > 0 && !again) throw repeatedError(endpoint, same);
      const isReplaced = ({ wants, outcome }: PlacedOrder) =>
        wants === sent.wants && outcome === 'unknown';
      replaced = again ? earlier.filter(isReplaced) : [];
    });
  } catch (error) {
    if (!isWithoutLedger(context, error, again)) throw error;
    return undefined;
  }
  const settle = async (as: OrderOutcome, id?: string) => {
    const repeated = replaced.map(({ order }) => ({ order, as: 'repeated' }) as const);
    await ledger.settle([...repeated, { order: name, as, id }]).catch((error: unknown) => {
      const message = `the order was sent, but its outcome could not be recorded: ${messageOf(error)}`;
      reporter.warn('not-recorded', message);
    });
  };
  const checkHints = sent.place ? whatNext(endpoint, sent) : undefined;
  return {
    /** They say better where to look than those of the endpoint. */
    checkHints,
    created(record: unknown) {
      const id = textAt(record, '_id') || undefined;
      // `mar api` prints any response.
      return settle(id || endpoint === 'eventPut' ? 'created' : 'unknown', id);
    },
    /** Returns the error, with what to do next if nobody knows whether the order has arrived. */
    async failed(error: unknown): Promise<unknown> {
      const as = outcomeOf(error);
      await settle(as);
      if (as !== 'unknown' || !(error instanceof MarError) || !checkHints) return error;
      return error.withHint(checkHints.filter((hint) => !error.hints.includes(hint)));
    },
  };
}

/** With --again, a ledger that cannot be used is left out. So is one for which there is no place. */
export function isWithoutLedger(context: Context, error: unknown, again = false): boolean {
  if (!(error instanceof LedgerError)) return false;
  if (error.hasNoPlace) warnOfNoLedger(context);
  return error.hasNoPlace || again;
}

/** Of errors that do not say whether the request was sent. */
const unsentKinds: readonly string[] = ['usage', 'credential-store', 'interrupted', 'terminated'];

function outcomeOf(error: unknown): OrderOutcome {
  if (!(error instanceof MarError)) return 'unknown';
  const { outcome } = error.details;
  if (outcome === 'unknown' || outcome === 'refused') return outcome;
  return outcome === 'not-sent' || unsentKinds.includes(error.kind) ? 'unsent' : 'unknown';
}
