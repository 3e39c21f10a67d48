import { type MarError, usageError } from '../errors.ts';
import { flatten } from '../json/fields.ts';
import { type PathStep, parsePath } from '../json/path.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { describeUnknown } from '../values/nearest.ts';
import { valueReader } from './columns.ts';
import type { Column, ListOptions, View } from './view.ts';

/* Fields that the user picked. Loaded late, because most commands print records whole. */

/** A record with the fields of these columns alone, where they were; a missing one is null. */
export function pickFields(columns: readonly Column[], record: Json): JsonObject {
  const picked: JsonObject = new Map();
  for (const column of columns) {
    put(picked, parsePath(column.path), (valueReader(column)(record) ?? null) as Json);
  }
  return picked;
}

function put(parent: Json | undefined, [step, ...rest]: readonly PathStep[], value: Json): Json {
  if (step === undefined) return value;
  if (typeof step === 'string') {
    const object = isObject(parent) ? parent : new Map<string, Json>();
    return object.set(step, put(object.get(step), rest, value));
  }
  const list = Array.isArray(parent) ? parent : [];
  while (list.length <= step) list.push(null);
  list[step] = put(list[step], rest, value);
  return list;
}

/** Warns of fields of a filter that no record has and nothing documents: it printed only nulls. */
export async function warnOfFields(
  paths: readonly Column[],
  view: View,
  example: ServiceRecord,
  { warn }: Pick<ListOptions, 'warn'>,
): Promise<void> {
  const known = await view.knownFields?.();
  const columns = paths.flatMap((column): Column[] => {
    const unknown = known ? known.unknownColumn(column.path, []) : column;
    return unknown ? [{ ...column, unknown }] : [];
  });
  const { message, details } = columnsError(columns, example);
  const text = message.replace(/^unknown column/gm, 'no record has the field');
  if (columns.length > 0) warn('unknown-field', text, details.fields);
}

/** If no name is close, suggests a field of the same name deeper in the example. */
export function columnsError(columns: readonly Column[], example?: ServiceRecord): MarError {
  const leaves = example ? flatten(example.value, () => '').map(([leaf]) => leaf) : [];
  const fields = columns.map(({ path, unknown }) => {
    const meant = unknown?.meant ?? leaves.find((leaf) => leaf.endsWith(`.${path}`));
    return { path, suggestion: meant, message: describeUnknown('column', { path, meant }) };
  });
  const hint = example && 'No record has this field. To see all fields, use --json.';
  const message = fields.map((field) => field.message).join('\n');
  return usageError(message, hint, { flag: '--columns', fields });
}
