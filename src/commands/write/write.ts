import { type Endpoint, type EndpointId, endpoints } from '../../api/endpoints.ts';
import type { CallInput } from '../../client/request.ts';
import type { Answered } from '../../client/response.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { readRecord } from '../../records/document.ts';
import type { Edit } from '../../records/edit.ts';
import type { View } from '../../terminal/view.ts';
import { commandLine } from '../../values/commandLine.ts';
import { type Input, type Option, textOption } from '../command.ts';
import { remember } from '../read/remember.ts';
import { forceOption, readEdits, refuseUnknownCodes } from './body.ts';

export const dryRunOption: Option = {
  flags: '--dry-run',
  summary: 'show the request that would be sent, and send nothing',
};

export const bodyOptions: readonly Option[] = [
  {
    flags: '-f, --file <file>',
    summary: 'the record, as JSON or YAML; - is standard input',
    completes: 'file',
  },
  {
    flags: '--set <path=value>',
    summary:
      'set a field: due.tz=Europe/Paris, tags[+]=new, instructions=@notes.txt; JSON if it reads as JSON',
    many: true,
  },
  {
    flags: '--set-string <path=value>',
    summary: 'set a field to a text, whatever it reads as',
    many: true,
  },
  { flags: '--unset <path>', summary: 'remove a field', many: true },
  dryRunOption,
];

const editOption: Option = {
  flags: '--edit',
  summary: 'open the record in your editor ($VISUAL, $EDITOR) before it is sent',
};

/** Of a new record. */
export const createOptions: readonly Option[] = [...bodyOptions, editOption, forceOption];

export const yesOption: Option = { flags: '-y, --yes', summary: 'do not ask before writing' };

/** Of a record that is there already. */
export const replaceOptions: readonly Option[] = [...bodyOptions, yesOption];

/** Makes the changes that were asked for, by what is known of the endpoint's records. */
export async function edit(
  context: Context,
  endpointId: EndpointId,
  record: JsonObject,
  edits: readonly Edit[],
): Promise<void> {
  const { body }: Endpoint = endpoints[endpointId];
  if (edits.length === 0 || body === undefined) return;
  const { editRecord } = await import('../../records/edit.ts');
  const { schemas, isTime } = await import('../../api/schemas.ts');
  const rules = {
    schema: schemas[body](),
    isTime,
    timeUnit: context.settings.timeUnit ?? 'auto',
    note: (text: string) => context.note(text),
  };
  context.world.interruptible(() => editRecord(record, edits, rules));
}

/** The record to send: from a file, or from nothing, with the changes applied. */
export async function readBody(
  context: Context,
  input: Input,
  endpointId: EndpointId,
  /** In place of nothing, where there is no file. */
  start?: JsonObject,
): Promise<JsonObject> {
  const file = textOption(input, 'file');
  const edits = await readEdits(context, input);
  const mayBeEmpty = start !== undefined || input.options.edit === true;
  if (file === undefined && edits.length === 0 && !mayBeEmpty) {
    throw usageError(
      'there is nothing to send',
      'give the record with -f FILE, or fields with --set path=value',
    );
  }
  const record: JsonObject =
    file === undefined ? (start ?? new Map()) : await readRecord(file, context.streams.stdin);
  await edit(context, endpointId, record, edits);
  return record;
}

/** Like `readBody`, for whole records that cannot be read first: fields alone would drop the rest. */
export async function readWholeBody(
  context: Context,
  input: Input,
  endpointId: EndpointId,
): Promise<JsonObject> {
  if (textOption(input, 'file') === undefined) {
    throw usageError(
      'the whole record is needed: -f FILE',
      'this write replaces the record; fields that are not in the file are gone afterwards',
    );
  }
  return readBody(context, input, endpointId);
}

/** Makes a record: from a file, from fields, in the editor. */
export async function create(
  context: Context,
  input: Input,
  endpointId: EndpointId,
  view: View,
  start?: JsonObject,
): Promise<void> {
  const record = await readBody(context, input, endpointId, start);
  await createFrom(context, input, endpointId, view, record);
}

/** Makes a record from what was read, which the editor may still change. */
export async function createFrom(
  context: Context,
  input: Input,
  endpointId: EndpointId,
  view: View,
  record: JsonObject,
): Promise<void> {
  const send = (body: JsonObject) => write(context, input, endpointId, view, { body });
  if (!input.options.edit) {
    await refuseUnknownCodes(context, input, endpointId, record);
    await send(record);
    return;
  }
  const { createInEditor } = await import('./createInEditor.ts');
  await createInEditor(context, input, endpointId, record, send);
}

/** Writes over a record that cannot be read first, so that what changes cannot be shown. */
export async function replace(
  context: Context,
  input: Input,
  endpointId: EndpointId,
  view: View,
  read: typeof readWholeBody = readWholeBody,
): Promise<void> {
  const hasId = endpoints[endpointId].path.includes('{id}');
  const id = hasId ? neededId(input.arguments) : undefined;
  const body = await read(context, input, endpointId);
  if (id !== undefined) refuseOther(id, body);
  if (context.isInteractive && !input.options.yes && !input.options.dryRun) {
    const { confirm } = await import('./confirm.ts');
    context.note('what it replaces cannot be read first, so the difference is not known');
    await confirm(context);
  }
  await write(context, input, endpointId, view, { id, body });
}

function neededId([id]: readonly string[]): string {
  if (id !== undefined) return id;
  throw usageError("missing required argument 'id'", 'only with --batch each row has its own _id');
}

/** One record in another's place is a slip: the other would be gone. */
function refuseOther(id: string, body: JsonObject): void {
  const own = body.get('_id');
  if (typeof own !== 'string' || own === id) return;
  throw usageError(
    `the record has the _id ${JSON.stringify(own)}, and would replace "${id}"`,
    `if that is meant: ${commandLine`--set-string ${`_id=${id}`}`}`,
  );
}

/**
 * Sends a record once and prints what the service made of it, which it gives back; or only shows
 * what would be sent.
 */
export async function write(
  context: Context,
  input: Input,
  endpointId: EndpointId,
  view: View,
  call: CallInput,
): Promise<Answered<unknown> | undefined> {
  if (input.options.dryRun) {
    const { showRequest } = await import('./dryRun.ts');
    await showRequest(context, endpointId, call);
    return undefined;
  }
  const identity = context.identity();
  context.tellDestination(identity);
  const client = await context.clientOf(identity);
  const endpoint = endpoints[endpointId];
  const record = await client.call(endpoint, call);
  await context.printer.record(record, view);
  await remember(context, endpoint.resource, [{ id: call.id, record }]);
  return record;
}
