import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { badRequest } from './responses.ts';

/** SQL without the client's values: these are bound as parameters. */
export interface DownloadQuery {
  readonly where: string;
  readonly order: string;
  readonly values: readonly string[];
}

/** The columns that the `order` parameter can name. */
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

const isIn = (column: string) => `${column} IN (SELECT value FROM json_each(?))`;

/** One filter for each query parameter. A download must pass all that are given. */
const filters: Readonly<Record<string, (value: string) => { sql: string; values: string[] }>> = {
  q: (value) => ({ sql: 'instr(search, ?)', values: [normalise(value)] }),
  studios: (value) => ({ sql: isIn('studio'), values: [splitList(value)] }),
  projects: (value) => ({ sql: isIn('project'), values: [splitList(value)] }),
  types: (value) => ({ sql: isIn('asset_type'), values: [splitList(value)] }),
  type: (value) => ({ sql: 'asset_type = ?', values: [value] }),
  user: (value) => ({ sql: 'user = ?', values: [value] }),
  created: (value) => ({
    sql: 'created BETWEEN CAST(? AS REAL) AND CAST(? AS REAL)',
    values: timeSpan(value),
  }),
};

export function downloadQuery(parameters: ReadonlyMap<string, string>): DownloadQuery {
  // Always in the same order, to keep the number of prepared statements small.
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
  const isDescending = order.startsWith('-');
  const name = isDescending ? order.slice(1) : order;
  if (!Object.hasOwn(orders, name)) {
    const known = Object.keys(orders).join(', ');
    throw badRequest(`cannot order by ${JSON.stringify(name)}; use one of ${known}`, 'order');
  }
  const direction = isDescending ? 'DESC' : 'ASC';
  // Equal rows need a fixed order too, or pages could repeat or miss them.
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

/** Makes a search ignore case and the two spellings of accents. */
const normalise = (text: string): string => text.normalize('NFC').toLowerCase();

const columns =
  'studio, project, project_name, asset_name, asset_type, file_name, user, search, created, body';

// Both statements take the values of `downloadValues`, then `created`, the text and the id.
export const insertDownload = `
  INSERT INTO downloads (${columns}, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
export const replaceDownload = `
  UPDATE downloads SET (${columns}) = (?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, created), ?)
  WHERE id = ?`;

export function downloadValues(download: JsonObject): (string | null)[] {
  const [projectName, assetName, fileName] = ['project', 'asset', 'file'].map((key) =>
    stringAt(download, key, 'name'),
  );
  const names = [fileName, assetName, projectName].filter((name) => typeof name === 'string');
  return [
    stringAt(download, 'file', 'studio'),
    stringAt(download, 'project', '_id'),
    projectName ?? null,
    assetName ?? null,
    stringAt(download, 'asset', 'type'),
    fileName ?? null,
    stringAt(download, 'user'),
    normalise(names.join('\n')),
  ];
}

function stringAt(record: JsonObject, ...path: string[]): string | null {
  let value: Json | undefined = record;
  for (const key of path) value = isObject(value) ? value.get(key) : undefined;
  return typeof value === 'string' ? value : null;
}
