import { printJson } from '../json/print.ts';
import { isObject, type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import type { Database } from './database.ts';
import { badRequest } from './refusal.ts';

/** Fixed SQL with the client's values beside it, never inside. */
export interface DownloadQuery {
  readonly where: string;
  readonly order: string;
  readonly values: readonly string[];
}

/** What `order` may name. */
const orders: Readonly<Record<string, string>> = {
  created: 'created',
  _id: 'id',
  asset: 'asset_name COLLATE NOCASE',
  'asset.name': 'asset_name COLLATE NOCASE',
  'asset.type': 'asset_type',
  type: 'asset_type',
  project: 'project_name COLLATE NOCASE',
  'project.name': 'project_name COLLATE NOCASE',
  file: 'file_name COLLATE NOCASE',
  'file.name': 'file_name COLLATE NOCASE',
  studio: 'studio',
  user: 'user',
};

const among = (column: string) => `${column} IN (SELECT value FROM json_each(?))`;

/** How each query parameter narrows the list; all that are given must hold. */
const filters: Readonly<Record<string, (value: string) => { sql: string; values: string[] }>> = {
  q: (value) => ({ sql: 'instr(search, ?)', values: [fold(value)] }),
  studios: (value) => ({ sql: among('studio'), values: [splitList(value)] }),
  projects: (value) => ({ sql: among('project'), values: [splitList(value)] }),
  types: (value) => ({ sql: among('asset_type'), values: [splitList(value)] }),
  type: (value) => ({ sql: 'asset_type = ?', values: [value] }),
  user: (value) => ({ sql: 'user = ?', values: [value] }),
  created: (value) => ({
    sql: 'created BETWEEN CAST(? AS REAL) AND CAST(? AS REAL)',
    values: timeSpan(value),
  }),
};

export function downloadQuery(parameters: ReadonlyMap<string, string>): DownloadQuery {
  // In one order always, so that there are few different queries to prepare and keep.
  const parts = Object.entries(filters).flatMap(([name, filter]) => {
    const value = parameters.get(name);
    return value === undefined ? [] : filter(value);
  });
  return {
    where: parts.length === 0 ? '' : `WHERE ${parts.map(({ sql }) => sql).join(' AND ')}`,
    values: parts.flatMap(({ values }) => values),
    order: readOrder(parameters.get('order') ?? '-created'),
  };
}

function readOrder(order: string): string {
  const descending = order.startsWith('-');
  const name = descending ? order.slice(1) : order;
  if (!Object.hasOwn(orders, name)) {
    const known = Object.keys(orders).join(', ');
    throw badRequest(`cannot order by ${JSON.stringify(name)}; use one of ${known}`, 'order');
  }
  const direction = descending ? 'DESC' : 'ASC';
  // Equal rows need an order too, or pages could repeat or miss them.
  return `ORDER BY ${orders[name]} ${direction}, seq ${direction}`;
}

const splitList = (value: string): string =>
  JSON.stringify(value.split(',').map((part) => part.trim()));

function timeSpan(value: string): string[] {
  const [, from, to = from] = /^(\d{1,16})(?:-(\d{1,16}))?$/.exec(value) ?? [];
  if (from === undefined || to === undefined || Number(to) < Number(from)) {
    throw badRequest(
      'created must be a time or a span of times: 1700000000000-1800000000000',
      'created',
    );
  }
  return [from, to];
}

/** So that letters are found in either case, and accents in either spelling. */
const fold = (text: string): string => text.normalize('NFC').toLowerCase();

/** Adds downloads; used to fill a new database, since the API has no way to write one. */
export function downloadWriter(database: Database): (download: JsonObject) => void {
  const columns = [
    'id, created, studio, project, project_name, asset_name, asset_type, file_name, user',
    'search, body',
  ].join(', ');
  const insert = database.prepare(
    `INSERT INTO downloads (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (download) => {
    const at = (...path: string[]) => textAt(download, path);
    const created = download.get('created');
    const names = [at('file', 'name'), at('asset', 'name'), at('project', 'name')];
    const [fileName = null, assetName = null, projectName = null] = names;
    insert.run(
      at('_id'),
      created instanceof JsonNumber ? Number(created.source) : 0,
      at('file', 'studio'),
      at('project', '_id'),
      projectName,
      assetName,
      at('asset', 'type'),
      fileName,
      at('user'),
      fold(names.filter((name) => name !== null).join('\n')),
      printJson(download),
    );
  };
}

function textAt(json: Json, path: readonly string[]): string | null {
  let at: Json | undefined = json;
  for (const key of path) at = isObject(at) ? at.get(key) : undefined;
  return typeof at === 'string' ? at : null;
}
