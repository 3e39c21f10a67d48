import { parseJson } from '../../json/parse.ts';
import { type JsonObject, printJson } from '../../json/value.ts';
import type { Database } from './database.ts';

/** Names the kind of a record in a file of records. No record of the service has this field. */
export const kindField = '$kind';

const pageLength = 500;

export interface ExportedPage {
  /** One record each, as JSON with its kind. */
  lines: string[];
  /** Pass it to get the next page; missing on the last one. */
  next?: string;
}

/** The records in the order in which they were written. */
export function exportPage(database: Database, after = ''): ExportedPage {
  const sql = 'SELECT seq, kind, body FROM records WHERE seq > ? ORDER BY seq LIMIT ?';
  const rows = database.all(sql, Number(after), pageLength);
  const lines = rows.map(([, kind, body]) => exportedLine(String(kind), String(body)));
  return rows.length < pageLength ? { lines } : { lines, next: String(rows.at(-1)?.[0]) };
}

function exportedLine(kind: string, body: string): string {
  const head = `{${JSON.stringify(kindField)}:${JSON.stringify(kind)},`;
  if (kind !== 'User') return head + body.slice(1);
  // The field holds only a placeholder, but it looks like a secret.
  const record = parseJson(body) as JsonObject;
  record.delete('password');
  return head + printJson(record).slice(1);
}
