import { endpoints } from '../../api/endpoints.ts';
import type { CallInput } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import type { ServiceRecord } from '../../json/serviceRecord.ts';
import type { JsonObject } from '../../json/value.ts';
import { commandLine } from '../../values/commandLine.ts';
import type { Input, Invocation, Option } from '../command.ts';
import { remember } from '../read/remember.ts';
import { bodyOptions, readWholeBody } from './body.ts';

export const yesOption: Option = { flags: '-y, --yes', summary: 'do not ask before writing' };

export const replaceOptions: readonly Option[] = [...bodyOptions, yesOption];

/** Replaces a record that cannot be read first, so that there is no diff to show. */
export async function replace(
  context: Context,
  invocation: Invocation,
  readBody: typeof readWholeBody = readWholeBody,
): Promise<void> {
  const { endpoint, input } = invocation;
  const [id] = input.arguments;
  // The argument is optional for commander because a batch has none.
  if (id === undefined && endpoints[endpoint].path.includes('{id}')) {
    const hint = 'only with --batch each row has its own _id';
    throw usageError("missing required argument 'id'", hint);
  }
  const body = await readBody(context, invocation);
  if (id !== undefined) refuseOtherRecord(id, body);
  if (needsConfirmation(context, input)) {
    context.reportOnce('what it replaces cannot be read first, so the difference is not known');
    await confirm(context);
  }
  await write(context, invocation, { id, body });
}

export const needsConfirmation = (context: Context, { options }: Input): boolean =>
  context.isInteractive && !options.yes && !options.dryRun;

/** Asks on the terminal whether to write. A no ends the command. */
export async function confirm(context: Context): Promise<void> {
  const { streams, world } = context;
  const { baseUrl, email } = context.identity();
  const { Prompter } = await import('../../terminal/prompt.ts');
  const prompter = new Prompter(streams.stdin, streams.stderr, world.signal);
  try {
    const label = `Write this to ${baseUrl.host} as ${email}? (y/N)`;
    if (/^\s*y(?:es)?\s*$/i.test(await prompter.ask({ label }))) return;
  } finally {
    prompter.close();
  }
  context.reportOnce('nothing was written');
  throw new MarError('interrupted', 'nothing was written');
}

function refuseOtherRecord(id: string, body: JsonObject): void {
  const own = body.get('_id');
  if (typeof own !== 'string' || own === id) return;
  throw usageError(
    `the record has the _id ${JSON.stringify(own)}, and would replace "${id}"`,
    `if that is meant: ${commandLine`--set-string ${`_id=${id}`}`}`,
  );
}

/** Sends a request and prints the record in the response; with --dry-run, prints the request. */
export async function write(
  context: Context,
  { endpoint: endpointId, view, input }: Invocation,
  call: CallInput,
): Promise<ServiceRecord | undefined> {
  if (input.options.dryRun) {
    const { showRequest } = await import('./dryRun.ts');
    await showRequest(context, endpointId, call);
    return undefined;
  }
  context.reportDestination(context.identity());
  const client = await context.client();
  const endpoint = endpoints[endpointId];
  const record = await client.call(endpoint, call);
  await context.printer.record(record, view);
  await remember(context, endpoint.resource, [{ id: call.id, record }]);
  return record;
}
