import { isUtf8 } from 'node:buffer';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { endpointsOf, resources } from '../../../core/api/endpoints.ts';
import { schemaMismatches } from '../../../core/api/schemaMismatch.ts';
import { schemas } from '../../../core/api/schemas.ts';
import { MarError, usageError } from '../../../core/errors.ts';
import { readRegularFile } from '../../../core/files/regularFile.ts';
import { readReason } from '../../../core/files/systemReason.ts';
import { textAt } from '../../../core/json/fields.ts';
import { JsonSyntaxError, parseJson } from '../../../core/json/parse.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json/value.ts';
import { isId } from '../http/parseRequest.ts';
import { linkHost } from '../http/responses.ts';
import { type Kind, kindField, type SeedRecord } from '../store/recordStore.ts';
import { demoUsers } from './demoData.ts';

interface PlacedRecord extends SeedRecord {
  place: string;
}

/**
 * Reads and checks all records of a file of JSON lines, a JSON document, or a folder of such files.
 * Without a user among them, adds the demo users.
 */
export function readSeed(seed: string): SeedRecord[] {
  const records = filesOf(seed).flatMap(readRecords);
  if (records.length === 0) throw usageError(`${seed} has no records`);
  checkUnique(records, ({ kind, id }) => `${kind} ${id}`, '_id');
  const users = records.filter(({ kind }) => kind === 'User');
  checkUnique(
    users,
    ({ record }) => String(record.get('emailNormal')).toLowerCase(),
    'emailNormal',
  );
  return users.length > 0 ? records : [...records, ...demoUsers(Date.now())];
}

function filesOf(seed: string): string[] {
  const found = reading(seed, () => statSync(seed));
  if (!found.isDirectory()) return [seed];
  const names = reading(seed, () => readdirSync(seed)).filter((name) => /\.jsonl?$/i.test(name));
  if (names.length === 0) throw usageError(`the folder ${seed} has no .json or .jsonl files`);
  return names.sort().map((name) => path.join(seed, name));
}

function reading<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof MarError) throw usageError(error.message);
    throw usageError(`cannot read ${file}: ${readReason(error)}`, undefined, { cause: error });
  }
}

function readRecords(file: string): PlacedRecord[] {
  const bytes = reading(file, () => readRegularFile(file));
  if (!isUtf8(bytes)) throw usageError(`${file}: not valid UTF-8`);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (/\.json$/i.test(file)) {
    const document = parse(text, file);
    return Array.isArray(document)
      ? document.map((item, index) => toRecord(item, `${file}: record ${index + 1}`))
      : [toRecord(document, file)];
  }
  return text.split(/\r?\n/).flatMap((line, index) => {
    const place = `${file}: line ${index + 1}`;
    return line.trim() === '' ? [] : [toRecord(parse(line, place), place)];
  });
}

function parse(text: string, place: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw usageError(`${place}: not valid JSON: ${error.message}`);
  }
}

function toRecord(json: Json, place: string): PlacedRecord {
  if (!isObject(json)) throw usageError(`${place}: expected a record, which is a JSON object`);
  const record = new Map(json);
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
  return { kind, id, record: withLocalLinks(record) as JsonObject, place };
}

function checkTypes(kind: Kind, record: JsonObject, place: string): void {
  const [endpoint] = endpointsOf(kind);
  if (endpoint === undefined) return;
  const [mismatch] = schemaMismatches(schemas[endpoint.response](), record);
  if (mismatch) throw usageError(`${place}: ${mismatch.path}: ${mismatch.problem}`);
}

function checkUnique(
  records: readonly PlacedRecord[],
  keyOf: (record: PlacedRecord) => string,
  field: string,
): void {
  const places = new Map<string, string>();
  for (const record of records) {
    const key = keyOf(record);
    const other = places.get(key);
    if (other !== undefined) {
      const message = `${record.place}: ${field}: duplicate ${key}`;
      throw usageError(message, `The other one is here: ${other}`);
    }
    places.set(key, record.place);
  }
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
