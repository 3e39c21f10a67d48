import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, test } from 'vitest';
import { exampleRecords } from '../../../scripts/generate/examples.ts';
import {
  type Endpoint,
  endpoints,
  type Resource,
  resources,
} from '../../../src/core/api/endpoints.ts';
import { definitionNotes } from '../../../src/core/api/fieldNotes.ts';
import { definitions, type JsonSchema, recordSchema } from '../../../src/core/api/jsonSchema.ts';
import { schemas } from '../../../src/core/api/schemas.ts';
import { toPlain } from '../../../src/core/json/value.ts';
import { demoSeed } from '../../../src/modules/sandbox/seed/demoData.ts';
import { outputWords } from '../../words/output.ts';

/** A validator that complains about a schema it does not fully understand. */
const validator = (schema: JsonSchema) =>
  new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);

const byResource = new Map(
  resources.map(({ resource, schema }) => [resource, validator(recordSchema(schema))]),
);

/** The errors that a resource's validator finds in a value. */
function problems(resource: Resource, value: unknown): string[] {
  const validate = byResource.get(resource);
  if (!validate) throw new Error(`no schema for ${resource}`);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('the JSON Schema', () => {
  it('for files allows dates that mar converts; the API documents integers', () => {
    const forFiles = validator(recordSchema('workRequestDraft', { forFiles: true }));
    const words = ['tomorrow', 'Monday 9:00', '1 Dec', '1 Dec 2026 18:00', '+14d', '+1moT18:00'];
    for (const date of [1_796_144_400_000, '2026-12-01', '2026-12-01T18:00Z', ...words]) {
      expect(forFiles({ due: { date } }), String(date)).toBe(true);
    }
    for (const date of ['01/12/2026', 1.5, true]) expect(forFiles({ due: { date } })).toBe(false);
    expect(problems('WorkRequest', { due: { date: '2026-12-01' } })).not.toEqual([]);
  });

  it('shows which form of a reference is documented', () => {
    const { properties } = recordSchema('workRequestDraft');
    for (const field of ['asset', 'project', 'from']) {
      expect(properties?.[field]?.description).toContain(outputWords.notDocumented);
    }
  });

  it('is there for every resource of every endpoint', () => {
    const served = new Set(Object.values<Endpoint>(endpoints).map(({ resource }) => resource));
    expect(new Set(byResource.keys())).toEqual(served);
  });

  it.each(resources)(
    'of $name explains what it is, and names what it shares',
    ({ schema, name }) => {
      const made = recordSchema(schema);
      expect(made).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: expect.stringMatching(/^urn:mar:schema:[a-z-]+$/),
        title: expect.stringMatching(/\S/),
        description: expect.stringMatching(/\.$/),
        type: 'object',
      });
      const text = JSON.stringify(made);
      for (const [, part = ''] of text.matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)) {
        expect(made.$defs, name).toHaveProperty(part);
      }
      for (const part of Object.keys(made.$defs ?? {})) expect(text).toContain(`#/$defs/${part}"`);
    },
  );

  it('takes every record of the demo data', () => {
    const checked = new Set<string>();
    for (const { kind, id, record } of demoSeed(Date.UTC(2026, 2, 14), 20)) {
      if (!byResource.has(kind as Resource)) continue;
      checked.add(kind);
      expect([id, ...problems(kind as Resource, toPlain(record))]).toEqual([id]);
    }
    const stored = 'Asset Download Event File Notification Offline Preview User WorkRequest';
    expect([...checked]).toEqual(expect.arrayContaining(stored.split(' ')));
  });

  it('takes what people write: ids, few fields, fields that nobody knows', () => {
    const draft = { asset: 'a-1001', project: { _id: 'p-1', name: 'x' }, invented: { deep: [1] } };
    expect(problems('WorkRequest', draft)).toEqual([]);
    expect(problems('WorkRequest', {})).toEqual([]);
  });

  it.each<[Resource, unknown, string]>([
    ['WorkRequest', { due: { date: 'soon' } }, '/due/date must be integer'],
    ['WorkRequest', { due: { date: 1.5 } }, '/due/date must be integer'],
    ['WorkRequest', { audioFile: 1 }, '/audioFile must be string,null'],
    ['WorkRequest', { translation: { lines: [{ number: '1' }] } }, '/number must be integer'],
    ['Asset', { previews: [{ label: 1 }] }, '/previews/0/label must be string'],
    ['Asset', { $links: { self: 1 } }, '/$links/self must be string'],
    ['Asset', [], ' must be object'],
    ['Session', { token: 'x' }, "must have required property 'email'"],
  ])('of %s refuses %j', (resource, value, problem) => {
    expect(problems(resource, value).join('\n')).toContain(problem);
  });

  it('reports for times that their unit is not known', () => {
    const { File, Deadline } = definitions('#/');
    for (const field of [File.properties?.created, Deadline.properties?.date]) {
      expect(field).toMatchObject({
        type: 'integer',
        description: expect.stringContaining(`unit is ${outputWords.notDocumented}`),
      });
    }
  });
});

test('both kinds of check agree on what fits', () => {
  const samples = [{}, [], null, { _id: 1 }, { _id: 'x', created: 1.5 }, { created: 2 ** 60 }];
  for (const { resource, schema } of resources) {
    for (const sample of [...samples, ...Object.values(exampleRecords())]) {
      const fits = schemas[schema]().safeParse(sample).success;
      expect([resource, sample, problems(resource, sample).length === 0]).toEqual([
        resource,
        sample,
        fits,
      ]);
    }
  }
});

describe('what is noted about a field', () => {
  const all = definitions('#/');

  /** The schema of a field, through arrays and the values of maps. */
  function fieldAt(schema: JsonSchema, path: string): JsonSchema | undefined {
    return path.split('.').reduce<JsonSchema | undefined>((at, key) => {
      const inner = at?.items ?? at;
      return inner?.properties?.[key];
    }, schema);
  }

  it.each(Object.entries(definitionNotes))(
    'of %s stands in its schema',
    (name, { fields = {} }) => {
      const definition = all[name as keyof typeof all];
      for (const [path, note] of Object.entries(fields)) {
        expect(fieldAt(definition, path), path).toMatchObject(
          typeof note === 'string' ? { description: note } : note,
        );
      }
    },
  );

  it('is true: its examples fit', () => {
    const document = { $defs: definitions('#/$defs/') };
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true }).addSchema(document, 'all');
    for (const [name, { fields = {} }] of Object.entries(definitionNotes)) {
      for (const [path, note] of Object.entries(fields)) {
        const { examples = [] } = typeof note === 'string' ? {} : note;
        const keys = path.split('.').flatMap((key) => ['properties', key]);
        const validate = ajv.getSchema(`all#/$defs/${name}/${keys.join('/')}`);
        for (const example of examples) expect(validate?.(example), `${name} ${path}`).toBe(true);
      }
    }
  });
});
