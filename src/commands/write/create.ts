import { type Endpoint, type EndpointId, endpoints, type SchemaName } from '../../api/endpoints.ts';
import { schemaOf } from '../../client/client.ts';
import { checkBody } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Invocation, Option } from '../command.ts';
import { bodyOptions, refuseUnknownCodes } from './body.ts';
import { write } from './write.ts';

export const createOptions = (example: string): readonly Option[] => [
  ...bodyOptions(example),
  {
    flags: '--edit',
    summary: 'open the record in your editor ($VISUAL or $EDITOR) before sending it',
  },
  { flags: '--force', summary: 'send language and country codes even if they are unknown' },
];

const nounOf = (endpoint: EndpointId) =>
  endpoints[endpoint].resource.replaceAll(/\B[A-Z]/g, ' $&').toLowerCase();

/** Endpoints that create a record have a body. */
const bodyOf = (endpoint: EndpointId) => (endpoints[endpoint] as Endpoint).body as SchemaName;

export async function create(
  context: Context,
  invocation: Invocation,
  record: JsonObject,
): Promise<void> {
  if (invocation.input.options.edit) return createInEditor(context, invocation, record);
  await refuseUnknownCodes(context, invocation, record);
  await write(context, invocation, { body: record });
}

async function createInEditor(
  context: Context,
  invocation: Invocation,
  record: JsonObject,
): Promise<void> {
  const { endpoint, input } = invocation;
  const { baseUrl, email } = context.identity();
  const { editInEditor, keptDraftNote, withKeptDraft } = await import('./editor.ts');
  const schema = await schemaOf(bodyOf(endpoint));
  const wantsTemplate = record.size === 0 || input.options.template === true;
  const edited = await editInEditor(context, {
    name: `new-${endpoints[endpoint].resource}`,
    record,
    text: wantsTemplate ? await templateText(endpoint, record) : undefined,
    header: [
      `New ${nounOf(endpoint)} at ${baseUrl.host}, as ${email}`,
      'Remove the # from each field you want to send. Then save and close the editor. To send nothing, close it without changes.',
    ],
    check: async (made) => {
      checkBody(made, schema);
      await refuseUnknownCodes(context, invocation, made);
    },
  });
  if (!edited) return context.reportOnce('No changes. Nothing was sent.');
  try {
    await write(context, invocation, { body: edited.record });
  } catch (error) {
    throw withKeptDraft(context, error, edited.file);
  }
  if (input.options.dryRun) context.reportOnce(keptDraftNote(edited.file));
  else edited.done();
}

export async function printTemplate(
  { streams, flags }: Context,
  endpoint: EndpointId,
  record: JsonObject,
): Promise<void> {
  if (flags.jq || (flags.format ?? 'yaml') !== 'yaml') {
    throw usageError(
      '--template prints YAML with comments, in no other format',
      'To get the fields as JSON Schema, run: mar schema',
    );
  }
  const header = `# New ${nounOf(endpoint)}. Remove the # from the fields you want to send.\n`;
  await streams.stdout.write(header + (await templateText(endpoint, record)));
}

async function templateText(endpoint: EndpointId, record: JsonObject): Promise<string> {
  const { templateOf, workRequestOrder } = await import('../../records/template.ts');
  const { schemas, isTime } = await import('../../api/schemas.ts');
  // Fields that the service fills in are left out.
  const order =
    endpoint === 'workRequestCreate' ? workRequestOrder : { leaveOut: ['_id', 'created'] };
  return templateOf(schemas[bodyOf(endpoint)](), record, order, isTime);
}
