import { bodyOf, type EndpointId, endpoints, resourceNoun } from '../api/endpoints.ts';
import { schemaOf } from '../client/client.ts';
import { checkBody } from '../client/request.ts';
import { runHint, usageError } from '../errors.ts';
import { type Invocation, type Option, option } from '../input.ts';
import { valueAt } from '../json/fields.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import type { JsonObject } from '../json/value.ts';
import { type Canvas, type Results, type TextResult, textResult } from '../output/result.ts';
import type { CardTools } from '../output/viewType.ts';
import type { Context } from '../session/context.ts';
import { words } from '../values/commandLine.ts';
import { sanitise } from '../values/sanitise.ts';
import { bodyOptions, edit } from './body.ts';
import { skipChecksOption } from './checks.ts';
import type { OrderLook } from './orderLook.ts';
import { checkEarlier, orderSource } from './placedBefore.ts';
import type { Plan } from './plan.ts';
import { refuseDoubtfulValues } from './refuseMistakes.ts';
import { review } from './review.ts';
import { carryOut } from './write.ts';

export const createOptions = (example: string): readonly Option[] => [
  ...bodyOptions(example),
  option('--edit', 'open the record in your editor before sending it', {
    group: 'Fields',
  }),
  option('--show', 'on a terminal, print the whole new record instead of a summary'),
  skipChecksOption,
];

/** How a command checks and describes its new records. */
interface CreateDetails {
  /** The last check. Returns what a person sees before the record is sent, if it is an order. */
  check?(record: JsonObject): Promise<OrderLook>;
  /** The record in a few words, to follow its id. */
  describe(record: unknown, show: CardTools): string;
  address?(record: unknown): string | undefined;
}

/** On a terminal, the result is a summary that ends in the id. Programs and pipes get the record. */
export async function* create(
  context: Context,
  invocation: Invocation,
  record: JsonObject,
  { check, describe, address }: CreateDetails,
): Results {
  const { endpoint, input } = invocation;
  const noun = resourceNoun(endpoints[endpoint].resource);
  const summaryOf =
    ({ value }: ServiceRecord) =>
    ({ tools }: Canvas) => {
      const id = tools.cell(valueAt(value, '_id'));
      const page = address?.(value);
      const lines = [`Created ${noun} ${id} ${describe(value, tools)}`.trimEnd()];
      if (page !== undefined) lines.push(`Web page: ${page}`);
      return [...lines, `Id: ${id}`].map(sanitise);
    };
  const drawing = input.options.show ? undefined : summaryOf;
  async function* send(body: JsonObject): Results {
    const look = await check?.(body);
    const order = orderSource(endpoint, input);
    const plan: Plan = { endpoint, body, isNew: true, order, look, remarks: [] };
    const checked = await checkEarlier(context, plan, input);
    await review(context, input, checked);
    yield* carryOut(context, checked, { ...invocation, drawing });
  }
  if (!input.options.edit) {
    await refuseDoubtfulValues(context, invocation, record);
    return yield* send(record);
  }
  const { baseUrl, email } = context.session.identity();
  const { editInEditor } = await import('./editor.ts');
  const schema = await schemaOf(bodyOf(endpoint));
  const wantsTemplate = record.size === 0 || input.options.template === true;
  const draft = {
    name: `new-${endpoints[endpoint].resource}`,
    record,
    text: wantsTemplate ? await templateText(context, endpoint, record) : undefined,
    header: [
      `New ${noun} at ${baseUrl.host}, as ${email}`,
      'Remove the # from each field you want to send. Then save and close the editor. To send nothing, close it without changes.',
    ],
    isNew: true,
    isDryRun: input.options.dryRun === true,
    async check(made: JsonObject) {
      await edit(context, invocation, made, [], { base: record });
      checkBody(made, schema);
      await refuseDoubtfulValues(context, invocation, made);
    },
  } as const;
  yield* editInEditor(context, draft, send);
}

/** A form with all fields, to fill in. */
export async function templateResult(
  context: Context,
  endpoint: EndpointId,
  record: JsonObject,
): Promise<TextResult> {
  const { flags } = context;
  if (flags.jq || (flags.format ?? 'yaml') !== 'yaml') {
    throw usageError(
      '--template prints only YAML, with comments',
      [
        runHint('To get the fields as JSON Schema', words`mar schema wr`),
        runHint('To get a table to fill in', words`mar wr create --template --batch`),
      ],
      { flag: '--template' },
    );
  }
  const header = `# New ${resourceNoun(endpoints[endpoint].resource)}. Remove the # from the fields you want to send.\n`;
  return textResult(header + (await templateText(context, endpoint, record)));
}

async function templateText(
  { session }: Context,
  endpoint: EndpointId,
  record: JsonObject,
): Promise<string> {
  const { firstFields, templateOf } = await import('../records/template.ts');
  const { schemas, isTime } = await import('../api/schemas.ts');
  // Fields that the service fills in are left out.
  const order =
    endpoint === 'workRequestCreate'
      ? { first: firstFields, leaveOut: session.service().parts('order', 'made') }
      : { leaveOut: ['_id', 'created'] };
  return templateOf(schemas[bodyOf(endpoint)](), record, order, isTime);
}
