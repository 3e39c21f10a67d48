import { checkSecrets } from '../../../core/client/request.ts';
import { usageError } from '../../../core/errors.ts';
import { printableBody } from '../../../core/http/printable.ts';
import { textAt } from '../../../core/json/fields.ts';
import { parseJson } from '../../../core/json/parse.ts';
import { isSame, type JsonObject } from '../../../core/json/value.ts';
import { historyEntry } from '../api/newRecords.ts';
import { readStored, replace, replaceUser } from '../api/operations.ts';
import { parseBody, readNumber } from '../http/parseRequest.ts';
import { entityTag, notFound } from '../http/responses.ts';
import type { Account } from '../store/accounts.ts';
import { type Kind, newestFirst, type RecordStore } from '../store/recordStore.ts';

/* The records and users, as the page shows them. */

const pageLength = 50;

/** The kinds of records, or the newest records of one kind. */
export function listRecords(store: RecordStore, kind: string | undefined, query: URLSearchParams) {
  if (kind === undefined) return { kinds: store.counts() };
  const known = knownKind(store, kind);
  const first = readNumber(query, 'first');
  // The search is in the whole text of a record.
  const where = 'kind = ? AND instr(lower(body), lower(?))';
  const values = [known, query.get('q') ?? ''];
  const range = { first, last: first + pageLength - 1 };
  const { texts, total } = store.list({ where, order: newestFirst, values }, range);
  return { kind: known, first, total, records: texts.map((text) => rowOf(text)) };
}

function knownKind(store: RecordStore, kind: string): Kind {
  if (Object.hasOwn(store.counts(), kind)) return kind as Kind;
  throw notFound(`there are no records of the kind ${JSON.stringify(kind)}`);
}

/** Fields that tell people which record it is. */
const labelPaths = ['name', 'title', 'label', 'file.name', 'asset.name', 'emailNormal', 'type'];

function rowOf(text: string) {
  const record = parseJson(text);
  const name = labelPaths.map((path) => textAt(record, path)).find(Boolean);
  const parts = [name, textAt(record, 'language'), textAt(record, 'status')];
  const label = parts.filter(Boolean).join(' · ');
  return { id: textAt(record, '_id'), label: label.slice(0, 200) };
}

export function readRecord(store: RecordStore, kind: string, id: string) {
  const known = knownKind(store, kind);
  const text = readStored(store, known, id);
  return { kind, id, text: printableBody(text), version: entityTag(text) };
}

/* Changes by somebody else, for `mar sandbox set` and the page. */

export type FoundRecord = ReturnType<typeof findRecords>[number];

export const findRecords = (store: RecordStore, id: string) =>
  store.withId(id).map((found) => ({ ...found, version: entityTag(found.text) }));

/** `edit` has the whole record as JSON, the version that was edited, and optionally a user. */
export async function changeRecord(
  store: RecordStore,
  { kind: named, id }: { kind: string; id: string },
  edit: { text?: unknown; version?: unknown; as?: unknown },
) {
  const { withHidden } = await import('../../../core/writes/overlay.ts');
  const kind = knownKind(store, named);
  const caller = findUser(store.accounts.list(), edit.as);
  const stored = parseJson(readStored(store, kind, id)) as JsonObject;
  // The page hides secrets: they stay as they are.
  const body = withHidden(parseBody(Buffer.from(String(edit.text))), stored);
  checkSecrets(body);
  const user = store.readRecord('User', caller.userId);
  addHistory(body, stored, () => historyEntry(body, store.behaviour, user));
  const request = { caller, id, body, ifMatch: String(edit.version) };
  if (kind === 'User') {
    replaceUser(store, request);
    // The account settings of the service revoke tokens, too.
    if (!isSame(body.get('password'), stored.get('password'))) store.accounts.revokeAll(id);
  } else replace(store, kind, request);
  return { by: caller.userId, text: store.read(kind, id) ?? '' };
}

/** By default, a user whom nobody is logged in as. The first one is for `mar sandbox --login`. */
function findUser(users: readonly Account[], as: unknown): Account {
  const found =
    as === undefined
      ? (users.slice(1).find(({ tokens }) => tokens === 0) ?? users.at(-1))
      : users.find(({ userId, email, name }) => [userId, email, name].includes(String(as)));
  if (found) return found;
  const known = users.map(({ userId }) => userId).join(', ');
  throw usageError(`the sandbox has no user "${as}"; known users: ${known}`);
}

/** The reason belongs to the status: without a new one, that of the old status is removed. */
function addHistory(record: JsonObject, stored: JsonObject, entry: () => JsonObject) {
  const isUnchanged = (name: string) => isSame(record.get(name), stored.get(name));
  const history = record.get('history');
  if (!Array.isArray(history) || isUnchanged('status') || !isUnchanged('history')) return;
  if (isUnchanged('reason') && record.has('reason')) record.set('reason', '');
  record.set('history', [...history, entry()]);
}
