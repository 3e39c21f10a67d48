import { type EndpointId, endpoints, resourceNoun } from '../api/endpoints.ts';
import { hideSecrets } from '../api/secrets.ts';
import type { CallInput } from '../client/request.ts';
import { MarError, usageError } from '../errors.ts';
import type { Input, Invocation, Option } from '../input.ts';
import { textAt } from '../json/fields.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import { pretty } from '../json/text.ts';
import { isObject, type JsonObject, printJson } from '../json/value.ts';
import type { Context } from '../session/context.ts';
import { remember } from '../session/remember.ts';
import { commandLine } from '../values/commandLine.ts';
import { visibleJson } from '../values/sanitise.ts';
import { bodyOptions, readWholeBody, refuseDoubtfulValues, skipChecksOption } from './body.ts';

export const yesOption: Option = { flags: '-y, --yes', summary: 'write without asking' };

export const putOptions = (example: string): readonly Option[] => [
  ...bodyOptions(example),
  skipChecksOption,
  yesOption,
];

/** Reads a record that is about to be changed, or to become part of another one. */
export async function readForWrite(context: Context, endpointId: EndpointId, id: string) {
  const endpoint = endpoints[endpointId];
  const client = await context.session.client();
  const response = await client.call(endpoint, { id, forWrite: true });
  const record = context.world.interruptible(() => response.tree);
  if (isObject(record)) return { record, tag: response.tag };
  const name = `${resourceNoun(endpoint.resource)} ${id}`;
  throw new MarError('service', `the response for ${name} is not a record`);
}

export const noDiffNote = 'The current version cannot be read, so there is no diff to show.';

/** Writes a record that cannot be read first, so that there is no diff to show. */
export async function put(
  context: Context,
  invocation: Invocation,
  readBody: typeof readWholeBody = readWholeBody,
): Promise<void> {
  const { endpoint, input } = invocation;
  let [id] = input.arguments;
  // The argument is optional for commander because a batch has none.
  if (id === undefined && endpoints[endpoint].path.includes('{id}')) {
    const hint = 'Name the record, or use --batch FILE with an _id in each row.';
    const missing = usageError('missing argument <id>', hint);
    if (input.options.file === undefined) throw missing;
    const { offerId } = await import('../reads/ids.ts');
    id = await offerId(context, endpoints[endpoint].resource, missing);
  }
  const body = await readBody(context, invocation);
  const own = body.get('_id');
  if (id !== undefined && typeof own === 'string' && own !== id) {
    throw usageError(
      `the record has the _id ${JSON.stringify(own)}, not "${id}"`,
      `Nothing was sent. To write it as "${id}", add: ${commandLine`--set-string ${`_id=${id}`}`}`,
    );
  }
  await refuseDoubtfulValues(context, invocation, body);
  if (needsConfirmation(context, input)) {
    await showBody(context, body);
    if ((id ?? own) !== undefined) context.reporter.reportOnce(noDiffNote, 'essential');
    await confirm(context);
  }
  await write(context, invocation, { id, body });
}

/** More lines would scroll the beginning of the record off a screen of 24 lines. */
const maxBodyLines = 18;

/** Shows the record that is about to be written, on standard error. A long one gets a line for each field. */
export async function showBody({ world }: Context, body: JsonObject): Promise<void> {
  const clean = (text: string) => visibleJson(world.redactor.clean(text));
  const json = world.interruptible(() => pretty(printJson(hideSecrets(body))));
  const lines = clean(json).split('\n');
  const isLong = lines.length > maxBodyLines;
  const shown = isLong ? (await import('./diff.ts')).fieldLines([...body], clean) : lines;
  const note = isLong ? ' (long values are cut; --dry-run shows all)' : '';
  const text = [`This record will be written${note}:`, ...shown].join('\n');
  await world.streams.stderr.write(`${text}\n`).catch(() => {});
}

export const needsConfirmation = (context: Context, { options }: Input): boolean =>
  context.reporter.isInteractive && !options.yes && !options.dryRun;

/** Asks on the terminal whether to write. A no ends the command. */
export async function confirm(context: Context): Promise<void> {
  const { baseUrl, email } = context.session.identity();
  await context.reporter.confirm(
    `Write this to ${baseUrl.host} as ${email}?`,
    'Nothing was written.',
  );
}

type RecordStep = (record: ServiceRecord) => Promise<void>;

/** Sends a request and prints the record in the response; with --dry-run, prints the request. */
export async function write(
  context: Context,
  { endpoint: endpointId, view, input }: Invocation,
  call: CallInput,
  /** `onWritten` runs before the record is printed. */
  { onWritten, print }: { onWritten?: RecordStep; print?: RecordStep } = {},
): Promise<void> {
  if (input.options.dryRun) {
    const { showRequest } = await import('./dryRun.ts');
    return showRequest(context, endpointId, call);
  }
  const client = await context.session.client();
  const endpoint = endpoints[endpointId];
  await context.output.printer.unknownColumns(view);
  const onSend = () => context.session.reportDestination(context.session.identity());
  const record = await client.call(endpoint, { ...call, onSend });
  // First, because a closed pipe ends the command while it prints.
  await onWritten?.(record);
  await remember(context.session, endpoint.resource, [{ id: call.id, record }]);
  if (endpointId === 'workRequestCreate') {
    const { trackCreated } = await import('../session/tracked.ts');
    await trackCreated(context.session, [textAt(record.value, '_id')].filter(Boolean));
  }
  if (print) await print(record);
  else await context.output.printer.record(record, view, { isWritten: true });
}
