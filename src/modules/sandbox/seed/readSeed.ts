import { endpointsOf, resourceNoun, resources } from '../../../core/api/endpoints.ts';
import { schemaMismatches } from '../../../core/api/schemaMismatch.ts';
import { schemas } from '../../../core/api/schemas.ts';
import { usageError } from '../../../core/errors.ts';
import { textAt } from '../../../core/json/fields.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json/value.ts';
import { readListFile } from '../../../core/rows/column.ts';
import { locateErrors } from '../../../core/rows/tableRows.ts';
import { isId } from '../http/parseRequest.ts';
import { linkHost } from '../http/responses.ts';
import { type Kind, kindField, type SeedRecord } from '../store/recordStore.ts';
import { demoUsers } from './demoData.ts';

/** Reads and checks the records of a file: JSON lines or an array. Without a user, adds the demo users. */
export async function readSeed(file: string): Promise<SeedRecord[]> {
  const { rows } = await readListFile('--seed', file);
  if (!rows) throw usageError(`${file}: expected records as JSON lines or as a JSON array`);
  const records: SeedRecord[] = [];
  const places = new Map<string, string>();
  for await (const { line, read } of rows) {
    const place = `${file}, line ${line}`;
    const record = toRecord(locateErrors(place, read), place);
    records.push(record);
    for (const key of keysOf(record)) {
      const other = places.get(key);
      if (other) throw usageError(`${place}: duplicate ${key}`, `The other one is here: ${other}`);
      places.set(key, place);
    }
  }
  if (records.length === 0) throw usageError(`${file} has no records`);
  const hasUser = records.some(({ kind }) => kind === 'User');
  return hasUser ? records : [...records, ...demoUsers(Date.now())];
}

/** Values that no other record may have. */
const keysOf = ({ kind, id, record }: SeedRecord): string[] => [
  `${resourceNoun(kind)} ${id}`,
  ...(kind === 'User' ? [`emailNormal ${textAt(record, 'emailNormal').toLowerCase()}`] : []),
];

function toRecord(given: JsonObject, place: string): SeedRecord {
  const record = new Map(given);
  const kind = kindOf(record);
  if (kind === undefined) {
    const isMissing = !record.has(kindField);
    const missing = 'is missing, and the record has no link to itself';
    throw usageError(
      `${place}: ${kindField}: ${isMissing ? missing : 'is not a known kind'}`,
      `Add ${kindField} to the record. Known kinds: ${kinds.join(', ')}`,
    );
  }
  record.delete(kindField);
  const id = record.get('_id');
  if (typeof id !== 'string' || !isId(id)) {
    throw usageError(`${place}: _id: expected a string of 1 to 256 characters`);
  }
  checkTypes(kind, record, place);
  return { kind, id, record: withLocalLinks(record) as JsonObject };
}

function checkTypes(kind: Kind, record: JsonObject, place: string): void {
  const [endpoint] = endpointsOf(kind);
  if (endpoint === undefined) return;
  const [mismatch] = schemaMismatches(schemas[endpoint.response](), record);
  if (mismatch) throw usageError(`${place}: ${mismatch.path}: ${mismatch.problem}`);
}

/** Links of another service would lead away from the sandbox. */
function withLocalLinks(json: Json, isLinks = false): Json {
  if (Array.isArray(json)) return json.map((item) => withLocalLinks(item));
  if (isObject(json)) {
    return new Map(
      [...json].map(([key, value]) => [key, withLocalLinks(value, isLinks || key === '$links')]),
    );
  }
  return isLinks && typeof json === 'string'
    ? json.replace(/^(?:https?:)?\/\/[^/]+\/api\//, `//${linkHost}/api/`)
    : json;
}

const kinds: readonly Kind[] = [
  ...resources.map(({ resource }) => resource).filter((kind) => kind !== 'Session'),
  'Project',
  'Studio',
];

/** The kinds whose records have no links, and fields that they have. */
const fieldsByKind: readonly (readonly [Kind, readonly string[]])[] = [
  ['Event', ['processed', 'digested']],
  ['Download', ['asset', 'project', 'file']],
];

/** The kind that the record names; or the one of its own link; or the one that its fields suggest. */
function kindOf(record: JsonObject): Kind | undefined {
  const given = record.get(kindField);
  if (given !== undefined) return kinds.find((kind) => kind === given);
  return (
    kindOfLink(record) ??
    fieldsByKind.find(([, fields]) => fields.every((name) => record.has(name)))?.[0]
  );
}

function kindOfLink(record: JsonObject): Kind | undefined {
  const [, collection] = /\/\/[^/]+\/api\/([^/]+)\//.exec(textAt(record, '$links.self')) ?? [];
  if (collection === undefined) return undefined;
  return kinds.find((kind) => namesInPaths(kind).includes(collection.toLowerCase()));
}

/** `session` and `users`. */
const namesInPaths = (kind: Kind) => [
  ...endpointsOf(kind).map(({ path }) => path.split('/')[1]),
  `${kind.toLowerCase()}s`,
];
