import { type Endpoint, endpoints, type RecordName, resources } from './endpoints.ts';
import { definitionNotes } from './fieldNotes.ts';
import { capitalised, definitions } from './jsonSchema.ts';

type Node = Record<string, unknown>;
type Examples = Readonly<Record<RecordName, unknown>>;
type NamedEndpoint = Endpoint & { id: string };

const rangeHeader = {
  name: 'X-Range',
  in: 'header',
  description: 'The first and the last record wanted, counted from 0.',
  schema: { type: 'string', pattern: '^resources=[0-9]+-[0-9]+$', default: 'resources=0-9' },
  example: 'resources=10-19',
};

const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The identifier of the record.',
  schema: { type: 'string', minLength: 1 },
};

const failures = {
  '4XX': { description: 'Refused. Neither the statuses nor their bodies are documented.' },
  '5XX': { description: 'The service failed.' },
};

export function openApi({ version, examples }: { version: string; examples: Examples }): Node {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Media Asset and Work Request Service',
      version,
      summary: "Studios' media: assets, work requests, translations, files and downloads",
      description: about,
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [
      {
        url: '{baseUrl}',
        description: 'The service, or a sandbox (mar sandbox)',
        variables: {
          baseUrl: {
            default: 'https://media.example/api',
            description: 'Its address, which ends in /api',
          },
        },
      },
    ],
    security: [{ basic: [] }],
    tags: resources.map(({ resource }) => ({
      name: resource,
      description: definitionNotes[resource].description,
    })),
    paths: paths(),
    components: {
      schemas: definitions('#/components/schemas/'),
      examples: namedExamples(examples),
      securitySchemes: { basic: { type: 'http', scheme: 'basic', description: credentials } },
    },
  };
}

const about = `Made by mar from its registry of endpoints; the version is that of mar, as the service \
has none. The service documents no required fields, no error bodies and no complete sets of values: \
every field is optional, further fields are allowed, and values are given as examples.`;

const credentials = `To log in, the user is the e-mail and the password is the password. In every other \
request the user is the e-mail and the password is the token with the prefix \`token-\`: \
base64("me@studio.example:token-…"). A token does not expire; DELETE /session revokes it.`;

function paths(): Node {
  const operations = new Map<string, NamedEndpoint[]>();
  for (const [id, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const name = `${endpoint.method} ${endpoint.path}`;
    operations.set(name, [...(operations.get(name) ?? []), { id, ...endpoint }]);
  }
  const all: Record<string, Node> = {};
  for (const [first, ...others] of operations.values()) {
    if (!first) continue;
    const { path, method } = first;
    all[path] = { ...all[path], [method.toLowerCase()]: operation(first, others) };
  }
  return all;
}

/** OpenAPI has one operation per method and path; the service has two for GET /session. */
function operation(first: NamedEndpoint, others: readonly NamedEndpoint[]): Node {
  const { id, body } = first;
  const all = [first, ...others];
  return {
    operationId: [id, ...others.map((other) => capitalised(other.id))].join('Or'),
    summary: all.map(({ summary }) => summary).join('; or: '),
    ...(others.length > 0 && { description: all.map(describe).join('\n\n') }),
    tags: [...new Set(all.map(({ resource }) => resource))],
    ...parameters(all),
    ...(body && { requestBody: { required: true, content: content([{ response: body }]) } }),
    responses: {
      200: { description: all.map(describeAnswer).join(', or: '), content: content(all) },
      ...failures,
    },
  };
}

const describe = ({ summary, auth, range }: Endpoint) =>
  [
    `${summary}:`,
    range ? 'with the header X-Range' : 'without the header X-Range',
    auth === 'password' ? 'and with the password itself.' : 'and with a token.',
  ].join(' ');

function describeAnswer({ response, range }: Endpoint): string {
  if (response === 'signOut') return 'Signed out; what the body holds is not documented';
  const name = capitalised(response);
  return range ? `A list of ${name}` : name;
}

function parameters(all: readonly Endpoint[]): Node {
  const ranged = all.filter(({ range }) => range);
  const found = [
    ...(all[0]?.path.includes('{id}') ? [idParameter] : []),
    ...(ranged.length > 0 ? [{ ...rangeHeader, required: ranged.length === all.length }] : []),
    ...(all[0]?.query ?? []).map((name) => ({
      name,
      in: 'query',
      description: 'What it filters by is not documented.',
      schema: { type: 'string' },
    })),
  ];
  return found.length > 0 ? { parameters: found } : {};
}

function content(all: readonly Pick<Endpoint, 'response' | 'range'>[]): Node {
  const examples: Node = {};
  const schemas = all.map(({ response, range }) => {
    if (response === 'signOut') return {};
    const name = capitalised(response);
    const example = range ? listName(name) : name;
    examples[example] = { $ref: `#/components/examples/${example}` };
    const one = { $ref: `#/components/schemas/${name}` };
    return range ? { type: 'array', items: one } : one;
  });
  return {
    'application/json': {
      schema: schemas.length > 1 ? { oneOf: schemas } : schemas[0],
      ...(Object.keys(examples).length > 0 && { examples }),
    },
  };
}

const listName = (name: string) => `${name}List`;

function namedExamples(records: Examples): Node {
  const all = Object.values<Endpoint>(endpoints);
  const named: Node = {};
  for (const [schema, value] of Object.entries(records)) {
    const name = capitalised(schema);
    named[name] = { value };
    if (all.some(({ range, response }) => range && response === schema)) {
      named[listName(name)] = { value: [value] };
    }
  }
  return named;
}
