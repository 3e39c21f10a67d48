import { resourceNoun } from '../../api/endpoints.ts';
import { fieldOf, valueAt } from '../../json/fields.ts';
import { parseJson } from '../../json/parse.ts';
import { badRequest, entityTag, notFound } from '../http/responses.ts';
import { shownText, summaryOf } from '../log/describeRequest.ts';
import type { RequestLog } from '../log/requestLog.ts';
import type { Accounts } from '../store/accounts.ts';
import type { ListQuery } from '../store/downloadQuery.ts';
import { type Kind, newestFirst, type RecordStore } from '../store/recordStore.ts';

/* What the page shows of the records and users. */

const pageLength = 50;
/** Changes of one record that the page shows. */
const maxChanges = 50;

/** The kinds of records, or the newest records of one kind. */
export function listRecords(store: RecordStore, kind: string | undefined, query: URLSearchParams) {
  if (kind === undefined) return { kinds: store.counts() };
  const known = knownKind(store, kind);
  const first = Number(query.get('first') ?? 0);
  if (!Number.isSafeInteger(first) || first < 0)
    throw badRequest('first must be a number', 'first');
  const range = { first, last: first + pageLength - 1 };
  const { texts, total } = store.list(searchQuery(known, query.get('q') ?? ''), range);
  return { kind: known, first, total, records: texts.map((text) => rowOf(text)) };
}

export function knownKind(store: RecordStore, kind: string): Kind {
  if (Object.hasOwn(store.counts(), kind)) return kind as Kind;
  throw notFound(`there are no records of the kind ${JSON.stringify(kind)}`);
}

/** The search is in the whole text of a record. */
const searchQuery = (kind: Kind, words: string): ListQuery => ({
  where: 'kind = ? AND instr(lower(body), lower(?))',
  order: newestFirst,
  values: [kind, words],
});

/** Fields that tell people which record it is. */
const labelPaths = ['name', 'title', 'label', 'file.name', 'asset.name', 'emailNormal', 'type'];

function rowOf(text: string) {
  const record = parseJson(text);
  const stringAt = (path: string) => {
    const value = valueAt(record, path);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const name = labelPaths.map(stringAt).find((value) => value !== undefined);
  const parts = [name, stringAt('language'), stringAt('status')];
  const label = parts.filter((part) => part !== undefined).join(' · ');
  return { id: stringAt('_id') ?? '', label: label.slice(0, 200) };
}

/** One record, and the logged requests that changed it, newest first. */
export function readRecord(store: RecordStore, log: RequestLog, kind: string, id: string) {
  const known = knownKind(store, kind);
  const text = store.read(known, id);
  const changes = log
    .since(0)
    .entries.toReversed()
    .flatMap((entry) => {
      const change = entry.changes.find((one) => one.kind === kind && one.id === id);
      if (!change) return [];
      const [before, after] = [change.before, change.after].map((one) =>
        one === undefined ? null : shownText(one),
      );
      return [{ request: summaryOf(entry), before, after }];
    });
  if (text === undefined && changes.length === 0) {
    throw notFound(`${resourceNoun(known)} ${JSON.stringify(id)} not found`);
  }
  const shown = text === undefined ? null : shownText(text);
  return {
    kind,
    id,
    text: shown,
    // Only a text that hides nothing can be changed and saved.
    version: text !== undefined && text === shown ? entityTag(text) : null,
    changes: changes.slice(0, maxChanges),
  };
}

export function listAccounts(store: RecordStore, accounts: Accounts) {
  return {
    accounts: accounts.list().map((account) => {
      const name = fieldOf(store.readRecord('User', account.userId), 'name');
      return { ...account, name: typeof name === 'string' ? name : '' };
    }),
  };
}
