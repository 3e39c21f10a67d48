import { endpoints } from '../api/endpoints.ts';
import { MarError } from '../errors.ts';
import { textAt } from '../json/fields.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import { type Party, partyOf, type Territories } from '../records/waitsFor.ts';
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

export interface Person extends Party {
  emails: readonly string[];
  /** The code. */
  territory: string;
}

function personOf({ value }: ServiceRecord): Person {
  const clean = (path: string) => sanitise(textAt(value, path)).trim();
  const emails = [clean('emailNormal'), clean('username')].filter(Boolean);
  const territory = textAt(value, 'territory.code');
  return { ...partyOf(value), id: textAt(value, '_id'), emails, territory };
}

async function rememberNames(session: Session, users: readonly ServiceRecord[]): Promise<void> {
  const known = new Map(session.memory.entries('UserName').map(({ id, text }) => [id, text]));
  const named = users
    .map(personOf)
    .filter(({ id, name }) => id !== '' && name !== '' && known.get(id) !== name);
  session.learnUserNames(named);
  await session.memory.add(named.map(({ id, name }) => ({ kind: 'UserName', id, text: name })));
  const records = users.map(({ value }) => value);
  await learnValues(session, 'User', records);
}

/**
 * The names of some users: those that are kept, and otherwise from the service's list of users. Names
 * are not worth a failure, so those that cannot be read are left out, with a note.
 */
export async function userNames(
  context: Context,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const missing = new Set(ids);
  const add = (id: string, name: string | undefined) => {
    if (name && missing.delete(id)) names.set(id, name);
  };
  for (const id of ids) add(id, context.session.userName(id));
  if (missing.size === 0) return names;
  try {
    for await (const { id, name } of listedUsers(context, context.world.signal)) {
      add(id, name);
      if (missing.size === 0) break;
    }
  } catch (error) {
    if (context.world.signal.aborted || !(error instanceof MarError)) throw error;
    context.reporter.reportOnce(`The names of some users are not known: ${error.message}`);
  }
  return names;
}

const territoriesRead = new WeakMap<Session, Promise<Territories>>();

/** The users of each territory, read once. Without the list of users, there are none, with a note. */
export function territories(context: Context): Promise<Territories> {
  const { session } = context;
  const reading = territoriesRead.get(session) ?? readTerritories(context);
  territoriesRead.set(session, reading);
  return reading;
}

async function readTerritories(context: Context): Promise<Territories> {
  const found = new Map<string, Person[]>();
  for (const user of await allUsers(context, 'users of each territory')) {
    found.set(user.territory, [...(found.get(user.territory) ?? []), user]);
  }
  found.delete('');
  return found;
}

/** The names of all users, by id. */
export const listedNames = async (context: Context): Promise<ReadonlyMap<string, string>> =>
  new Map((await allUsers(context, 'names of users')).map(({ id, name }) => [id, name || id]));

/** None if the service does not list them, with a note that says what is not known. */
export async function allUsers(context: Context, what: string): Promise<Person[]> {
  const found: Person[] = [];
  try {
    for await (const user of listedUsers(context, context.world.signal, 'all')) found.push(user);
  } catch (error) {
    if (context.world.signal.aborted || !(error instanceof MarError)) throw error;
    context.reporter.reportOnce(`The ${what} are not known: ${error.message}`);
  }
  return found;
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
    if (context.session.memory.isOff || isRecent) return undefined;
  }
  try {
    const wait = isChecked ? signal : AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]);
    const found = await findByEmail(context, email, wait);
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

async function findByEmail(context: Context, email: string, wait: AbortSignal) {
  const own = folded(email);
  for await (const person of listedUsers(context, wait)) {
    if (person.emails.some((one) => folded(one) === own)) return person;
  }
  return undefined;
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
