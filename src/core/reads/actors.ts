import { safeText } from '../records/look.ts';
import { namesIn, presentParties } from '../records/phases.ts';
import { awaitedBy, describeAwaited, ruleOf } from '../records/waitsFor.ts';
import type { Context } from '../session/context.ts';
import { folded } from '../values/match.ts';
import { allUsers, keptUser } from './knownUsers.ts';

/** The list of users, if a status of these records waits for those of a territory. */
export async function territoryUsers(context: Context, records: readonly unknown[]) {
  const service = context.session.service();
  const isNeeded = records.some((record) => ruleOf(record, service).role === 'territory');
  return isNeeded ? allUsers(context, 'users of each territory') : [];
}

/** A function that says whom a work request waits for, with the names in all of these records. */
export async function actorsIn(context: Context, records: readonly unknown[]) {
  const { session } = context;
  const users = await territoryUsers(context, records);
  // A record may name a group only by an id that another record has the name of.
  const names = new Map<string, string>();
  for (const record of records) namesIn(record, names);
  const nameFor = (id: string) => safeText(names.get(id) ?? session.userName(id) ?? id);
  const own = { id: keptUser(session)?.id, email: folded(session.identity().email) };
  const asYou = <One extends { id: string; name: string; email?: string }>(one: One): One =>
    one.id === own.id || folded(one.email ?? '') === own.email ? { ...one, name: 'you' } : one;
  return (record: unknown) => {
    const rule = ruleOf(record, session.service());
    const awaited = (rule.isSettled ? [] : awaitedBy(record, rule, users)).map((one) => {
      return { ...one, name: one.name || nameFor(one.id) };
    });
    const canAct = presentParties(record).map((one) => ({ ...one, name: nameFor(one.id) }));
    const waits = describeAwaited(rule, awaited.map(asYou), canAct.map(asYou));
    /** `waits for Marc Dubois (translator; assumed)` */
    return { rule, awaited, canAct, waits: rule.isSettled ? '' : waits };
  };
}
