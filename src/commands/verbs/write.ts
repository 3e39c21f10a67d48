import { type EndpointId, endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { readRecord } from '../../records/document.ts';
import { applyEdits, type Edit } from '../../records/edit.ts';
import type { View } from '../../terminal/view.ts';
import { type Input, type Option, textOption } from '../command.ts';
import { remember } from './remember.ts';

export const bodyOptions: readonly Option[] = [
  {
    flags: '-f, --file <file>',
    summary: 'the record, as JSON or YAML; - is standard input',
    completes: 'file',
  },
  {
    flags: '--set <path=value>',
    summary: 'set a field: due.tz=Europe/Paris, uses.items[0]=online; JSON if it reads as JSON',
    many: true,
  },
  {
    flags: '--set-string <path=value>',
    summary: 'set a field to a text, whatever it reads as',
    many: true,
  },
  { flags: '--unset <path>', summary: 'remove a field', many: true },
];

const editNames: ReadonlySet<string> = new Set(['set', 'set-string', 'unset']);

/** The changes that were asked for, in their order. */
export const editsOf = (input: Input): Edit[] =>
  input.given
    .filter(({ name }) => editNames.has(name))
    .map(({ name, value }) => ({ kind: name as Edit['kind'], text: value }));

/** The record to send: from a file, or from nothing, with the changes applied. */
export async function readBody(context: Context, input: Input): Promise<JsonObject> {
  const file = textOption(input, 'file');
  const edits = editsOf(input);
  if (file === undefined && edits.length === 0) {
    throw usageError(
      'there is nothing to send',
      'give the record with -f FILE, or fields with --set path=value',
    );
  }
  const record: JsonObject =
    file === undefined ? new Map() : await readRecord(file, context.streams.stdin);
  applyEdits(record, edits);
  return record;
}

/** Like `readBody`, for whole records that cannot be read first: fields alone would drop the rest. */
export async function readWholeBody(context: Context, input: Input): Promise<JsonObject> {
  if (textOption(input, 'file') === undefined) {
    throw usageError(
      'the whole record is needed: -f FILE',
      'this write replaces the record; fields that are not in the file are gone afterwards',
    );
  }
  return readBody(context, input);
}

/** Sends a record once and prints what the service made of it. */
export async function write(
  context: Context,
  endpointId: EndpointId,
  view: View,
  request: { id?: string; body: JsonObject },
): Promise<void> {
  const client = await context.client();
  const endpoint = endpoints[endpointId];
  const record = await client.call(endpoint, request);
  await context.printer.record(record, view);
  await remember(context, endpoint.resource, [{ id: request.id, record }]);
}
