import { assumptionHint } from '../api/service.ts';
import { MarError, type Refusal, usageError } from '../errors.ts';
import { items } from '../json/fields.ts';
import type { JsonObject } from '../json/value.ts';
import { listedUsers, type Person } from '../reads/knownUsers.ts';
import { matching, nameAndId } from '../reads/named.ts';
import type { Context } from '../session/context.ts';
import { lazily } from '../values/concurrency.ts';
import { folded } from '../values/match.ts';
import { nearest } from '../values/nearest.ts';
import { firstOf } from '../values/numbers.ts';
import { nothingSent, skipHint } from './checks.ts';

const maxListed = 20;

const nothingSentHint = nothingSent(skipHint('user'));

export type People = ReturnType<typeof findPeople>;

/** Finds users in the service's list, which is read at most once, and only if it is needed. */
export function findPeople(context: Context) {
  const list = lazily(() => readPeople(context));
  const listsAll = () => context.session.service().value('people', 'listed') === 'all';
  const hasId = async (id: string) =>
    context.session.userName(id) !== undefined || (await list()).has(id);

  /** `unknown user "gretta" (did you mean Greta Vogel, u-greta?)` */
  const describeUnknown = async (given: string) => {
    const byText = new Map<string, Person>();
    for (const person of (await list()).values()) {
      const { id, name, emails } = person;
      const texts = [id, name, ...emails, ...name.split(' ')].filter((text) => text !== '');
      for (const text of texts) byText.set(folded(text), person);
    }
    const meant = byText.get(nearest(folded(given), [...byText.keys()]) ?? '');
    const suggestion = meant ? ` (did you mean ${nameAndId(meant)}?)` : '';
    const message = `unknown user "${given}"${suggestion}`;
    return { value: given, suggestion: meant?.id, message };
  };

  const idOf = async (flag: string, given: string, isRead: boolean): Promise<string> => {
    if (await hasId(given)) return given;
    const { found, isExact } = matching(given, [...(await list()).values()]);
    const [first] = found;
    if (!first) {
      if (!listsAll()) return given;
      const { message, ...facts } = await describeUnknown(given);
      if (isRead) throw usageError(`${flag}: ${message}`, { flag, ...facts });
      const hints = [nothingSentHint, assumptionHint({ key: 'people.listed', value: 'some' })];
      throw usageError(`${flag}: ${message}`, hints, { flag, ...facts });
    }
    // In a write, a part of a name needs somebody who sees whose it is.
    const isEnough = isRead || isExact || context.reporter.isInteractive;
    if (found.length > 1 || !isEnough) {
      const count = found.length;
      const problem = count > 1 ? `${count} users match` : 'this is only a part of a name';
      const lines = [`${flag} ${given}: ${problem}`, ...firstOf(listed(found), maxListed)];
      const hint = `${isRead ? '' : 'Nothing was sent. '}Use the id${count > 1 ? ' of one of them' : ''}.`;
      throw usageError(lines.join('\n'), hint, { flag, value: given });
    }
    context.reporter.noteReading('user', `${flag} ${given}: ${nameAndId(first)}`);
    return first.id;
  };

  return {
    /** The users with exactly this id, e-mail or name; none if users cannot be listed. */
    async exactly(given: string): Promise<readonly Person[]> {
      const all = await list().catch(() => new Map<string, Person>());
      const own = all.get(given);
      const { found, isExact } = matching(given, own ? [] : [...all.values()]);
      return own ? [own] : isExact ? found : [];
    },

    /** Whether a user who is not in the list does not exist. */
    areAllListed: async () => listsAll() && list().then(Boolean, () => false),

    /** The ids of users that are given by id, e-mail or name. */
    async ids(flag: string, given: readonly string[], isRead = false): Promise<string[]> {
      const ids = new Set<string>();
      for (const one of given) ids.add(await idOf(flag, one, isRead));
      return [...ids];
    },

    /** The users in `notify.users` of an event that the service does not have. */
    async problemsWith(event: JsonObject): Promise<Refusal[]> {
      const field = 'notify.users';
      const problems: Refusal[] = [];
      if (!listsAll()) return problems;
      const rests = { key: 'people.listed', value: 'some' };
      for (const id of items(event, field)) {
        if (typeof id !== 'string' || (await hasId(id))) continue;
        const { message, ...facts } = await describeUnknown(id);
        problems.push({ field, ...facts, message: `${field}: ${message}`, rests });
      }
      return problems;
    },
  };
}

async function readPeople(context: Context): Promise<ReadonlyMap<string, Person>> {
  const people = new Map<string, Person>();
  try {
    for await (const person of listedUsers(context)) {
      people.set(person.id, person);
    }
    return people;
  } catch (error) {
    const isUnlisted = error instanceof MarError && /^40[34]$/.test(String(error.details.status));
    if (!isUnlisted) throw error;
    const problem = `the service does not list them (${error.message})`;
    throw usageError(`cannot check the users: ${problem}`, nothingSentHint);
  }
}

const listed = (people: readonly Person[]) =>
  people.map(({ id, name, emails }) => [id, name, emails[0]].filter(Boolean).join('  '));
