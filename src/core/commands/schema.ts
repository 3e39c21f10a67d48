import { endpointsOf, findResource, type Resource, resources } from '../api/endpoints.ts';
import type { JsonSchema } from '../api/jsonSchema.ts';
import { Service } from '../api/service.ts';
import { usageError } from '../errors.ts';
import { option } from '../input.ts';
import { ServiceRecord } from '../json/serviceRecord.ts';
import { pretty } from '../json/text.ts';
import { factsView } from '../output/printer.ts';
import { type Result, recordResult, rowsResult, textResult } from '../output/result.ts';
import type { Column } from '../output/viewType.ts';
import { checkedPlaces } from '../records/knownValues.ts';
import { isWholeRecord } from '../values/formats.ts';
import { version } from '../version.ts';
import type { GlobalFlags } from '../world.ts';
import type { Command } from './command.ts';

export const command: Command = {
  isPaged: true,
  summary: 'Print the fields of records: JSON Schema, OpenAPI',
  details:
    'Without a resource or --openapi, lists the resources. A schema is JSON Schema 2020-12, for editors and validators. It describes the records of the service, and the files for -f. In a YAML file, the first line can name the schema for your editor: # yaml-language-server: $schema=wr.schema.json',
  arguments: [
    {
      name: 'resource',
      summary: 'asset, wr, translation, ...; mar schema lists all',
      optional: true,
      completes: resources.map(({ name }) => ({ value: name })),
    },
  ],
  options: [option('--openapi', 'print the whole API as OpenAPI 3.1')],
  examples: {
    'List the resources': 'mar schema',
    'Save a schema for an editor': 'mar schema wr > wr.schema.json',
    'List the fields of an asset': 'mar schema asset -o table',
    'Save the whole API for other tools': 'mar schema --openapi > openapi.json',
  },
  async *run({ flags }, input) {
    const [word] = input.arguments;
    if (input.options.openapi !== true) {
      return yield await (word === undefined ? resourceList() : schemaOf(word, flags));
    }
    if (word !== undefined) {
      throw usageError('--openapi prints the whole API', `Leave out ${word}.`, {
        flag: '--openapi',
      });
    }
    const { openApi } = await import('../api/openapi.ts');
    yield documentOf(openApi(version), flags);
  },
};

async function resourceList(): Promise<Result> {
  const { definitionNotes } = await import('../api/fieldNotes.ts');
  const rows = resources.map(({ name, resource }) => ({
    resource: name,
    about: definitionNotes[resource].description,
    endpoints: endpointsOf(resource).map(({ method, path }) => `${method} ${path}`),
  }));
  return rowsResult(rows, resourceColumns);
}

function resourceNamed(word: string) {
  const found = findResource(word);
  if (found) return found;
  const hint = `Known resources: ${resources.map(({ name }) => name).join(', ')}`;
  throw usageError(`unknown resource "${word}"`, hint, { value: word });
}

async function schemaNamed(word: string): Promise<JsonSchema> {
  const { recordSchema } = await import('../api/jsonSchema.ts');
  return recordSchema(resourceNamed(word).schema, { forFiles: true });
}

/** `due.date | integer or string | time` */
export async function fieldLines(word: string) {
  const fields = fieldsOf(await schemaNamed(word), resourceNamed(word).resource);
  return { fields: fields.map((field) => Object.values(field).join(' | ')) };
}

async function schemaOf(word: string, flags: GlobalFlags): Promise<Result> {
  const schema = await schemaNamed(word);
  const { columns, format } = flags;
  if (columns !== undefined || (format !== undefined && !isWholeRecord(format))) {
    const fields = fieldsOf(schema, resourceNamed(word).resource);
    // TSV has no header by itself, and three columns of words are hard to tell apart.
    const header = fieldColumns.map(({ path }) => [path, path]);
    const rows = format === 'tsv' ? [Object.fromEntries(header), ...fields] : fields;
    return rowsResult(rows, fieldColumns);
  }
  return documentOf(schema, flags);
}

/** Indented JSON, for a file. A flag changes the format, but the setting "output" does not. */
function documentOf(value: Record<string, unknown>, { jq, format }: GlobalFlags): Result {
  const record = ServiceRecord.fromValue(value);
  return jq || (format && isWholeRecord(format))
    ? recordResult(record, factsView, { isOwn: true })
    : textResult(`${pretty(record.text)}\n`);
}

/** The fields, with those of objects that are no records of their own. */
function fieldsOf(whole: JsonSchema, resource: Resource, part = whole, parent = ''): object[] {
  return Object.entries(part.properties ?? {}).flatMap(([name, schema]) => {
    const field = `${parent}${name}`;
    const definitions = whole.$defs as Record<string, JsonSchema> | undefined;
    const inner = definitions?.[schema.$ref?.replace(/.*\//, '') ?? ''] ?? schema;
    const valueName = checkedPlaces[resource]?.[field];
    // Those of the document: a schema is the same for every service.
    const known = valueName ? new Service().items(valueName) : [];
    const texts =
      known.length > 0
        ? known
        : [schema.examples ?? []].flat(2).filter((one) => typeof one === 'string');
    const examples = texts.length > 0 && `for example ${texts.join(', ')}`;
    const about = [schema.description?.replace(/\. .*|, which mar .*/, ''), examples]
      .filter(Boolean)
      .join('; ');
    const isShort =
      parent === '' &&
      !name.startsWith('$') &&
      Object.keys(inner.properties ?? {}).length <= maxNested;
    const own = { field, type: typeOf(schema), about };
    return isShort ? [own, ...fieldsOf(whole, resource, inner, `${field}.`)] : [own];
  });
}

/** More fields than that are a record of its own, which has its own list. */
const maxNested = 8;

function typeOf({ type, $ref, items, anyOf }: JsonSchema): string {
  if ($ref !== undefined) return $ref.replace(/.*\//, '');
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (items) return `${typeOf(items)}[]`;
  return [type ?? 'any'].flat().join(' or ');
}

const resourceColumns: readonly Column[] = [
  { title: 'Resource', path: 'resource', kind: 'id' },
  { title: 'About', path: 'about', importance: 2 },
  { title: 'Endpoints', path: 'endpoints', importance: 1 },
];

const fieldColumns: readonly Column[] = [
  { title: 'Field', path: 'field', kind: 'id' },
  { title: 'Type', path: 'type', importance: 2 },
  { title: 'About', path: 'about', importance: 1 },
];
