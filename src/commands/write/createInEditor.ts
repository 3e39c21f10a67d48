import { type Endpoint, type EndpointId, endpoints } from '../../api/endpoints.ts';
import { checkBody } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { type TemplateOrder, templateOf, workRequestOrder } from '../../records/template.ts';
import type { Input } from '../command.ts';
import { refuseUnknownCodes } from './body.ts';
import { editInEditor, kept } from './editor.ts';

/** Lets a person fill a record in, then makes it. */
export async function createInEditor(
  context: Context,
  input: Input,
  endpointId: EndpointId,
  record: JsonObject,
  send: (record: JsonObject) => Promise<unknown>,
): Promise<void> {
  const { baseUrl, email } = context.identity();
  const { body, resource }: Endpoint = endpoints[endpointId];
  if (body === undefined) return;
  const { schemas, isTime } = await import('../../api/schemas.ts');
  const schema = schemas[body]();
  const wantsTemplate = record.size === 0 || input.options.template === true;
  const edited = await editInEditor(context, {
    name: `new-${resource}`,
    record,
    text: wantsTemplate ? templateOf(schema, record, orderOf(endpointId), isTime) : undefined,
    header: [
      `A new ${resource} at ${baseUrl.host}, as ${email}`,
      'Fill in what you need (take the # away), save and close. Left as it is, nothing is sent.',
    ],
    check: async (made) => {
      checkBody(made, schema);
      await refuseUnknownCodes(context, input, endpointId, made);
    },
  });
  if (!edited) {
    // Left as it is: what was given was seen, and not agreed to.
    context.note('nothing was changed, and nothing was sent');
    return;
  }
  try {
    await send(edited.record);
  } catch (error) {
    throw kept(context, error, edited.file);
  }
  if (input.options.dryRun) context.note(`your text is kept in ${edited.file}`);
  else edited.done();
}

/** Prints what could be filled in, and sends nothing. */
export async function printTemplate(
  { streams, flags }: Context,
  endpointId: EndpointId,
  record: JsonObject,
): Promise<void> {
  const { body, resource }: Endpoint = endpoints[endpointId];
  if (body === undefined) return;
  if (flags.jq || (flags.format ?? 'yaml') !== 'yaml') {
    throw usageError(
      '--template is YAML with comments, and has no other form',
      'for programs there is mar schema',
    );
  }
  const { schemas, isTime } = await import('../../api/schemas.ts');
  const text = templateOf(schemas[body](), record, orderOf(endpointId), isTime);
  const header = `# A new ${resource}. Take the # away from what is to be sent.\n`;
  await streams.stdout.write(header + text);
}

/** What a person fills in, and what the service does. */
const orderOf = (endpointId: EndpointId): TemplateOrder =>
  endpointId === 'workRequestCreate' ? workRequestOrder : { leaveOut: ['_id', 'created'] };
