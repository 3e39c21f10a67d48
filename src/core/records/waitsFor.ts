import { fieldsOf, items, textAt, valueAt } from '../json/fields.ts';
import { safeText } from './look.ts';

/* Whom a work request waits for: a rule for each status, which the setting `waits-for.STATUS` replaces. */

export const roles = ['orderer', 'translator', 'territory', 'recipients'] as const;
export type Role = (typeof roles)[number];

interface Rule {
  /** By how a status begins, because not all statuses of the service are documented. */
  statuses?: RegExp;
  words: string;
  /** The next role to try, if a record names nobody with this one. */
  next?: Role;
}

const rules: Readonly<Record<Role, Rule>> = {
  orderer: { statuses: /^(incomplete|awaiting-material|missing)/i, words: 'ordered it' },
  translator: { statuses: /^(in-progress|wip|reject)/i, words: 'translator' },
  territory: {
    statuses: /^(awaiting-approval|in-review)/i,
    words: 'territory',
    next: 'recipients',
  },
  recipients: { words: 'recipient', next: 'orderer' },
};

export const waitsForHelp =
  'Whom a request waits for follows from its status: incomplete and awaiting-materials, the person who ordered it; in-progress ' +
  'and rejected, the translator; awaiting-approval, the users of its territory, otherwise its recipients, otherwise the person who ordered it. ' +
  'To change a rule, run: mar config set waits-for.STATUS ROLE (orderer, translator, territory or recipients). Another ' +
  'status has no rule: mar then prints who can act, which is everybody in the current phase of the asset.';

/** The role that a status waits for; undefined if there is no rule. */
export function roleFor(status: string, settings: Record<string, string> = {}): Role | undefined {
  const own = Object.hasOwn(settings, status) ? settings[status] : undefined;
  const isRole = (role: Role) => role === own;
  return roles.find(isRole) ?? roles.find((role) => rules[role].statuses?.test(status));
}

type Party = ReturnType<typeof partyOf>;
/** With the code of the territory. */
type TerritoryUser = Party & { territory: string };

/**
 * The users that a record names for the role of its status, or else for the next role. `because` is the
 * status whose rule it is, and the field that names the user.
 */
export function awaitedBy(
  record: unknown,
  first: Role | undefined,
  users: readonly TerritoryUser[],
) {
  const status = safeText(valueAt(record, 'status'));
  for (let role = first; role; role = rules[role].next) {
    const people = new Map<string, Party & { role: Role; because: string }>();
    for (const [field, party] of holders(record, role, users)) {
      if (party.id === '' || people.has(party.id)) continue;
      people.set(party.id, { ...party, role, because: `${status}: ${role} (${field})` });
    }
    if (people.size > 0) return [...people.values()];
  }
  return [];
}

type Holder = [field: string, party: Party];

function holders(record: unknown, role: Role, users: readonly TerritoryUser[]): Holder[] {
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

/** `waits for Marc Dubois, Lea Petit (translator)`. If nobody is known, who can act, and why. */
export function describeAwaited(
  status: string,
  role: Role | undefined,
  waitsFor: readonly { name: string; role: Role }[],
  canAct: readonly { name: string }[],
): string {
  const names = (people: readonly { name: string }[]) => people.map(({ name }) => name).join(', ');
  const [first] = waitsFor;
  if (first) return `waits for ${names(waitsFor)} (${rules[first.role].words})`;
  const why = role ? `it names no ${role}` : `no rule for ${status || 'a request without status'}`;
  return canAct.length === 0 ? '' : `${why}; can act: ${names(canAct)}`;
}
