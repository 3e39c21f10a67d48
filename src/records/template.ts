import type * as z from 'zod/mini';
import { schemaParts } from '../api/schemaWalk.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { printEditableYaml } from '../terminal/yaml.ts';
import { notARecordError } from './document.ts';
import type { IsTime } from './times.ts';

export interface TemplateOrder {
  first?: readonly string[];
  leaveOut?: readonly string[];
}

/** The fields that the service fills in. */
const workRequestState: readonly string[] = [
  '_id',
  'from',
  'status',
  'reason',
  'history',
  'rejections',
  'encodes',
  'offlines',
  'files',
  'graphicsAutomationJobs',
  'translation',
  'graphicsTranslation',
  'urls',
  'created',
];

export const workRequestOrder: TemplateOrder = {
  first: ['asset', 'project', 'language', 'territory', 'due', 'instructions', 'uses'],
  leaveOut: workRequestState,
};

/**
 * A record to fill in: the given fields, then all other known fields as comments. A `#` without a
 * blank after it comments a field out.
 */
export function templateOf(
  schema: z.ZodMiniType,
  given: JsonObject,
  order: TemplateOrder,
  isTime: IsTime,
): string {
  const { first = [], leaveOut = [] } = order;
  const { shape = {} } = schemaParts(schema);
  const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  const rows = Object.entries(shape)
    .sort(([a], [b]) => rank(a) - rank(b))
    // Fields whose name starts with `$` belong to the service.
    .filter(([name]) => !name.startsWith('$') && !leaveOut.includes(name) && !given.has(name))
    .flatMap(([name, field]) => fieldLines(name, field, '#', isTime));
  const width = Math.max(0, ...rows.map(({ text }) => text.length));
  const lines = rows.map(({ text, meaning }) =>
    meaning ? `${text.padEnd(width)}  # ${meaning}\n` : `${text}\n`,
  );
  return [given.size > 0 ? printEditableYaml(given) : '', ...lines].join('');
}

const placeholders: Readonly<Record<string, readonly [value: string, meaning: string]>> = {
  string: ['""', 'string'],
  boolean: ['false', 'true or false'],
  custom: ['0', 'integer'],
  number: ['0', 'number'],
  record: ['{}', 'object with any fields'],
};

/** Lines such as `#  tz: ""`, and what belongs there. */
function fieldLines(
  name: string,
  field: z.core.$ZodType,
  indent: string,
  isTime: IsTime,
): { text: string; meaning?: string }[] {
  const key = indent + (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
  if (isTime(field))
    return [{ text: `${key}: 0`, meaning: 'time: a date such as 2026-12-01T18:00, or an integer' }];
  const { type, innerType, options, element, shape } = schemaParts(field);
  if (innerType) return fieldLines(name, innerType, indent, isTime);
  // A reference is an id or a record: the id is enough.
  if (options) return [{ text: `${key}: ""`, meaning: 'id' }];
  if (element) return [{ text: `${key}: []`, meaning: listMeaning(element) }];
  if (shape) {
    const below = Object.entries(shape).flatMap(([inner, schema]) =>
      fieldLines(inner, schema, `${indent}  `, isTime),
    );
    return [{ text: `${key}:` }, ...below];
  }
  const [value, meaning] = placeholders[type] ?? ['null', 'anything'];
  return [{ text: `${key}: ${value}`, meaning }];
}

function listMeaning(element: z.core.$ZodType): string {
  const { type, shape } = schemaParts(element);
  if (shape) return `list of {${Object.keys(shape).join(', ')}}`;
  return type === 'string' ? 'list of strings' : 'list';
}

/** Embedded records of which a new work request needs only the id. */
const references = ['project', 'asset'];

/** A new work request with the wishes of an existing one, and none of its progress. */
export function newWorkRequestFrom(json: Json, id: string): JsonObject {
  if (!isObject(json)) throw notARecordError(`work request ${id}`);
  const fields = [...json].filter(
    ([name]) => !name.startsWith('$') && !workRequestState.includes(name),
  );
  return new Map(fields.map(([name, value]) => [name, initialValue(name, value)]));
}

function initialValue(name: string, value: Json): Json {
  if (references.includes(name)) return (isObject(value) && value.get('_id')) || value;
  if (name !== 'materials' || !Array.isArray(value)) return value;
  return value.map((material) => (isObject(material) ? missingMaterial(material) : material));
}

function missingMaterial(material: JsonObject): JsonObject {
  const copy = new Map(material);
  for (const name of ['complete', 'approved']) if (copy.has(name)) copy.set(name, false);
  return copy.has('files') ? copy.set('files', []) : copy;
}
