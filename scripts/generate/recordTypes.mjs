import { writeFile } from 'node:fs/promises';
import { loadSource } from './loadSource.mjs';

/** Writes the records as plain TypeScript types, so that users of the library need no zod. */
export async function writeRecordTypes() {
  const { definitions } = await loadSource('src/api/jsonSchema.ts');
  const { schemas } = await loadSource('src/api/schemas.ts');
  const names = Object.keys(schemas).filter((name) => name !== 'signOut');
  const records = names.map((name) => name.slice(0, 1).toUpperCase() + name.slice(1));
  await writeFile('src/library/records.ts', recordTypes(definitions('#/'), records));
}

/**
 * @typedef {import('../../src/api/jsonSchema.ts').JsonSchema} JsonSchema
 * @param {Record<string, JsonSchema>} definitions
 * @param {readonly string[]} records the definitions that are whole requests or responses
 */
function recordTypes(definitions, records) {
  const interfaces = Object.entries(definitions).map(
    ([name, schema]) =>
      `${comment(schema, '')}export interface ${name} ${objectType(schema, '')}\n`,
  );
  const fields = records.map(
    (name) => `  ${name.slice(0, 1).toLowerCase()}${name.slice(1)}: ${name};\n`,
  );
  return [
    '// Generated from the schemas by `npm run build`. Do not edit.\n',
    ...interfaces,
    '/** All records, by the names that the endpoints use. */\n' +
      `export interface Records {\n${fields.join('')}  /** Not documented. */\n  signOut: unknown;\n}\n`,
  ].join('\n');
}

/**
 * @param {JsonSchema} schema
 * @param {string} indent
 */
function objectType({ properties = {}, required = [], additionalProperties }, indent) {
  const inner = `${indent}  `;
  const needed = new Set(/** @type {string[]} */ (required));
  const fields = Object.entries(properties).map(([key, schema]) => {
    const name = /^[a-z_$][\w$]*$/i.test(key) ? key : `'${key}'`;
    const mark = needed.has(key) ? '' : '?';
    return `${comment(schema, inner)}${inner}${name}${mark}: ${typeOf(schema, inner)};\n`;
  });
  const more = additionalProperties === true ? `${inner}[field: string]: unknown;\n` : '';
  return `{\n${fields.join('')}${more}${indent}}`;
}

/**
 * @param {JsonSchema} schema
 * @param {string} indent
 * @returns {string}
 */
function typeOf(schema, indent) {
  const { $ref, anyOf, items, properties, additionalProperties, type } = schema;
  if ($ref !== undefined) return $ref.replace(/.*\//, '');
  if (anyOf) return anyOf.map((one) => typeOf(one, indent)).join(' | ');
  if (items) {
    const element = typeOf(items, indent);
    return element.includes(' | ') ? `(${element})[]` : `${element}[]`;
  }
  if (properties) return objectType(schema, indent);
  if (typeof additionalProperties === 'object') {
    const inner = `${indent}  `;
    const value = typeOf(additionalProperties, inner);
    if (!value.includes('\n')) return `Record<string, ${value}>`;
    return `{\n${inner}[name: string]: ${value};\n${indent}}`;
  }
  return [type ?? 'unknown'].flat().map(plainType).join(' | ');
}

/** @param {string} type */
const plainType = (type) => (type === 'integer' ? 'number' : type);

/**
 * @param {JsonSchema} schema
 * @param {string} indent
 */
function comment({ description, examples = [] }, indent) {
  const texts = examples.filter((example) => typeof example === 'string');
  const parts = [description, texts.length > 0 ? `for example ${texts.join(', ')}` : ''];
  const text = parts.filter(Boolean).join('; ');
  return text === '' ? '' : `${indent}/** ${text} */\n`;
}
