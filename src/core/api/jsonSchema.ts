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
  const { schemas, untyped, time, isTime, links, ...parts } = api;
  const { signOut, ...records } = schemas;
  // Tools that load modules differ in the order of the exports.
  const sorted = Object.entries(parts).sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [name, make] of [...Object.entries(records), ...sorted]) {
    registry.add(make(), { id: capitalised(name) });
  }
  const descriptions = new Map<z.core.$ZodType, string>([
    [untyped, 'the type is not documented'],
    [time, 'time as an integer; the unit is not documented'],
    [links, 'protocol-relative URLs of this record and related records'],
  ]);
  const made = z.toJSONSchema(registry, {
    target: 'draft-2020-12',
    uri: (name) => prefix + name,
    // The only custom type is the integer.
    unrepresentable: () => ({ type: 'integer' }),
    override: ({ zodSchema, jsonSchema }) => {
      const description = descriptions.get(zodSchema);
      if (description) jsonSchema.description = description;
      if (zodSchema !== time || !forFiles) return;
      delete jsonSchema.type;
      Object.assign(jsonSchema, writtenTime);
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

/** With notes at its fields, and without the keywords that a reader does not need. */
function withNotes(schema: JsonSchema, notes: DefinitionNotes, path = ''): JsonSchema {
  const { $schema, $id, id, propertyNames, ...own } = schema;
  const { properties, items, additionalProperties: more, anyOf, ...changed } = own;
  const inside = (part: JsonSchema) => withNotes(part, notes, path);
  if (properties) {
    const noted = Object.entries(properties).map(([key, part]) => {
      return [key, fieldWithNotes(key, part, notes, path === '' ? key : `${path}.${key}`)];
    });
    changed.properties = Object.fromEntries(noted);
  }
  if (items) changed.items = inside(items);
  if (anyOf) changed.anyOf = anyOf.map(inside);
  if (more !== undefined) {
    const isTyped = typeof more === 'object' && Object.keys(more).length > 0;
    changed.additionalProperties = isTyped ? inside(more) : Boolean(more);
  }
  return changed;
}

function fieldWithNotes(key: string, field: JsonSchema, notes: DefinitionNotes, path: string) {
  const noted = withNotes(field, notes, path);
  // Records inside this one have a link to themselves only.
  if (key === '$links') return withLinkKeys(noted, path === key ? notes.links : undefined);
  const own = notes.fields?.[path] ?? (field.type === 'string' ? fieldNotesByName[key] : undefined);
  const note = typeof own === 'string' ? { description: own } : own;
  const { type, description, ...rest } = noted;
  return { ...(type && { type }), ...(description && { description }), ...note, ...rest };
}

function withLinkKeys({ additionalProperties, ...rest }: JsonSchema, related = ''): JsonSchema {
  const keys = ['self', ...related.split(', ').filter(Boolean)];
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]));
  return { ...rest, properties, additionalProperties };
}
