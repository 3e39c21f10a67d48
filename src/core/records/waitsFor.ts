import { type Role, roles, type Service } from '../api/service.ts';
import { fieldsOf, items, textAt, valueAt } from '../json/fields.ts';
import { safeText } from './look.ts';
import { meaningOf } from './status.ts';

/* Whom a work request waits for: by the rule of its status in the description of the service. */

type Rule = ReturnType<typeof ruleOf>;

export const ruleOf = (record: unknown, service: Service) => {
  const status = safeText(valueAt(record, 'status'));
  return { status, ...meaningOf(status, service) };
};

/** The next role to try, if a record names nobody with this one. */
const next: Readonly<Partial<Record<Role, Role>>> = {
  territory: 'recipients',
  recipients: 'orderer',
};

type Party = ReturnType<typeof partyOf>;
/** With the code of the territory. */
type TerritoryUser = Party & { territory: string };

/**
 * The users that a record names for the role of its status, or else for the next role. `because` is the
 * rule with its basis, and the field that names the user.
 */
export function awaitedBy(record: unknown, rule: Rule, users: readonly TerritoryUser[]) {
  const { status, value, isSet } = rule;
  const because = `status.${status}=${value} (${isSet ? 'set' : 'assumed'})`;
  let role = roles.find((one) => one === rule.role);
  for (; role; role = next[role]) {
    // If the record names nobody with the role of the rule, it is assumed that the next role acts.
    const isAssumed = !isSet || role !== rule.role;
    const found = new Map<string, Party & { role: Role; isAssumed: boolean; because: string }>();
    for (const [field, party] of holders(record, role, users)) {
      if (party.id === '' || found.has(party.id)) continue;
      found.set(party.id, { ...party, role, isAssumed, because: `${because}; ${field}` });
    }
    if (found.size > 0) return [...found.values()];
  }
  return [];
}

type Holder = [field: string, party: Party];

/** The users that a record names for a role, each with the field. */
export function holders(
  record: unknown,
  role: Role,
  users: readonly TerritoryUser[] = [],
): Holder[] {
  const at = (field: string): Holder => [field, partyOf(valueAt(record, field))];
  switch (role) {
    case 'orderer':
      return [at('from')];
    case 'translator':
      return ['translation.translator', 'graphicsTranslation.translator'].map(at);
    case 'territory': {
      const code = valueAt(record, 'territory');
      return users
        .filter(({ territory }) => territory !== '' && territory === code)
        .map((user) => ['territory', user]);
    }
    case 'recipients':
      return (fieldsOf(valueAt(record, 'recipients')) ?? []).flatMap(([use, users]) =>
        [users].flat().map((user): Holder => [`recipients.${use}`, partyOf(user)]),
      );
  }
}

/** A user, as far as a record or the list of users tells: the service sends an id, or a summary. */
export const partyOf = (user: unknown) => ({
  id: safeText(typeof user === 'string' ? user : valueAt(user, '_id')),
  name: safeText(valueAt(user, 'name')),
  email: textAt(user, 'emailNormal'),
  groups: items(user, 'groups').map((group) => ({
    id: safeText(valueAt(group, '_id')),
    name: safeText(valueAt(group, 'name')),
  })),
});

/** `waits for Marc Dubois, Lea Petit (translator; assumed)`. If nobody is known, who can act, and why. */
export function describeAwaited(
  { status, role, isSet }: Rule,
  waitsFor: readonly { name: string; role: Role; isAssumed: boolean }[],
  canAct: readonly { name: string }[],
): string {
  const names = (people: readonly { name: string }[]) => people.map(({ name }) => name).join(', ');
  const [first] = waitsFor;
  if (first) {
    return `waits for ${names(waitsFor)} (${first.role}${first.isAssumed ? '; assumed' : ''})`;
  }
  if (role === 'nobody') return 'waits for nobody';
  const noRule = `no rule for ${status || 'a request without status'}`;
  const noRole = isSet ? 'its rule names no role' : noRule;
  const why = role ? `it names no ${role}` : noRole;
  return canAct.length === 0 ? '' : `${why}; can act (assumed): ${names(canAct)}`;
}
