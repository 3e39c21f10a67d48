import type { Resource } from '../api/endpoints.ts';
import { parseJson } from '../json/parse.ts';
import { isObject, type Json, JsonNumber, type JsonObject, printJson } from '../json/value.ts';
import type { Database } from './database.ts';
import {
  type DownloadQuery,
  downloadValues,
  insertDownload,
  replaceDownload,
} from './downloadTable.ts';
import type { Statement } from './libsql.ts';
import type { ListRange } from './parseRequest.ts';

/** Kinds of stored records: the resources, and the records they refer to. */
export type Kind = Resource | 'Project' | 'Studio';

/** Part of a list, as JSON texts, and the length of the whole list. */
export interface RecordPage {
  readonly texts: readonly string[];
  readonly total: number;
}

const newestFirst = 'ORDER BY created DESC, seq DESC';
/** A page ends with the record that reaches this size, so that huge records do not fill memory. */
const maxPageBytes = 64 * 1024 * 1024;

/**
 * Works in three steps: skip rows in the index alone, which is much faster than reading their
 * texts; add up the sizes of the rest; read the texts of the rows that fit into the page.
 */
const selectPage = (table: string, where: string, order: string) => `
  SELECT body FROM ${table} WHERE seq IN (
    SELECT seq FROM (
      SELECT seq, sum(octet_length(body)) OVER (${order}) - octet_length(body) AS before
      FROM ${table} WHERE seq IN (
        SELECT seq FROM ${table} ${where} ${order} LIMIT ? OFFSET ?
      )
    ) WHERE before < ${maxPageBytes}
  ) ${order}`;

export type StoredRecord = ReadonlyMap<string, Json>;

const maxParsedRecords = 200;
const maxParsedLength = 100_000;

/** The records by kind and id, as JSON texts. Downloads have a table of their own for filtering. */
export class RecordStore {
  readonly #database: Database;
  /** By SQL: there are only a few different filters and orders. */
  readonly #statements = new Map<string, Statement>();

  /**
   * New work requests refer to the same few assets and users. Only this sandbox writes to the
   * folder, so a parsed record is valid until it is replaced.
   */
  readonly #parsed = new Map<string, StoredRecord>();

  constructor(database: Database) {
    this.#database = database;
  }

  transaction<T>(work: () => T): T {
    return this.#database.transaction(work);
  }

  read(kind: Kind, id: string): string | undefined {
    const row =
      kind === 'Download'
        ? this.#prepare('SELECT body FROM downloads WHERE id = ?').get(id)
        : this.#prepare('SELECT body FROM records WHERE kind = ? AND id = ?').get(kind, id);
    return row?.[0] as string | undefined;
  }

  /** The record is shared, so it must not be changed. */
  readRecord(kind: Kind, id: string): StoredRecord | undefined {
    const key = `${kind} ${id}`;
    const known = this.#parsed.get(key);
    if (known !== undefined) return known;
    const text = this.read(kind, id);
    if (text === undefined) return undefined;
    // Only objects are ever stored.
    const record = parseJson(text) as JsonObject;
    if (text.length <= maxParsedLength) {
      if (this.#parsed.size >= maxParsedRecords) this.#parsed.clear();
      this.#parsed.set(key, record);
    }
    return record;
  }

  /** Returns the stored text. The id must not be in use. */
  insert(kind: Kind, id: string, record: JsonObject, now: number): string {
    const text = printJson(record);
    const created = createdOf(record) ?? now;
    if (kind === 'Download') {
      this.#prepare(insertDownload).run(...downloadValues(record), created, text, id);
    } else {
      this.#prepare(
        'INSERT INTO records (kind, id, created, open, body) VALUES (?, ?, ?, ?, ?)',
      ).run(kind, id, created, Number(isOpen(record)), text);
    }
    return text;
  }

  replace(kind: Kind, id: string, record: JsonObject): string {
    const text = printJson(record);
    const created = createdOf(record) ?? null;
    this.#parsed.delete(`${kind} ${id}`);
    if (kind === 'Download') {
      this.#prepare(replaceDownload).run(...downloadValues(record), created, text, id);
    } else {
      this.#prepare(
        'UPDATE records SET created = coalesce(?, created), open = ?, body = ? WHERE kind = ? AND id = ?',
      ).run(created, Number(isOpen(record)), text, kind, id);
    }
    return text;
  }

  delete(kind: Kind, id: string): void {
    this.#parsed.delete(`${kind} ${id}`);
    if (kind === 'Download') this.#prepare('DELETE FROM downloads WHERE id = ?').run(id);
    else this.#prepare('DELETE FROM records WHERE kind = ? AND id = ?').run(kind, id);
  }

  list(kind: Kind, range: ListRange, onlyOpen: boolean): RecordPage {
    const where = onlyOpen ? 'WHERE kind = ? AND open' : 'WHERE kind = ?';
    return this.#page('records', where, newestFirst, [kind], range);
  }

  listDownloads({ where, order, values }: DownloadQuery, range: ListRange): RecordPage {
    return this.#page('downloads', where, order, values, range);
  }

  #page(
    table: string,
    where: string,
    order: string,
    values: readonly string[],
    range: ListRange,
  ): RecordPage {
    const count = this.#prepare(`SELECT count(*) FROM ${table} ${where}`);
    const total = Number(count.get(...values)?.[0]);
    const size = range.last - range.first + 1;
    const rows = this.#prepare(selectPage(table, where, order)).all(...values, size, range.first);
    return { texts: rows.map(([text]) => text as string), total };
  }

  #prepare(sql: string): Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function createdOf(record: JsonObject): number | undefined {
  const created = record.get('created');
  return created instanceof JsonNumber ? Number(created.source) : undefined;
}

/** Whether the workflow phase is not known to be the last one. */
function isOpen(record: JsonObject): boolean {
  const workflow = record.get('workflow');
  const phase = field(workflow, 'phase');
  if (typeof phase !== 'string') return false;
  const phases = field(field(workflow, 'definition'), 'phases');
  return field(field(phases, phase), 'terminal') !== true;
}

const field = (json: Json | undefined, key: string): Json | undefined =>
  isObject(json) ? json.get(key) : undefined;
