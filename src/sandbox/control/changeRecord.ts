import { usageError } from '../../errors.ts';
import { isSame, type JsonObject } from '../../json/value.ts';
import { historyEntry } from '../api/newRecords.ts';
import { replace, replaceUser } from '../api/operations.ts';
import { parseBody } from '../http/parseRequest.ts';
import { entityTag, HttpError, matchesTag, notFound } from '../http/responses.ts';
import type { Accounts } from '../store/accounts.ts';
import type { Kind, RecordStore, StoredRecord } from '../store/recordStore.ts';
import { listAccounts } from './recordBrowser.ts';

/* Changes by somebody else, for `mar sandbox set` and the page. */

export const findRecords = (store: RecordStore, id: string) =>
  store.withId(id).map((found) => ({ ...found, version: entityTag(found.text) }));

/** `edit` has the whole record as JSON, the version that was edited, and optionally a user. */
export async function changeRecord(
  { store, accounts }: { store: RecordStore; accounts: Accounts },
  { kind, id }: { kind: Kind; id: string },
  edit: { text?: unknown; version?: unknown; as?: unknown },
) {
  const caller = findUser(listAccounts(store, accounts).accounts, edit.as);
  const stored = store.readRecord(kind, id);
  if (stored === undefined) throw notFound(`there is no such record: ${JSON.stringify(id)}`);
  const ifMatch = String(edit.version);
  if (!matchesTag(ifMatch, store.read(kind, id) ?? '')) {
    throw new HttpError(412, 'changed', 'the record was changed meanwhile; nothing was saved');
  }
  const body = parseBody(Buffer.from(String(edit.text)), undefined);
  addHistory(body, stored, store.readRecord('User', caller.userId));
  const request = { caller, id, body, ifMatch, query: new Map(), range: { first: 0, last: 0 } };
  await (kind === 'User' ? replaceUser(request, store, accounts) : replace(store, kind, request));
  return { by: caller.userId, text: store.read(kind, id) ?? '' };
}

type User = ReturnType<typeof listAccounts>['accounts'][number];

/** By default, a user whom nobody is logged in as. The first one is for `mar sandbox --login`. */
function findUser(users: readonly User[], as: unknown): User {
  const found =
    as === undefined
      ? (users.slice(1).find(({ tokens }) => tokens === 0) ?? users.at(-1))
      : users.find(({ userId, email, name }) => [userId, email, name].includes(String(as)));
  if (found) return found;
  const known = users.map(({ userId }) => userId).join(', ');
  throw usageError(`the sandbox has no user "${as}"; known users: ${known}`);
}

/** The reason belongs to the status: without a new one, that of the old status is removed. */
function addHistory(record: JsonObject, stored: StoredRecord, user: StoredRecord | undefined) {
  const isUnchanged = (name: string) => isSame(record.get(name), stored.get(name));
  const history = record.get('history');
  if (!Array.isArray(history) || isUnchanged('status') || !isUnchanged('history')) return;
  if (isUnchanged('reason') && record.has('reason')) record.set('reason', '');
  record.set('history', [...history, historyEntry(record, user)]);
}
