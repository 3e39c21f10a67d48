import {
  type Endpoint,
  type EndpointId,
  endpoints,
  type RecordName,
  resources,
  type SchemaName,
} from './endpoints.ts';
import { definitionNotes } from './fieldNotes.ts';
import { definitionName, definitions } from './jsonSchema.ts';

export interface OpenApiInput {
  /** The version of mar. */
  version: string;
  examples: Readonly<Record<RecordName, unknown>>;
}

type Entry = [EndpointId, Endpoint];
type Node = Record<string, unknown>;

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

export function openApi({ version, examples }: OpenApiInput): Node {
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
  const all: Record<string, Record<string, Node>> = {};
  for (const same of endpointsByOperation().values()) {
    const [[, { path, method }]] = same;
    all[path] ??= {};
    all[path][method.toLowerCase()] = operation(same);
  }
  return all;
}

/** Groups the endpoints that share a path and a method. */
function endpointsByOperation(): Map<string, [Entry, ...Entry[]]> {
  const places = new Map<string, [Entry, ...Entry[]]>();
  for (const entry of Object.entries(endpoints) as unknown as Entry[]) {
    const place = `${entry[1].method} ${entry[1].path}`;
    const same = places.get(place);
    if (same) same.push(entry);
    else places.set(place, [entry]);
  }
  return places;
}

/** OpenAPI has one operation per method and path; the service has two for GET /session. */
function operation(same: readonly [Entry, ...Entry[]]): Node {
  const [[firstId, { body }], ...others] = same;
  const all = same.map(([, endpoint]) => endpoint);
  return {
    operationId: [firstId, ...others.map(([id]) => capitalised(id))].join('Or'),
    summary: all.map(({ summary }) => summary).join('; or: '),
    ...(others.length > 0 && { description: all.map(describe).join('\n\n') }),
    tags: [...new Set(all.map(({ resource }) => resource))],
    ...parameters(all),
    ...(body && { requestBody: { required: true, content: content([{ shape: body }]) } }),
    responses: {
      200: {
        description: all.map(describeAnswer).join(', or: '),
        content: content(all.map(({ response, range }) => ({ shape: response, isList: range }))),
      },
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
  const name = definitionName(response);
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

interface Content {
  shape: SchemaName;
  isList?: boolean;
}

function content(all: readonly Content[]): Node {
  const media = all.map(({ shape, isList }) => {
    if (shape === 'signOut') return { schema: {} };
    const name = definitionName(shape);
    const one = { $ref: `#/components/schemas/${name}` };
    const example = isList ? listName(name) : name;
    return {
      schema: isList ? { type: 'array', items: one } : one,
      examples: { [example]: { $ref: `#/components/examples/${example}` } },
    };
  });
  const schemas = media.map(({ schema }) => schema);
  const examples = Object.assign({}, ...media.map((one) => one.examples ?? {}));
  return {
    'application/json': {
      schema: schemas.length > 1 ? { oneOf: schemas } : schemas[0],
      ...(Object.keys(examples).length > 0 && { examples }),
    },
  };
}

const listName = (name: string) => `${name}List`;

/** One example per kind of record, and a list of one for kinds that can be listed. */
function namedExamples(records: OpenApiInput['examples']): Node {
  const listed = new Set<string>();
  for (const { range, response } of Object.values<Endpoint>(endpoints)) {
    if (range) listed.add(response);
  }
  const named = Object.entries(records).flatMap(([shape, value]) => {
    const name = definitionName(shape as RecordName);
    const one = [name, { value }] as const;
    return listed.has(shape) ? [one, [listName(name), { value: [value] }] as const] : [one];
  });
  return Object.fromEntries(named);
}

const capitalised = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
