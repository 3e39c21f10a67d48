import { endpoints } from '../api/endpoints.ts';
import { MarError } from '../errors.ts';
import { textAt } from '../json/fields.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import { partyOf } from '../records/waitsFor.ts';
import type { Context } from '../session/context.ts';
import { learnValues } from '../session/remember.ts';
import type { Session } from '../session/session.ts';
import { folded } from '../values/match.ts';
import { sanitise } from '../values/sanitise.ts';
import { guardedPages } from './list.ts';

/*
 * The names of users are kept on this machine, so that tables can show them in place of ids. The
 * account's own user is kept too, for `whoami`.
 */

/** Passes pages of users on, and keeps the names that are new. */
export async function* rememberingNames(
  session: Session,
  pages: AsyncIterable<ServiceRecord[]>,
): AsyncGenerator<ServiceRecord[]> {
  for await (const page of pages) {
    yield page;
    await rememberNames(session, page);
  }
}

export type Person = ReturnType<typeof personOf>;

function personOf({ value }: ServiceRecord) {
  const clean = (path: string) => sanitise(textAt(value, path)).trim();
  const emails = [clean('emailNormal'), clean('username')].filter(Boolean);
  const territory = textAt(value, 'territory.code');
  return { ...partyOf(value), id: textAt(value, '_id'), emails, territory };
}

async function rememberNames(session: Session, users: readonly ServiceRecord[]): Promise<void> {
  const named = users
    .map(personOf)
    .filter(({ id, name }) => id !== '' && name !== '' && session.userName(id) !== name);
  session.learnUserNames(named);
  await session.memory.add(named.map(({ id, name }) => ({ kind: 'UserName', id, text: name })));
  const records = users.map(({ value }) => value);
  await learnValues(session, 'User', records);
}

const usersRead = new WeakMap<Session, Promise<Person[]>>();

/** The service's list of users, read once. Without it, there are none, with a note of what is not known. */
export function allUsers(context: Context, what: string): Promise<Person[]> {
  const users = usersRead.get(context.session) ?? readUsers(context, what);
  usersRead.set(context.session, users);
  return users;
}

async function readUsers(context: Context, what: string): Promise<Person[]> {
  const found: Person[] = [];
  try {
    for await (const user of listedUsers(context, context.world.signal, 'all')) found.push(user);
  } catch (error) {
    if (context.world.signal.aborted || !(error instanceof MarError)) throw error;
    context.reporter.reportOnce(`The ${what} are not known: ${error.message}`);
  }
  return found;
}

/** Looks up the names of users that are not kept, for `session.userName`. */
export async function learnNames(context: Context, ids: Iterable<string>): Promise<void> {
  const isKnown = (id: string) => context.session.userName(id) !== undefined;
  if (![...ids].every(isKnown)) await allUsers(context, 'names of some users');
}

/** Takes the place of the id if the list of users does not contain the account. */
const notListed = 'not listed';
/** Then the list is read again a day later. */
const notListedMs = 24 * 60 * 60 * 1000;
const maxUsers = 1000;
const maxWaitMs = 3000;

/**
 * The user of the account: kept from an earlier look-up, or found in the list of users. Undefined if
 * the service does not list it, or cannot be asked soon. If it `isChecked`, the service is asked in
 * any case, and a failure is thrown.
 */
export async function ownUser(context: Context, isChecked: boolean) {
  const { email, source } = context.session.identity();
  const { signal } = context.world;
  if (!isChecked) {
    const [kept] = context.session.memory.entries('OwnUser');
    if (kept && kept.id !== notListed) return { id: kept.id, name: kept.text };
    // A token-command may ask the user to unlock something.
    if (source.kind === 'command') return undefined;
    // Without a place to keep the result, each run would ask the service.
    const isRecent = kept && context.world.now().getTime() - kept.at < notListedMs;
    if (context.session.memory.isDisabled || isRecent) return undefined;
  }
  try {
    const wait = isChecked ? signal : AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]);
    const isOwn = (address: string) => folded(address) === folded(email);
    let found: Person | undefined;
    for await (const person of listedUsers(context, wait)) {
      if (person.emails.some(isOwn)) found = person;
      if (found) break;
    }
    const { id, name: text } = found ?? { id: notListed, name: '' };
    await context.session.memory.add([{ kind: 'OwnUser', id, text }]);
    return found;
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    const isUnreachable = error instanceof MarError || isTimeout;
    if (isChecked || signal.aborted || !isUnreachable) throw error;
    return undefined;
  }
}

/** The service's list of users, or its first ones. Their names are then kept. */
export async function* listedUsers(
  context: Context,
  wait: AbortSignal,
  extentName: 'first' | 'all' = 'first',
): AsyncGenerator<Person> {
  const client = await context.session.client();
  const to = extentName === 'first' ? maxUsers - 1 : undefined;
  const extent = { from: 0, to, pageSize: context.session.settings.pageSize ?? 100 };
  const pages = guardedPages(context, extent, (range, signal) =>
    client.unreadPage(endpoints.userList, { range, signal: AbortSignal.any([signal, wait]) }),
  );
  for await (const { records } of pages) {
    await rememberNames(context.session, records);
    yield* records.map(personOf).filter(({ id }) => id !== '');
  }
}
