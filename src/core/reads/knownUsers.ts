import { endpoints } from '../api/endpoints.ts';
import { recordIdOf } from '../client/response.ts';
import { MarError } from '../errors.ts';
import { textAt } from '../json/fields.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import { partyOf } from '../records/waitsFor.ts';
import type { Context } from '../session/context.ts';
import { learnValues } from '../session/remember.ts';
import type { Session } from '../session/session.ts';
import { folded } from '../values/match.ts';
import { sanitise } from '../values/sanitise.ts';
import { guardedPages, pageSizeOf } from './listRecords.ts';

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
    for await (const user of listedUsers(context)) found.push(user);
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

/** The user of the account, if an earlier look-up found it. */
export function keptUser({ memory }: Session) {
  const [kept] = memory.entries('OwnUser');
  return kept && { id: kept.id, name: kept.text };
}

/** Looks the user of the account up, and keeps it. Undefined if the service does not list it. */
export async function ownUser(context: Context) {
  const { session } = context;
  const email = folded(session.identity().email);
  for await (const person of listedUsers(context)) {
    if (!person.emails.some((address) => folded(address) === email)) continue;
    await session.memory.add([{ kind: 'OwnUser', id: person.id, text: person.name }]);
    return person;
  }
  return undefined;
}

/** The service's list of users, whose names are then kept. */
export async function* listedUsers(context: Context): AsyncGenerator<Person> {
  for await (const { records } of userPages(context)) {
    await rememberNames(context.session, records);
    yield* records.map(personOf).filter(({ id }) => id !== '');
  }
}

async function* userPages(context: Context) {
  const client = await context.session.client();
  const extent = { from: 0, pageSize: pageSizeOf(context.session) };
  yield* guardedPages(context, extent, (range, signal) =>
    client.unreadPage(endpoints.userList, { range, signal }),
  );
}

/** Where in the list a user was, so that a batch reads one record for each row. */
const places = new WeakMap<Session, Map<string, number>>();

/** The record of a user, which the service only lists. */
export async function readUser(context: Context, id: string): Promise<ServiceRecord> {
  const known = places.get(context.session) ?? new Map<string, number>();
  places.set(context.session, known);
  const from = known.get(id);
  if (from !== undefined) {
    const client = await context.session.client();
    const { records } = await client.page(endpoints.userList, { range: { from, to: from } });
    const [record] = records;
    if (record && recordIdOf(record.value) === id) return record;
  }
  let place = 0;
  for await (const { records } of userPages(context)) {
    for (const { value } of records) known.set(recordIdOf(value) ?? '', place++);
    const found = records.find(({ value }) => recordIdOf(value) === id);
    if (found) return found;
  }
  throw new MarError('not-found', `user ${id} is not in the list of users`, {
    resource: 'user',
    id,
  });
}
