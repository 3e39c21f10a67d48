import { type EndpointId, endpoints, resourceNoun } from '../api/endpoints.ts';
import { schemaOf } from '../client/client.ts';
import { checkBody } from '../client/request.ts';
import { usageError } from '../errors.ts';
import type { Invocation, Option } from '../input.ts';
import { valueAt } from '../json/fields.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import type { JsonObject } from '../json/value.ts';
import { type Canvas, type Results, type TextResult, textResult } from '../output/result.ts';
import type { CardTools } from '../output/view.ts';
import type { Context } from '../session/context.ts';
import { sanitise } from '../values/sanitise.ts';
import { bodyOf, bodyOptions, edit, refuseDoubtfulValues, skipChecksOption } from './body.ts';
import type { Plan } from './plan.ts';
import { carryOut } from './write.ts';

export const createOptions = (example: string): readonly Option[] => [
  ...bodyOptions(example),
  {
    flags: '--edit',
    summary: 'open the record in your editor ($VISUAL or $EDITOR) before sending it',
  },
  { flags: '--show', summary: 'on a terminal, print the whole new record instead of a summary' },
  skipChecksOption,
];

/** How a command checks and describes its new records. */
interface CreateDetails {
  /** The last check, which may ask the user. */
  check?(record: JsonObject): Promise<void>;
  /** The record in a few words, to follow its id. */
  describe(record: unknown, show: CardTools): string;
  address?(record: unknown): string | undefined;
}

type Create = (
  context: Context,
  invocation: Invocation,
  record: JsonObject,
  details: CreateDetails,
) => Results;

export const create: Create = async function* (context, invocation, record, details) {
  if (invocation.input.options.edit) {
    return yield* createInEditor(context, invocation, record, details);
  }
  await refuseDoubtfulValues(context, invocation, record);
  yield* send(context, invocation, record, details);
};

/** On a terminal, the result is a summary that ends in the id. Programs and pipes get the record. */
const send: Create = async function* (context, invocation, body, details) {
  const { endpoint, input } = invocation;
  await details.check?.(body);
  const plan: Plan = { endpoint, body, isNew: true, remarks: [] };
  const summaryOf = (made: ServiceRecord) => (canvas: Canvas) =>
    summaryLines(invocation, made.value, details, canvas.tools);
  const drawing = input.options.show ? undefined : summaryOf;
  yield* carryOut(context, plan, { ...invocation, drawing });
};

function summaryLines(
  { endpoint }: Invocation,
  made: unknown,
  { describe, address }: CreateDetails,
  show: CardTools,
): string[] {
  const id = show.cell(valueAt(made, '_id'));
  const page = address?.(made);
  const noun = resourceNoun(endpoints[endpoint].resource);
  const lines = [
    `Created ${noun} ${id} ${describe(made, show)}`.trimEnd(),
    ...(page === undefined ? [] : [`Web page: ${page}`]),
    `Id: ${id}`,
  ];
  return lines.map(sanitise);
}

const createInEditor: Create = async function* (context, invocation, record, details) {
  const { endpoint, input } = invocation;
  const { baseUrl, email } = context.session.identity();
  const { editInEditor } = await import('./editor.ts');
  const schema = await schemaOf(bodyOf(endpoint));
  const wantsTemplate = record.size === 0 || input.options.template === true;
  const draft = {
    name: `new-${endpoints[endpoint].resource}`,
    record,
    text: wantsTemplate ? await templateText(endpoint, record) : undefined,
    header: [
      `New ${resourceNoun(endpoints[endpoint].resource)} at ${baseUrl.host}, as ${email}`,
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
  yield* editInEditor(context, draft, (made) => send(context, invocation, made, details));
};

/** A form with all fields, to fill in. */
export async function templateResult(
  { flags }: Context,
  endpoint: EndpointId,
  record: JsonObject,
): Promise<TextResult> {
  if (flags.jq || (flags.format ?? 'yaml') !== 'yaml') {
    throw usageError(
      '--template prints only YAML, with comments',
      'To get the fields as JSON Schema, run: mar schema',
      { flag: '--template' },
    );
  }
  const header = `# New ${resourceNoun(endpoints[endpoint].resource)}. Remove the # from the fields you want to send.\n`;
  return textResult(header + (await templateText(endpoint, record)));
}

async function templateText(endpoint: EndpointId, record: JsonObject): Promise<string> {
  const { templateOf, workRequestOrder } = await import('../records/template.ts');
  const { schemas, isTime } = await import('../api/schemas.ts');
  // Fields that the service fills in are left out.
  const order =
    endpoint === 'workRequestCreate' ? workRequestOrder : { leaveOut: ['_id', 'created'] };
  return templateOf(schemas[bodyOf(endpoint)](), record, order, isTime);
}
