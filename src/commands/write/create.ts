import { type Endpoint, type EndpointId, endpoints, type SchemaName } from '../../api/endpoints.ts';
import { schemaOf } from '../../client/client.ts';
import { checkBody } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Invocation, Option } from '../command.ts';
import { bodyOptions, forceOption, refuseUnknownCodes } from './body.ts';
import { write } from './write.ts';

export const createOptions: readonly Option[] = [
  ...bodyOptions,
  {
    flags: '--edit',
    summary: 'open the record in your editor ($VISUAL, $EDITOR) before it is sent',
  },
  forceOption,
];

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
  const { resource } = endpoints[endpoint];
  const { editInEditor, withKeptDraft } = await import('./editor.ts');
  const schema = await schemaOf(bodyOf(endpoint));
  const wantsTemplate = record.size === 0 || input.options.template === true;
  const edited = await editInEditor(context, {
    name: `new-${resource}`,
    record,
    text: wantsTemplate ? await templateText(endpoint, record) : undefined,
    header: [
      `A new ${resource} at ${baseUrl.host}, as ${email}`,
      'Fill in what you need (take the # away), save and close. Left as it is, nothing is sent.',
    ],
    check: async (made) => {
      checkBody(made, schema);
      await refuseUnknownCodes(context, invocation, made);
    },
  });
  if (!edited) return context.reportOnce('nothing was changed, and nothing was sent');
  try {
    await write(context, invocation, { body: edited.record });
  } catch (error) {
    throw withKeptDraft(context, error, edited.file);
  }
  if (input.options.dryRun) context.reportOnce(`your text is kept in ${edited.file}`);
  else edited.done();
}

/** Prints the fields that can be filled in, and sends nothing. */
export async function printTemplate(
  { streams, flags }: Context,
  endpoint: EndpointId,
  record: JsonObject,
): Promise<void> {
  if (flags.jq || (flags.format ?? 'yaml') !== 'yaml') {
    throw usageError(
      '--template is YAML with comments, and has no other form',
      'for programs there is mar schema',
    );
  }
  const { resource } = endpoints[endpoint];
  const header = `# A new ${resource}. Take the # away from what is to be sent.\n`;
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
