import type { Resource } from '../../../core/api/endpoints.ts';
import { fieldOf, valueAt } from '../../../core/json/fields.ts';
import { parseJson } from '../../../core/json/parse.ts';
import { JsonNumber, type JsonObject, printJson } from '../../../core/json/value.ts';
import type { ListRange } from '../http/parseRequest.ts';
import { type Accounts, accountsIn, standInPassword } from './accounts.ts';
import { type Behaviour, behaviourOf, type Description } from './behaviour.ts';
import type { Database } from './database.ts';
import { type ListQuery, searchTextOf } from './downloadQuery.ts';

/** Kinds of stored records: the resources, and the records they refer to. */
export type Kind = Resource | 'Project' | 'Studio';

/** The records of a new database. Made one at a time: there may be many. */
export type Seed = Iterable<SeedRecord>;

export interface SeedRecord {
  kind: Kind;
  id: string;
  record: JsonObject;
}

const exampleKinds: readonly Kind[] = ['WorkRequest', 'Asset', 'Notification'];

/** Names the kind of a record in a file of records. No record of the service has this field. */
export const kindField = '$kind';

/** Skips rows in the index alone, which is much faster than reading their texts. */
const selectPage = ({ where, order }: ListQuery) => `
  SELECT body FROM records WHERE seq IN (
    SELECT seq FROM records WHERE ${where} ${order} LIMIT ? OFFSET ?
  ) ${order}`;

export const newestFirst = 'ORDER BY created DESC, seq DESC';

export const newestOf = (kind: Kind, onlyOpen: boolean): ListQuery => ({
  where: onlyOpen ? 'kind = ? AND open' : 'kind = ?',
  order: newestFirst,
  values: [kind],
});

/** The records by kind and id, as JSON texts, and the accounts of the users among them. */
export class RecordStore {
  readonly accounts: Accounts;
  readonly behaviour: Behaviour;
  readonly #database: Database;

  constructor(database: Database, service: Description = {}) {
    this.behaviour = behaviourOf(service);
    this.accounts = accountsIn(database);
    this.#database = database;
  }

  transaction<T>(work: () => T): T {
    return this.#database.transaction(work);
  }

  /**
   * Writes the first records, and an account for each user. Uses one transaction: if the process is
   * killed, the next start finds what was there before.
   */
  fill(seed: () => Seed, prepare: () => void): void {
    const now = this.behaviour.now();
    this.#database.transaction(() => {
      prepare();
      for (const { kind, id, record } of seed()) {
        if (kind === 'User') {
          record.set('password', standInPassword(id));
          this.accounts.add(id, String(record.get('emailNormal') ?? id));
        }
        this.insert(kind, id, record, now);
      }
    });
  }

  read(kind: Kind, id: string): string | undefined {
    const sql = 'SELECT body FROM records WHERE kind = ? AND id = ?';
    const [text] = this.#database.get(sql, kind, id);
    return text as string | undefined;
  }

  readRecord(kind: Kind, id: string): JsonObject | undefined {
    const text = this.read(kind, id);
    // Only objects are ever stored.
    return text === undefined ? undefined : (parseJson(text) as JsonObject);
  }

  /** Returns the stored text. The id must not be in use. */
  insert(kind: Kind, id: string, record: JsonObject, now: number): string {
    const text = printJson(record);
    const created = createdOf(record) ?? now;
    const columns = columnsOf(kind, record, text);
    const sql =
      'INSERT INTO records (kind, id, created, open, search, body) VALUES (?, ?, ?, ?, ?, ?)';
    this.#database.run(sql, kind, id, created, ...columns);
    return text;
  }

  /** Returns the stored text. A record without a time keeps its place in lists. */
  replace(kind: Kind, id: string, record: JsonObject): string {
    const text = printJson(record);
    const columns = columnsOf(kind, record, text);
    const sql =
      'UPDATE records SET created = coalesce(?, created), open = ?, search = ?, body = ? WHERE kind = ? AND id = ?';
    this.#database.run(sql, createdOf(record) ?? null, ...columns, kind, id);
    return text;
  }

  /** Deletes all records and accounts. Tokens stay, and work again for the same user and e-mail. */
  clear(): void {
    this.#database.exec('DELETE FROM records; DELETE FROM accounts');
  }

  withId(id: string): { kind: Kind; text: string }[] {
    const rows = this.#database.all('SELECT kind, body FROM records WHERE id = ?', id);
    return rows.map(([kind, text]) => ({ kind: kind as Kind, text: String(text) }));
  }

  /** The first ids of the kinds that people use most, for trying commands. */
  examples(): Record<string, string[]> {
    const sql = 'SELECT id FROM records WHERE kind = ? ORDER BY id LIMIT 50';
    const idsOf = (kind: Kind) => this.#database.all(sql, kind).map(([id]) => String(id));
    return Object.fromEntries(exampleKinds.map((kind) => [kind, idsOf(kind)]));
  }

  counts(): Record<string, number> {
    const rows = this.#database.all('SELECT kind, count(*) FROM records GROUP BY kind');
    return Object.fromEntries(rows.map(([kind, count]) => [String(kind), Number(count)]));
  }

  /** The records in the order in which they were written, as JSON with their kind. */
  exported(): string[] {
    const rows = this.#database.all('SELECT kind, body FROM records ORDER BY seq');
    return rows.map(([kind, body]) => exportedLine(String(kind), String(body)));
  }

  /** Part of a list, as JSON texts, and the length of the whole list. */
  list(query: ListQuery, { first, last }: ListRange) {
    const { where, values } = query;
    const [total] = this.#database.get(`SELECT count(*) FROM records WHERE ${where}`, ...values);
    const rows = this.#database.all(selectPage(query), ...values, last - first + 1, first);
    return { texts: rows.map(([text]) => text as string), total: Number(total) };
  }
}

const columnsOf = (kind: Kind, record: JsonObject, text: string) => [
  Number(isOpen(record)),
  kind === 'Download' ? searchTextOf(record) : null,
  text,
];

function exportedLine(kind: string, body: string): string {
  const head = `{${JSON.stringify(kindField)}:${JSON.stringify(kind)},`;
  if (kind !== 'User') return head + body.slice(1);
  // The field holds only a placeholder, but it looks like a secret.
  const record = parseJson(body) as JsonObject;
  record.delete('password');
  return head + printJson(record).slice(1);
}

function createdOf(record: JsonObject): number | undefined {
  const created = record.get('created');
  return created instanceof JsonNumber ? Number(created.source) : undefined;
}

/** Whether the workflow phase is not known to be the last one. */
function isOpen(record: JsonObject): boolean {
  const phase = valueAt(record, 'workflow.phase');
  const phases = valueAt(record, 'workflow.definition.phases');
  return typeof phase === 'string' && fieldOf(fieldOf(phases, phase), 'terminal') !== true;
}
