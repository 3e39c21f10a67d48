import { endpoints } from '../../api/endpoints.ts';
import type { CallInput } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { ServiceRecord } from '../../json/serviceRecord.ts';
import type { JsonObject } from '../../json/value.ts';
import { commandLine } from '../../values/commandLine.ts';
import type { Invocation, Option } from '../command.ts';
import { remember } from '../read/remember.ts';
import { bodyOptions, readWholeBody } from './body.ts';
import { confirm, needsConfirmation, yesOption } from './confirm.ts';

export const replaceOptions: readonly Option[] = [...bodyOptions, yesOption];

/** Replaces a record that cannot be read first, so that there is no diff to show. */
export async function replace(
  context: Context,
  invocation: Invocation,
  readBody: typeof readWholeBody = readWholeBody,
): Promise<void> {
  const { endpoint, input } = invocation;
  const id = endpoints[endpoint].path.includes('{id}') ? requiredId(input.arguments) : undefined;
  const body = await readBody(context, invocation);
  if (id !== undefined) refuseOtherRecord(id, body);
  if (needsConfirmation(context, input)) {
    context.reportOnce('what it replaces cannot be read first, so the difference is not known');
    await confirm(context);
  }
  await write(context, invocation, { id, body });
}

/** The argument is optional for commander because a batch has none. */
function requiredId([id]: readonly string[]): string {
  if (id !== undefined) return id;
  throw usageError("missing required argument 'id'", 'only with --batch each row has its own _id');
}

function refuseOtherRecord(id: string, body: JsonObject): void {
  const own = body.get('_id');
  if (typeof own !== 'string' || own === id) return;
  throw usageError(
    `the record has the _id ${JSON.stringify(own)}, and would replace "${id}"`,
    `if that is meant: ${commandLine`--set-string ${`_id=${id}`}`}`,
  );
}

/** Sends a request once and prints the record in the response; with --dry-run, the request. */
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
  const identity = context.identity();
  context.reportDestination(identity);
  const client = await context.client();
  const endpoint = endpoints[endpointId];
  const record = await client.call(endpoint, call);
  await context.printer.record(record, view);
  await remember(context, endpoint.resource, [{ id: call.id, record }]);
  return record;
}
