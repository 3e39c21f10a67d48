import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { isObject, type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import type { Statement } from './connection.ts';
import type { Database } from './database.ts';
import type { DownloadQuery } from './downloads.ts';
import type { Page, Range } from './ranges.ts';
import type { Kind } from './schema.ts';

const newest = 'ORDER BY created DESC, seq DESC';
/** A page ends with the record that takes it here: huge records must not fill the memory. */
const maxPageBytes = 64 * 1024 * 1024;

/**
 * Three steps: skip rows in the index alone, which is much cheaper than with their texts; add up
 * the sizes of the rest; fetch the texts of those that fit.
 */
const page = (table: string, where: string, order: string) => `
  SELECT body FROM ${table} WHERE seq IN (
    SELECT seq FROM (
      SELECT seq, sum(octet_length(body)) OVER (${order}) - octet_length(body) AS before
      FROM ${table} WHERE seq IN (
        SELECT seq FROM ${table} ${where} ${order} LIMIT ? OFFSET ?
      )
    ) WHERE before < ${maxPageBytes}
  ) ${order}`;

/** A record as it is stored. */
export type Stored = ReadonlyMap<string, Json>;

/** Parsed records that are kept: how many, and how long their texts may be. */
const maxParsed = 200;
const maxParsedLength = 100_000;

/** The records, by kind and id, as the JSON texts they are. */
export class Store {
  readonly #database: Database;
  readonly #read: Statement;
  readonly #insert: Statement;
  readonly #replace: Statement;
  /** By their SQL; there are only so many filters and orders. */
  readonly #prepared = new Map<string, Statement>();

  /**
   * A thousand new work requests refer to the same few assets and users. Nobody else writes while
   * this sandbox has the folder, so what was parsed once stays right until it is replaced.
   */
  readonly #parsed = new Map<string, Stored>();

  constructor(database: Database) {
    this.#database = database;
    this.#read = database.prepare('SELECT body FROM records WHERE kind = ? AND id = ?');
    this.#insert = database.prepare(
      'INSERT INTO records (kind, id, created, open, body) VALUES (?, ?, ?, ?, ?)',
    );
    this.#replace = database.prepare(
      'UPDATE records SET created = coalesce(?, created), open = ?, body = ? WHERE kind = ? AND id = ?',
    );
  }

  transaction<T>(work: () => T): T {
    return this.#database.transaction(work);
  }

  read(kind: Kind, id: string): string | undefined {
    return this.#read.get(kind, id)?.[0] as string | undefined;
  }

  /** For looking into. It is kept and shared, so it is not to be changed. */
  readRecord(kind: Kind, id: string): Stored | undefined {
    const key = `${kind} ${id}`;
    const known = this.#parsed.get(key);
    if (known !== undefined) return known;
    const text = this.read(kind, id);
    if (text === undefined) return undefined;
    // Only objects are ever stored.
    const record = parseJson(text) as JsonObject;
    if (text.length <= maxParsedLength) {
      if (this.#parsed.size >= maxParsed) this.#parsed.clear();
      this.#parsed.set(key, record);
    }
    return record;
  }

  /** Its text as stored. The id must be free. */
  insert(kind: Kind, id: string, record: JsonObject, now: number): string {
    const text = printJson(record);
    this.#insert.run(kind, id, timeOf(record) ?? now, isOpen(record), text);
    return text;
  }

  replace(kind: Kind, id: string, record: JsonObject): string {
    const text = printJson(record);
    this.#parsed.delete(`${kind} ${id}`);
    this.#replace.run(timeOf(record) ?? null, isOpen(record), text, kind, id);
    return text;
  }

  list(kind: Kind, range: Range, onlyOpen: boolean): Page {
    const where = onlyOpen ? 'WHERE kind = ? AND open' : 'WHERE kind = ?';
    return this.#page('records', where, newest, [kind], range);
  }

  downloads({ where, order, values }: DownloadQuery, range: Range): Page {
    return this.#page('downloads', where, order, values, range);
  }

  #page(table: string, where: string, order: string, values: readonly string[], range: Range) {
    const count = this.#prepare(`SELECT count(*) FROM ${table} ${where}`);
    const total = Number(count.get(...values)?.[0]);
    const size = range.last - range.first + 1;
    const rows = this.#prepare(page(table, where, order)).all(...values, size, range.first);
    return { texts: rows.map(([text]) => text as string), total };
  }

  #prepare(sql: string): Statement {
    const statement = this.#prepared.get(sql) ?? this.#database.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}

function timeOf(record: JsonObject): number | undefined {
  const created = record.get('created');
  return created instanceof JsonNumber ? Number(created.source) : undefined;
}

/** In a workflow phase that is not known to be the last. */
function isOpen(record: JsonObject): number {
  const workflow = record.get('workflow');
  const phase = field(workflow, 'phase');
  if (typeof phase !== 'string') return 0;
  const phases = field(field(workflow, 'definition'), 'phases');
  return field(field(phases, phase), 'terminal') === true ? 0 : 1;
}

const field = (json: Json | undefined, key: string): Json | undefined =>
  isObject(json) ? json.get(key) : undefined;
