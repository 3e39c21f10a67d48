import * as z from 'zod/mini';
import { embeddedAsset, permissions, workflow } from './asset.ts';
import type { RecordName } from './endpoints.ts';
import { embeddedEvent } from './event.ts';
import {
  type DefinitionName,
  definitionNotes,
  type FieldNote,
  fieldNotesByName,
} from './fieldNotes.ts';
import { embeddedPreview } from './preview.ts';
import { links, time } from './schemaFields.ts';
import { schemas } from './schemas.ts';
import { embeddedTranslation, line } from './translation.ts';
import { userStatus, userSummary } from './user.ts';
import { deadline, eventWorkRequest, pages, project, recipients } from './workRequest.ts';

/*
 * The schemas as JSON Schema 2020-12. Making them takes long and is rarely needed, so this file is
 * loaded late.
 */

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

/** Everything that has a name in a document: records, and parts that several records share. */
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
} as const satisfies Record<DefinitionName, () => z.ZodMiniType>;

export const definitionName = (schema: RecordName) =>
  (schema.slice(0, 1).toUpperCase() + schema.slice(1)) as DefinitionName;

/** All definitions. They refer to each other as `{prefix}{name}`. */
export function definitions(prefix: string): Record<DefinitionName, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [name, make] of Object.entries(definitionMakers)) registry.add(make(), { id: name });
  const made = z.toJSONSchema(registry, {
    target: 'draft-2020-12',
    uri: (name) => prefix + name,
    // The only custom type is the integer.
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

/** A document with the schema of one kind of record. */
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

/** Removes keywords that a reader does not need. */
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
    // The first spread puts it near the top, the second overrides the rest.
    return { ...(type && { type }), ...note, ...rest, ...note };
  });
}

/** Changes the parts of a schema. Properties come with their key. */
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
