import * as z from 'zod/mini';
import { capitalised, type RecordName } from './endpoints.ts';
import {
  type DefinitionName,
  type DefinitionNotes,
  definitionNotes,
  fieldNotesByName,
} from './fieldNotes.ts';
import * as api from './schemas.ts';

/* The schemas as JSON Schema 2020-12. Making them takes long, so this file is loaded late. */

/** Only the keywords that the program reads have a type. */
export interface JsonSchema {
  [keyword: string]: unknown;
  type?: string | string[];
  description?: string;
  examples?: readonly unknown[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  anyOf?: JsonSchema[];
  $ref?: string;
}

/** A time in a file that a person writes for mar, which converts dates before it sends them. */
const writtenTime: JsonSchema = {
  description:
    'time: a date such as 2026-12-01T18:00, 1 Dec 18:00 or +14d, which mar converts, or the integer that the API documents; its unit is not documented',
  anyOf: [
    { type: 'integer' },
    { type: 'string', pattern: '^(\\d{4}-\\d|\\d{1,2} [A-Za-z]{3}|[A-Za-z]{3}|\\+\\d+[hdwmy])' },
  ],
};

/**
 * All records and shared parts. They refer to each other as `{prefix}{name}`. In files that people
 * write, a time may also be a date.
 */
export function definitions(
  prefix: string,
  { forFiles = false } = {},
): Record<DefinitionName, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  const { schemas, time, isTime, links, ...parts } = api;
  const { signOut, ...records } = schemas;
  // Tools that load modules differ in the order of the exports.
  const sorted = Object.entries(parts).sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [name, make] of [...Object.entries(records), ...sorted]) {
    registry.add(make(), { id: capitalised(name) });
  }
  const made = z.toJSONSchema(registry, {
    target: 'draft-2020-12',
    uri: (name) => prefix + name,
    // The only custom type is the integer.
    unrepresentable: () => ({ type: 'integer' }),
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === time && forFiles) {
        delete jsonSchema.type;
        Object.assign(jsonSchema, writtenTime);
      } else if (zodSchema === time) {
        jsonSchema.description = 'time as an integer; the unit is not documented';
      }
      if (zodSchema === links) {
        jsonSchema.description = 'protocol-relative URLs of this record and related records';
      }
    },
  });
  const entries = Object.entries(made.schemas).map(([name, schema]) => [
    name,
    annotated(name as DefinitionName, schema as JsonSchema),
  ]);
  return Object.fromEntries(entries) as Record<DefinitionName, JsonSchema>;
}

export function recordSchema(schema: RecordName, options?: { forFiles?: boolean }): JsonSchema {
  const all: Record<string, JsonSchema> = definitions('#/$defs/', options);
  const root = all[capitalised(schema)];
  const used = new Set<string>();
  const collect = (definition: JsonSchema | undefined) => {
    for (const [, name = ''] of JSON.stringify(definition).matchAll(/"#\/\$defs\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      collect(all[name]);
    }
  };
  collect(root);
  const parts = Object.entries(all).filter(([name]) => used.has(name));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:mar:schema:${schema.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    ...root,
    ...(parts.length > 0 && { $defs: Object.fromEntries(parts) }),
  };
}

function annotated(name: DefinitionName, schema: JsonSchema): JsonSchema {
  const words = name.replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const { title = words, description } = definitionNotes[name];
  const { type, ...rest } = withNotes(schema, definitionNotes[name]);
  return { title, description, type, ...rest };
}

const readAsString = { description: 'a string by our reading: the type is not documented' };

function withNotes(schema: JsonSchema, notes: DefinitionNotes, path = ''): JsonSchema {
  const { fields = {}, links = '', untyped = '' } = notes;
  return mapParts(schema, (part, key) => {
    const at = key === undefined ? path : path === '' ? key : `${path}.${key}`;
    const noted = withNotes(part, notes, at);
    if (key === undefined) return noted;
    // Records inside this one have a link to themselves only.
    if (key === '$links') return withLinkKeys(noted, at === key ? links : '');
    const own = fields[at] ?? (part.type === 'string' ? fieldNotesByName[key] : undefined);
    const described = typeof own === 'string' ? { description: own } : own;
    const note = untyped.split(', ').includes(at) ? { ...readAsString, ...described } : described;
    const { type, ...rest } = noted;
    // The first spread puts it near the top, the second overrides the rest.
    return { ...(type && { type }), ...note, ...rest, ...note };
  });
}

function withLinkKeys({ additionalProperties, ...rest }: JsonSchema, related: string): JsonSchema {
  const keys = ['self', ...related.split(', ').filter(Boolean)];
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]));
  return { ...rest, properties, additionalProperties };
}

function mapParts(
  schema: JsonSchema,
  change: (part: JsonSchema, key?: string) => JsonSchema,
): JsonSchema {
  // A reader does not need the first four.
  const { $schema, $id, id, propertyNames, ...own } = schema;
  const { properties, items, additionalProperties: more, anyOf, ...changed } = own;
  if (properties) {
    const entries = Object.entries(properties);
    changed.properties = Object.fromEntries(entries.map(([key, part]) => [key, change(part, key)]));
  }
  if (items) changed.items = change(items);
  if (anyOf) changed.anyOf = anyOf.map((part) => change(part));
  if (typeof more === 'object') {
    changed.additionalProperties = Object.keys(more).length === 0 ? true : change(more);
  } else if (more !== undefined) changed.additionalProperties = more;
  return changed;
}
