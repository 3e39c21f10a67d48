import { valueAt } from '../../../core/json/fields.ts';
import type { JsonObject } from '../../../core/json/value.ts';
import { badRequest } from '../http/responses.ts';

/** SQL without the client's values: these are bound as parameters. */
export interface ListQuery {
  readonly where: string;
  readonly order: string;
  readonly values: readonly string[];
}

/** The columns that the `order` parameter can name. */
const orders: Readonly<Record<string, string>> = {
  created: 'created',
  _id: 'id',
  'asset.name': 'asset_name COLLATE NOCASE',
  'asset.type': 'asset_type',
  'project.name': 'project_name COLLATE NOCASE',
  'file.name': 'file_name COLLATE NOCASE',
  studio: 'studio',
  user: 'user',
};

const isIn = (column: string) => `${column} IN (SELECT value FROM json_each(?))`;

/** SQL for each query parameter, and its values. A download must pass all that are given. */
const filters: Readonly<Record<string, [sql: string, values: (value: string) => string[]]>> = {
  q: ['instr(search, ?)', (value) => [normalise(value)]],
  studios: [isIn('studio'), splitList],
  projects: [isIn('project'), splitList],
  types: [isIn('asset_type'), splitList],
  type: ['asset_type = ?', (value) => [value]],
  user: ['user = ?', (value) => [value]],
  created: ['created BETWEEN CAST(? AS REAL) AND CAST(? AS REAL)', timeSpan],
};

export function downloadQuery(parameters: ReadonlyMap<string, string>): ListQuery {
  // Always in the same order, to keep the number of prepared statements small.
  const given = Object.entries(filters).filter(([name]) => parameters.has(name));
  return {
    where: ["kind = 'Download'", ...given.map(([, [sql]]) => sql)].join(' AND '),
    values: given.flatMap(([name, [, values]]) => values(parameters.get(name) ?? '')),
    order: readOrder(parameters.get('order') ?? '-created'),
  };
}

function readOrder(order: string): string {
  const isDescending = order.startsWith('-');
  const name = isDescending ? order.slice(1) : order;
  if (!Object.hasOwn(orders, name)) {
    const known = Object.keys(orders).join(', ');
    throw badRequest(`cannot sort by ${JSON.stringify(name)}; use one of ${known}`, 'order');
  }
  const direction = isDescending ? 'DESC' : 'ASC';
  // Equal rows need a fixed order too, or pages could repeat or miss them.
  return `ORDER BY ${orders[name]} ${direction}, seq ${direction}`;
}

function splitList(value: string): string[] {
  return [JSON.stringify(value.split(',').map((part) => part.trim()))];
}

function timeSpan(value: string): string[] {
  const [, from, to = from] = /^(\d{1,16})(?:-(\d{1,16}))?$/.exec(value) ?? [];
  if (from === undefined || to === undefined || Number(to) < Number(from)) {
    const message =
      'created must be a time or a range of times, such as 1700000000000-1800000000000';
    throw badRequest(message, 'created');
  }
  return [from, to];
}

/** Makes a search ignore case and the two spellings of accents. */
const normalise = (text: string): string => text.normalize('NFC').toLowerCase();

/** The names in a download, for the parameter `q`. */
export function searchTextOf(download: JsonObject): string {
  const names = ['file.name', 'asset.name', 'project.name'].map((path) => valueAt(download, path));
  return normalise(names.filter((name) => typeof name === 'string').join('\n'));
}
