import type * as z from 'zod/mini';
import { schemaParts } from '../api/schemaWalk.ts';
import type { JsonObject } from '../json/value.ts';
import { printYaml } from '../values/yaml.ts';
import { isReference } from './references.ts';
import type { IsTime } from './times.ts';

/** The fields of an order that people fill in first. */
export const firstFields = [
  'asset',
  'project',
  'language',
  'territory',
  'due',
  'instructions',
  'uses',
];

/**
 * A record to fill in: the given fields, then all other known fields as comments. A `#` without a
 * blank after it comments a field out.
 */
export function templateOf(
  schema: z.ZodMiniType,
  given: JsonObject,
  { first = [], leaveOut }: { first?: readonly string[]; leaveOut: readonly string[] },
  isTime: IsTime,
): string {
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
  return [given.size > 0 ? printYaml(given) : '', ...lines].join('');
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
  if (isTime(field)) {
    const meaning = 'date in the time zone tz (or yours); also 1 Dec 18:00, or an integer';
    return [{ text: `${key}: +14dT18:00`, meaning }];
  }
  if (isReference([field])) {
    return [{ text: `${key}:` }, { text: `${indent}  _id: ""`, meaning: 'id' }];
  }
  const { type, innerType, element, shape } = schemaParts(field);
  if (innerType) return fieldLines(name, innerType, indent, isTime);
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
