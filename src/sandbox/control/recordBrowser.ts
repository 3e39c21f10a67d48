import { resourceNoun } from '../../api/endpoints.ts';
import { fieldOf, valueAt } from '../../json/fields.ts';
import { parseJson } from '../../json/parse.ts';
import { badRequest, notFound } from '../http/responses.ts';
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
  if (!known) throw notFound(`there are no records of the kind ${JSON.stringify(kind)}`);
  const first = Number(query.get('first') ?? 0);
  if (!Number.isSafeInteger(first) || first < 0)
    throw badRequest('first must be a number', 'first');
  const range = { first, last: first + pageLength - 1 };
  const { texts, total } = store.list(searchQuery(known, query.get('q') ?? ''), range);
  return { kind: known, first, total, records: texts.map((text) => rowOf(text)) };
}

const knownKind = (store: RecordStore, kind: string) =>
  Object.hasOwn(store.counts(), kind) ? (kind as Kind) : undefined;

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
  const text = known && store.read(known, id);
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
    throw notFound(`${known ? resourceNoun(known) : kind} ${JSON.stringify(id)} not found`);
  }
  return {
    kind,
    id,
    text: text === undefined ? null : shownText(text),
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
