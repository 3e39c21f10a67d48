import { type Endpoint, type EndpointId, endpoints, resourceNoun } from '../api/endpoints.ts';
import { hideSecrets } from '../api/secretFields.ts';
import type { CallInput } from '../client/request.ts';
import { MarError, orUndefined, runHint } from '../errors.ts';
import { textAt } from '../json/fields.ts';
import { ServiceRecord } from '../json/serviceRecord.ts';
import { isObject, isSame, type JsonObject } from '../json/value.ts';
import type { Context } from '../session/context.ts';
import { remember } from '../session/remember.ts';
import { NothingToWrite, type Plan, type Remark, revised, type Version } from './plan.ts';

/** Reads a record that is about to be changed, or to become part of another one. */
export async function readVersion(
  context: Context,
  endpoint: Endpoint,
  id: string,
): Promise<Version> {
  const { session, world } = context;
  const client = await session.client();
  const response = endpoint.range
    ? await (await import('../reads/knownUsers.ts')).readUser(context, id)
    : await client.call(endpoint, { id, forWrite: true });
  const arrivedMs = world.elapsedMs();
  const record = world.interruptible(() => response.tree);
  if (isObject(record)) return { record, tag: response.tag, arrivedMs };
  const name = `${resourceNoun(endpoint.resource)} ${id}`;
  throw new MarError('service', `the response for ${name} is not a record`);
}

type Applied =
  | { kind: 'sent'; record: ServiceRecord }
  /** Others have made the same change meanwhile. */
  | { kind: 'unchanged'; record: JsonObject };

/** Sends a plan: a last read of the record, then one request. */
export async function apply(context: Context, plan: Plan): Promise<Applied> {
  const { session } = context;
  const endpoint: Endpoint = endpoints[plan.endpoint];
  const client = await session.client();
  const { recordIntent, recordTakenBack } = await import('./recordIntent.ts');
  const recorded = await recordIntent(context, plan);
  let sent = plan;
  const call: CallInput = {
    ...callOf(plan),
    checkHints: recorded.checkHints,
    onSend: () => session.reportDestination(),
    lastRead: lastRead(context, plan, (revision) => {
      reportRemarks(context, revision.remarks);
      sent = revision;
    }),
  };
  let response: ServiceRecord;
  try {
    response = await client.call(endpoint, call);
  } catch (error) {
    const failure = await recorded.failed(error);
    if (!(error instanceof NothingToWrite)) throw failure;
    await recordTakenBack(context, plan);
    return { kind: 'unchanged', record: error.record };
  }
  // First, because a closed pipe ends the command while it prints.
  await recorded.done(response.value, sent);
  const record = await writtenRecord(context, plan, response);
  const { resource, isTracked } = endpoint;
  if (resource === 'Asset') {
    const { rememberSeen } = await import('./seenAssets.ts');
    const tree = orUndefined(() => record.tree);
    // A response may have only a part of the record.
    await rememberSeen(context, isObject(tree) ? new Map([...plan.body, ...tree]) : tree);
  }
  await remember(session, resource, [{ id: plan.id, record }]);
  if (isTracked) {
    const { track } = await import('../session/tracked.ts');
    await track(session, [textAt(record.value, '_id')].filter(Boolean));
  }
  await checkTaken(context, plan, record);
  await recordTakenBack(context, plan);
  return { kind: 'sent', record };
}

/** The record in the response to a write. If the response has none, the record is read. */
export async function writtenRecord(
  context: Context,
  plan: Plan,
  response: ServiceRecord,
): Promise<ServiceRecord> {
  const { readBy }: Endpoint = endpoints[plan.endpoint];
  const { tree } = response;
  if (!readBy || (isObject(tree) && tree.has('_id'))) return response;
  return ServiceRecord.fromTree(await readAfter(context, plan, readBy));
}

async function readAfter(context: Context, plan: Plan, readBy: EndpointId): Promise<JsonObject> {
  try {
    return (await readVersion(context, endpoints[readBy], idIn(plan))).record;
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    const look = plan.guard ? [runHint('To see the record', plan.guard.shownBy)] : [];
    const hint = ['The write was probably carried out. Check before you send it again.', ...look];
    throw error.with({ outcome: 'unknown', retryable: undefined, hint });
  }
}

const idIn = ({ id, body }: Plan) => id ?? String(body.get('_id'));

/**
 * Throws if a field of an existing record is not as it was written. A field that the response lacks is
 * looked up. A new record and an event get fields from the service, so they are not compared.
 */
export async function checkTaken(context: Context, plan: Plan, { tree }: ServiceRecord) {
  const { method, readBy, repetition, resource }: Endpoint = endpoints[plan.endpoint];
  if (method === 'POST' || repetition === 'once' || !isObject(tree)) return;
  const { notTaken } = await import('./taken.ts');
  // Secrets are not compared, because the service may omit them.
  const stored = (record: JsonObject) =>
    context.session.service().stored(hideSecrets(record) as JsonObject);
  const lost = (record: JsonObject) =>
    notTaken(stored(plan.body), stored(record), plan.over && stored(plan.over.record));
  let fields = lost(tree);
  if (readBy && fields.some(({ isAbsent }) => isAbsent)) {
    fields = lost(await readAfter(context, plan, readBy));
  }
  if (fields.length === 0) return;
  const paths = fields.map(({ path }) => path);
  const what = `the service accepted the write of ${resourceNoun(resource)} ${idIn(plan)}`;
  throw new MarError('did-not-take', `${what}, but did not change: ${paths.join(', ')}`, {
    fields: paths.map((path) => ({ path })),
    hint: plan.guard && runHint('To see the record', plan.guard.shownBy),
  });
}

/** The request of a plan. */
export const callOf = ({ id, body, over, guard }: Plan): CallInput => ({
  id,
  body,
  base: over?.record,
  ifMatch: guard?.force ? undefined : over?.tag,
});

/**
 * Reads the record again when the connection for the write is open, unless the version of the plan is
 * fresh. `onRevised` gets the plan over the new version, and may throw to send nothing.
 */
export function lastRead(
  context: Context,
  plan: Plan,
  onRevised: (revision: Plan) => void,
): CallInput['lastRead'] {
  const { guard, over } = plan;
  const { readBy } = endpoints[plan.endpoint] as Endpoint;
  if (!guard || !over || !readBy) return undefined;
  const { world } = context;
  let current = plan;
  return async () => {
    const last = current.over ?? over;
    if (world.elapsedMs() - last.arrivedMs < guard.maxAgeMs) return undefined;
    const newest = await readVersion(context, endpoints[readBy], idIn(plan));
    if (isSame(newest.record, last.record)) {
      current = { ...current, over: newest };
      // Printing the same body again would take as long as the rest of a row. An earlier look may have
      // changed it, on a connection that was closed before the write.
      return current.body === plan.body ? undefined : revisionOf(current);
    }
    const { Fingerprint } = await import('../records/fingerprint.ts');
    const revision = world.interruptible(() => revised(plan, newest, Fingerprint.of));
    if (!revision) throw new NothingToWrite(newest.record);
    onRevised(revision);
    current = revision;
    return revisionOf(current);
  };
}

const revisionOf = (plan: Plan) => ({ body: plan.body, ifMatch: callOf(plan).ifMatch });

export function reportRemarks(
  { reporter }: Pick<Context, 'reporter'>,
  remarks: readonly Remark[],
): void {
  for (const { text, hints = [], code } of remarks) {
    if (code === undefined) reporter.reportOnce([text, ...hints]);
    else reporter.warn(code, [text, ...hints]);
  }
}
