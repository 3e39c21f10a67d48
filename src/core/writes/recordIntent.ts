import { type Endpoint, type EndpointId, endpoints, resources } from '../api/endpoints.ts';
import { hideSecrets, mayHoldSecret } from '../api/secretFields.ts';
import { MarError, messageOf } from '../errors.ts';
import { textAt } from '../json/fields.ts';
import { printJson } from '../json/value.ts';
import type {
  AccountLog,
  PlacedOrder,
  Settlement,
  Subject,
  WriteOutcome,
} from '../log/accountLog.ts';
import { deadlineOf } from '../records/lateness.ts';
import { changeBetween, changeJson, type RecordChange } from '../records/recordChange.ts';
import { idOf } from '../records/references.ts';
import type { Context } from '../session/context.ts';
import { eventLook } from './orderLook.ts';
import { compareOrders, newOrder, openLog, repeatedError, whatNext } from './placedBefore.ts';
import { NothingToWrite, type Plan } from './plan.ts';

/* Every write is in the log of its account: its intent before it is sent, its outcome after. */

export const commands: Partial<Record<EndpointId, string>> = {
  assetPut: 'mar asset put',
  userPut: 'mar user put',
  workRequestCreate: 'mar wr create',
  translationCreate: 'mar translation submit',
  offlinePut: 'mar offline put',
  previewPut: 'mar preview put',
  fileCreate: 'mar file upload-meta',
  eventPut: 'mar event put',
};

/** A write as it is sent: a plan, or a request of `mar api`, which may be to no known endpoint. */
export interface SentWrite extends Pick<Plan, 'id' | 'body' | 'over' | 'order' | 'by'> {
  endpoint: EndpointId | undefined;
  /** `PUT /assets` */
  request?: string;
}

/** The record that is written, as the log has it. */
function subjectOf(
  { session }: Context,
  { endpoint, id, body, over, request }: SentWrite,
): Subject {
  const { resource }: Partial<Endpoint> = endpoint ? endpoints[endpoint] : {};
  const text = (path: string) => textAt(body, path) || undefined;
  const asset = idOf(body.get('asset'));
  const due = session.clock.date(deadlineOf(body, 'due'));
  return {
    kind: resources.find((one) => one.resource === resource)?.name ?? request ?? '',
    id: id ?? text('_id'),
    asset: typeof asset === 'string' ? asset : undefined,
    workRequest: text('workRequest') ?? text('workRequest._id'),
    notified: eventLook({ session }, body).users.join(', ') || undefined,
    name: textAt(over?.record, 'name') || text('asset.name') || text('name') || text('label'),
    language: text('language'),
    territory: text('territory'),
    due: due?.toISOString(),
  };
}

/** The fields that a plan changes. Undefined if it replaces none, or if one of them is a secret. */
export function changeOf({ over, body }: SentWrite): RecordChange | undefined {
  if (!over) return undefined;
  const change = changeBetween(over.record, body);
  return hasSecret(change) ? undefined : change;
}

export function hasSecret(change: RecordChange): boolean {
  const json = changeJson(change);
  const text = printJson(json);
  return mayHoldSecret(text) && printJson(hideSecrets(json)) !== text;
}

/**
 * Records that a write is about to be sent, and refuses an order that was placed before. Returns what
 * records its outcome.
 */
export async function recordIntent(context: Context, write: SentWrite) {
  const { session, world } = context;
  const { endpoint, body, order, by, request } = write;
  const log = order ? await openLog(context, order.log) : await session.log();
  const { baseUrl, email } = session.identity();
  const sent = endpoint && newOrder(context, endpoint, body);
  const intent = {
    at: world.now().toISOString(),
    service: baseUrl.href,
    account: email,
    by: by ?? world.agent ?? (endpoint ? commands[endpoint] : undefined) ?? 'mar',
    endpoint: endpoint ?? request ?? '',
    what: subjectOf(context, write),
    ...(order?.file !== undefined && { file: order.file }),
    change: changeOf(write),
  };
  /** Earlier ones that may have arrived, and did not: this one is sent in their place. */
  let replaced: PlacedOrder[] = [];
  const check = (logged: readonly PlacedOrder[]) => {
    const [found] = sent ? compareOrders(context, [sent], logged) : [];
    if (endpoint && found?.same && !order?.again) throw repeatedError(endpoint, found.same);
    const isReplaced = ({ wants, outcome }: PlacedOrder) =>
      wants === sent?.wants && outcome === 'unknown';
    replaced = order?.again ? logged.filter(isReplaced) : [];
  };
  const name = await log?.intend(intent, sent ? [sent] : [], check);
  const settle = async (outcome: Omit<Settlement, 'write'>) => {
    if (!log || name === undefined) return;
    const as = 'repeated';
    // An order may be a row of a batch.
    const repeated = replaced.map(({ write, row }): Settlement => {
      return row === undefined ? { write, as } : { write, rows: [[row, as]] };
    });
    await settleSafely(log, [...repeated, { write: name, ...outcome }], context);
  };
  const checkHints = endpoint && sent?.place ? whatNext(endpoint, sent) : undefined;
  return {
    /** They say better where to look than those of the endpoint. */
    checkHints,
    /** `written` is the plan as it was sent. */
    async done(record: unknown, written: SentWrite = write): Promise<void> {
      const id = textAt(record, '_id') || undefined;
      const called = textAt(record, 'asset.name') || textAt(record, 'name') || undefined;
      // `mar api` prints any response.
      const isDone = id !== undefined || endpoint !== 'workRequestCreate';
      const change = written === write ? undefined : changeOf(written);
      await settle({ as: isDone ? 'done' : 'unknown', id, name: called, change });
    },
    /** Returns the error, with what to do next if nobody knows whether the order has arrived. */
    async failed(error: unknown): Promise<unknown> {
      const as = outcomeOf(error);
      await settle({ as });
      if (as !== 'unknown' || !(error instanceof MarError) || !checkHints) return error;
      return error.withHint(checkHints.filter((hint) => !error.hints.includes(hint)));
    },
  };
}

/** The log shows from now on that a write was taken back. */
export async function recordTakenBack(context: Context, { takesBack }: Pick<Plan, 'takesBack'>) {
  const log = takesBack === undefined ? undefined : await context.session.log();
  if (log && takesBack) await settleSafely(log, [{ write: takesBack, as: 'taken-back' }], context);
}

/** Records outcomes. The writes were sent, so a failure is only a warning. */
export async function settleSafely(
  log: AccountLog,
  outcomes: readonly Settlement[],
  { reporter }: Pick<Context, 'reporter'>,
): Promise<void> {
  await log.settle(outcomes).catch((error: unknown) => {
    const message = `the write was sent, but its outcome could not be recorded: ${messageOf(error)}`;
    reporter.warn('not-recorded', message);
  });
}

/** Errors of these kinds that do not say it are thrown before anything is sent. */
const unsentKinds: readonly string[] = ['usage', 'credential-store', 'interrupted', 'terminated'];

/** A write is unsent only if nothing of it reached the network. */
function outcomeOf(error: unknown): WriteOutcome {
  if (error instanceof NothingToWrite) return 'unsent';
  if (!(error instanceof MarError)) return 'unknown';
  const { outcome } = error.details;
  if (outcome === 'unknown' || outcome === 'refused') return outcome;
  return outcome === 'not-sent' || unsentKinds.includes(error.kind) ? 'unsent' : 'unknown';
}
