import { validate as readmeValidate } from '@readme/openapi-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { type Endpoint, endpoints } from '../../../src/core/api/endpoints.ts';
import { recordSchema } from '../../../src/core/api/jsonSchema.ts';
import { openApi } from '../../../src/core/api/openapi.ts';
import { demoPassword } from '../../../src/modules/sandbox/constants.ts';
import { outputWords } from '../../words/output.ts';

interface Media {
  schema: { oneOf?: object[] };
  examples?: Record<string, { $ref: string }>;
}
interface Operation {
  operationId: string;
  tags: string[];
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { content: { 'application/json': Media } };
  responses: { 200: { content: { 'application/json': Media } } };
}
interface Schema {
  description?: string;
  type?: string;
  $ref?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    examples: Record<string, { value: unknown }>;
    schemas: Record<string, Schema>;
  };
}

/** A fresh one for each validator: some change what they are given. */
const made = () => openApi('1.2.3');
const document = made() as unknown as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const operationOf = ({ path, method }: Endpoint) => document.paths[path]?.[method.toLowerCase()];

const untypedFields = ({ properties = {}, items }: Schema): string[] => [
  ...(items ? untypedFields(items) : []),
  ...Object.entries(properties).flatMap(([name, field]) =>
    (field.type ?? field.$ref ?? field.anyOf ?? field.description) ? untypedFields(field) : [name],
  ),
];

describe('the OpenAPI document', () => {
  it('is valid to one validator', async () => {
    expect(await new Validator().validate(made())).toEqual({ valid: true });
  });

  it('is valid to another', async () => {
    const result = await readmeValidate(made() as Parameters<typeof readmeValidate>[0]);
    expect(result).toMatchObject({ valid: true, warnings: [] });
  });

  it('would not be valid without its paths', async () => {
    const { info, openapi } = made();
    const broken = { info, openapi: `${openapi}`, paths: { assets: {} } };
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it.each(Object.entries<Endpoint>(endpoints))('has %s', (id, endpoint) => {
    const operation = operationOf(endpoint);
    expect(operation?.operationId.toLowerCase()).toContain(id.toLowerCase());
    expect(operation?.tags).toContain(endpoint.resource);
    const parameters = (operation?.parameters ?? []).map((one) => `${one.in} ${one.name}`);
    const wanted = [
      ...(endpoint.path.includes('{id}') ? ['path id'] : []),
      ...(endpoint.range ? ['header X-Range'] : []),
      ...(endpoint.query ?? []).map((name) => `query ${name}`),
    ];
    if (id !== 'sessionCreate') expect(parameters).toEqual(wanted);
    expect(operation?.requestBody !== undefined).toBe(endpoint.body !== undefined);
  });

  it('has no other operations, and no operationId twice', () => {
    const places = new Set(
      Object.values<Endpoint>(endpoints).map(({ method, path }) => `${method} ${path}`),
    );
    expect(operations).toHaveLength(places.size);
    const operationIds = new Set(operations.map(({ operation }) => operation.operationId));
    expect(operationIds.size).toBe(operations.length);
  });

  it('tells logging in and listing users apart, which share a path', () => {
    const { operation } = operations.find(({ path }) => path === '/session') ?? {};
    expect(operation).toMatchObject({
      operationId: 'sessionCreateOrUserList',
      tags: ['Session', 'User'],
      description: expect.stringMatching(/Log in.*password[\s\S]*List users.*X-Range.*token/),
      responses: {
        200: {
          content: {
            'application/json': {
              schema: {
                oneOf: [
                  { $ref: '#/components/schemas/Session' },
                  { type: 'array', items: { $ref: '#/components/schemas/User' } },
                ],
              },
            },
          },
        },
      },
    });
    expect(operation?.parameters).toEqual([expect.objectContaining({ required: false })]);
  });

  it('explains how to log in, and where', () => {
    expect(made()).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
      security: [{ basic: [] }],
      servers: [
        { url: '{baseUrl}', variables: { baseUrl: { default: expect.stringMatching(/\/api$/) } } },
      ],
      components: {
        securitySchemes: {
          basic: { type: 'http', scheme: 'basic', description: expect.stringContaining('token-') },
        },
      },
    });
  });

  it('has examples that fit, for every body and every response that is documented', () => {
    const ajv = new Ajv2020({ strict: false }).addSchema(made(), 'openapi');
    for (const { path, method, operation } of operations) {
      const place = `openapi#/paths/${path.replaceAll('/', '~1')}/${method}`;
      const media = [
        [operation.requestBody?.content, `${place}/requestBody/content/application~1json/schema`],
        [
          operation.responses[200].content,
          `${place}/responses/200/content/application~1json/schema`,
        ],
      ] as const;
      for (const [content, pointer] of media) {
        if (!content) continue;
        const { schema, examples = {} } = content['application/json'];
        const isDocumented = Object.keys(schema).length > 0;
        const count = isDocumented ? (schema.oneOf?.length ?? 1) : 0;
        expect(Object.keys(examples), pointer).toHaveLength(count);
        for (const { $ref } of Object.values(examples)) {
          const name = $ref.replace('#/components/examples/', '');
          const value = document.components.examples[name]?.value;
          const validate = ajv.getSchema(encodeURI(pointer));
          expect([pointer, validate?.(value), validate?.errors]).toEqual([pointer, true, null]);
        }
      }
    }
  });

  it.each([
    ['WorkRequest', 'self project asset from graphicsTranslation translation'],
    ['Asset', 'self thumbnail project studio type'],
    ['Preview', 'self asset project studio'],
    ['File', 'self project asset'],
    ['Translation', 'self asset workRequest'],
    ['EmbeddedTranslation', 'self'],
    ['Offline', 'self'],
    ['User', 'self'],
    ['Notification', 'self'],
  ])('names the links of a %s', (name, keys) => {
    const { properties } = document.components.schemas[name] ?? {};
    expect(Object.keys(properties?.$links?.properties ?? {})).toEqual(keys.split(' '));
    expect(properties?.$links?.additionalProperties).toEqual({ type: 'string' });
  });

  it('gives a field without a documented type none, and reports it, as mar schema does', () => {
    const { schemas } = document.components;
    const description = expect.stringContaining(outputWords.notDocumented);
    const read = { description };
    expect(schemas.ProjectSummary?.properties).toMatchObject({ name: read, slug: read });
    const { $defs } = recordSchema('workRequest', { forFiles: true });
    expect($defs).toMatchObject({ ProjectSummary: { properties: { name: read, slug: read } } });
    expect(Object.values(schemas).flatMap(untypedFields)).toEqual([]);
  });

  it('links groups of a user, except in the history of a work request', () => {
    const { schemas } = document.components;
    const groups = (name: string) => schemas[name]?.properties?.groups?.items?.properties ?? {};
    expect(Object.keys(groups('UserSummary'))).toEqual(['_id', 'name', '$links']);
    expect(Object.keys(groups('HistoryUser'))).toEqual(['_id', 'name']);
  });

  it('has the documented body for a new work request', () => {
    const { schemas } = document.components;
    expect(schemas).not.toHaveProperty('WorkRequestDraft');
    const body = operationOf(endpoints.workRequestCreate)?.requestBody?.content['application/json'];
    expect(body?.schema).toEqual({ $ref: '#/components/schemas/WorkRequest' });
  });

  it('has no secrets in its examples', () => {
    const text = JSON.stringify(document.components.examples);
    expect(text).not.toContain(demoPassword);
    expect(text).not.toContain('"password"');
    expect(text).not.toMatch(/https:\/\/[^"]*\?/);
  });
});
