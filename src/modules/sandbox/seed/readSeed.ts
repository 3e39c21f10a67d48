import { endpointsOf, resourceNoun, resources } from '../../../core/api/endpoints.ts';
import { schemaMismatches } from '../../../core/api/schemaMismatch.ts';
import { schemas } from '../../../core/api/schemas.ts';
import { usageError } from '../../../core/errors.ts';
import { textAt } from '../../../core/json/fields.ts';
import type { JsonObject } from '../../../core/json/value.ts';
import { readListFile } from '../../../core/rows/column.ts';
import { locateErrors } from '../../../core/rows/tableRows.ts';
import { isId } from '../http/parseRequest.ts';
import { type Kind, kindField, type SeedRecord } from '../store/recordStore.ts';
import { demoUsers } from './demoData.ts';

/** Reads and checks the records of a file: JSON lines or an array. Without a user, adds the demo users. */
export async function readSeed(file: string): Promise<SeedRecord[]> {
  const { rows } = await readListFile('--seed', file);
  if (!rows) throw usageError(`${file}: expected records as JSON lines or as a JSON array`);
  const records: SeedRecord[] = [];
  const places = new Map<string, string>();
  for (const { line, read } of rows) {
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
  const named = record.get(kindField);
  const kind = kinds.find((one) => one === named);
  if (kind === undefined) {
    throw usageError(
      `${place}: ${kindField}: ${named === undefined ? 'is missing' : 'is not a known kind'}`,
      `Add ${kindField} to the record. Known kinds: ${kinds.join(', ')}`,
    );
  }
  record.delete(kindField);
  const id = record.get('_id');
  if (typeof id !== 'string' || !isId(id)) {
    throw usageError(`${place}: _id: expected a string of 1 to 256 characters`);
  }
  const [endpoint] = endpointsOf(kind);
  const [mismatch] = endpoint ? schemaMismatches(schemas[endpoint.response](), record) : [];
  if (mismatch) throw usageError(`${place}: ${mismatch.path}: ${mismatch.problem}`);
  return { kind, id, record };
}

const kinds: readonly Kind[] = [
  ...resources.map(({ resource }) => resource).filter((kind) => kind !== 'Session'),
  'Project',
  'Studio',
];
