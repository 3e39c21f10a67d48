import * as z from 'zod/mini';
import { embeddedAsset, permissions, workflow } from './asset.ts';
import type { RecordName } from './endpoints.ts';
import { embeddedEvent } from './event.ts';
import { definitionNotes, type FieldNote, fieldNotesByName } from './fieldNotes.ts';
import { embeddedPreview } from './preview.ts';
import { links, time } from './schemaFields.ts';
import { schemas } from './schemas.ts';
import { embeddedTranslation, line } from './translation.ts';
import { userStatus, userSummary } from './user.ts';
import { deadline, eventWorkRequest, pages, project, recipients } from './workRequest.ts';

/*
 * The schemas as JSON Schema 2020-12. Making them takes long and is seldom needed: whoever wants them
 * loads this late.
 */

/** A JSON Schema. Only the keywords that are looked into have a type. */
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

/** Everything that has a name in a document: the records, and the parts that they share. */
const definitionMakers = {
  Asset: schemas.asset,
  Download: schemas.download,
  Event: schemas.event,
  File: schemas.file,
  Notification: schemas.notification,
  Offline: schemas.offline,
  Preview: schemas.preview,
  Session: schemas.session,
  Translation: schemas.translation,
  User: schemas.user,
  WorkRequest: schemas.workRequest,
  WorkRequestDraft: schemas.workRequestDraft,
  AssetPermissions: permissions,
  Deadline: deadline,
  EmbeddedAsset: embeddedAsset,
  EmbeddedEvent: embeddedEvent,
  EmbeddedPreview: embeddedPreview,
  EmbeddedTranslation: embeddedTranslation,
  EventWorkRequest: eventWorkRequest,
  Pages: pages,
  ProjectSummary: project,
  Recipients: recipients,
  TranslationLine: line,
  UserStatus: userStatus,
  UserSummary: userSummary,
  Workflow: workflow,
} as const satisfies Record<string, () => z.ZodMiniType>;

export type DefinitionName = keyof typeof definitionMakers;

export const definitionName = (schema: RecordName) =>
  (schema.slice(0, 1).toUpperCase() + schema.slice(1)) as DefinitionName;

/** Every definition; they refer to each other as `{prefix}{name}`. */
export function definitions(prefix: string): Record<DefinitionName, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [name, make] of Object.entries(definitionMakers)) registry.add(make(), { id: name });
  const made = z.toJSONSchema(registry, {
    target: 'draft-2020-12',
    uri: (name) => prefix + name,
    // The one custom type there is: a number without a fraction.
    unrepresentable: () => ({ type: 'integer' }),
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === time) {
        jsonSchema.description = 'point in time; the unit is not documented';
      }
      if (zodSchema === links) {
        jsonSchema.description = 'protocol-relative URLs of the record itself and of related ones';
      }
    },
  });
  const entries = Object.keys(definitionMakers).map((name) => {
    const definition = name as DefinitionName;
    return [name, annotated(definition, made.schemas[name] as JsonSchema)];
  });
  return Object.fromEntries(entries) as Record<DefinitionName, JsonSchema>;
}

/** The schema of one kind of record as a document of its own. */
export function recordSchema(schema: RecordName): JsonSchema {
  const root = definitionName(schema);
  const prefix = '#/$defs/';
  const all = definitions(prefix);
  const used = new Set<DefinitionName>();
  const collect = (text: string) => {
    for (const [, name] of text.matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)) {
      if (used.has(name as DefinitionName)) continue;
      used.add(name as DefinitionName);
      collect(JSON.stringify(all[name as DefinitionName]));
    }
  };
  collect(JSON.stringify(all[root]));
  const parts = Object.entries(all).filter(([name]) => used.has(name as DefinitionName));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:mar:schema:${schema.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    ...all[root],
    ...(parts.length > 0 && { $defs: Object.fromEntries(parts) }),
  };
}

function annotated(name: DefinitionName, schema: JsonSchema): JsonSchema {
  const { title, description, fields = {} } = definitionNotes[name];
  const { type, ...rest } = withNotes(tidied(schema), fields);
  return { title, description, type, ...rest };
}

/** Without what says nothing to a reader. */
function tidied(schema: JsonSchema): JsonSchema {
  const { $schema, $id, id, propertyNames, ...rest } = schema;
  return mapParts(rest, (part) => tidied(part));
}

function withNotes(
  schema: JsonSchema,
  fields: Readonly<Record<string, FieldNote>>,
  path = '',
): JsonSchema {
  return mapParts(schema, (part, key) => {
    const at = key === undefined ? path : path === '' ? key : `${path}.${key}`;
    const noted = withNotes(part, fields, at);
    if (key === undefined) return noted;
    const note = fields[at] ?? (part.type === 'string' ? fieldNotesByName[key] : undefined);
    const { type, ...rest } = noted;
    // Once for its place near the top, once to win.
    return { ...(type && { type }), ...note, ...rest, ...note };
  });
}

/** The same schema with its parts changed; a property's comes with its key. */
function mapParts(
  schema: JsonSchema,
  change: (part: JsonSchema, key?: string) => JsonSchema,
): JsonSchema {
  const { properties, items, additionalProperties: more, anyOf, ...rest } = schema;
  const changed: JsonSchema = { ...rest };
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
