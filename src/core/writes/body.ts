import { bodyOf, type Endpoint, type EndpointId, endpoints } from '../api/endpoints.ts';
import { forPerson, onCommandLine, orUndefined, usageError, withFacts } from '../errors.ts';
import { type Input, type Invocation, type Option, option, stringOption } from '../input.ts';
import { copyOf, type JsonObject } from '../json/value.ts';
import { stdinReadTwice } from '../reads/getRecords.ts';
import { readRecord, readValue } from '../records/document.ts';
import type { Edit, EditRules, Written } from '../records/setFields.ts';
import type { RowReading } from '../rows/row.ts';
import type { Context } from '../session/context.ts';
import { sentUnit } from '../session/remember.ts';
import { commandLine } from '../values/commandLine.ts';
import { refuse, refuseUnknownNames, refuseUnknownRemovals } from './refuseMistakes.ts';

export const dryRunOption = option('--dry-run', 'show what would be sent, and write nothing');

export const yesOption = option('-y, --yes', 'write without asking');

/** `example` sets a field of the command's record. */
export const bodyOptions = (example: string): readonly Option[] => [
  option('-f, --file <file>', 'JSON or YAML file with the record; - is standard input', {
    completes: 'file',
    group: 'Fields',
  }),
  option(
    '--set <path=value>',
    `set a field, for example ${example}; @FILE reads the value from a file`,
    { many: true, completes: 'field', group: 'Fields' },
  ),
  option('--set-string <path=value>', 'set a field to a string, even if the value is valid JSON', {
    many: true,
    completes: 'field',
    group: 'Fields',
  }),
  option('--unset <path>', 'remove a field', { many: true, group: 'Fields' }),
  dryRunOption,
  yesOption,
];

export interface BodyRequest extends Pick<Invocation, 'endpoint' | 'input'> {
  /** Completes the record of the file before --set is applied. */
  prepare?(record: JsonObject): void;
}

/** The record to send: from -f, or from `start`, with --set and --unset applied. */
export async function readBody(
  context: Context,
  { endpoint, input, prepare }: BodyRequest,
  start?: JsonObject,
): Promise<JsonObject> {
  const file = stringOption(input, 'file');
  const edits = await readEdits(context, input);
  const mayBeEmpty = start !== undefined || input.options.edit === true;
  if (file === undefined && edits.length === 0 && !mayBeEmpty) {
    throw usageError(
      'nothing to send',
      onCommandLine(
        'Use flags for single fields, such as --set path=value (--help lists them), or -f FILE for a whole record.',
      ),
    );
  }
  const record: JsonObject =
    file === undefined
      ? (start ?? new Map())
      : await withFacts({ flag: '-f', value: file }, () =>
          readRecord(file, context.world.streams.stdin),
        );
  prepare?.(record);
  const { readBy }: Endpoint = endpoints[endpoint];
  if (file !== undefined && !readBy && input.options.skipChecks !== true) {
    await translateNames(context, endpoint, record);
  }
  const written = file === undefined ? undefined : { isBaseUnknown: readBy !== undefined };
  return edit(context, { endpoint, input }, record, edits, written);
}

/** Replaces values as people write them, such as French, and says so. */
export async function translateNames(
  context: Context,
  endpoint: EndpointId,
  record: JsonObject,
): Promise<void> {
  const [{ valueTranslator }, { findPeople }, { plainDate }] = await Promise.all([
    import('./translate.ts'),
    import('./people.ts'),
    import('../records/dateText.ts'),
  ]);
  const reading: RowReading = { translated: [], problems: [] };
  const { schema } = await editRules(context, endpoint);
  const readDate = (text: string, path: string) => orUndefined(() => plainDate(text, path));
  const people = findPeople(context);
  await valueTranslator(context, { endpoint, schema, people, readDate })(record, false, reading);
  const problems = reading.problems.map(({ field = '', ...one }) => ({
    field,
    ...one,
    rests: 'mistake' as const,
  }));
  refuse(problems, forPerson('Correct it, or send it as it is with --skip-checks.'));
  if (reading.translated.length === 0) return;
  for (const { field, from, to } of reading.translated) {
    context.reporter.noteReading('value', `Field ${field}: ${from} is read as ${to}`);
  }
}

/** Like `readBody`, for a record that cannot be read first: other fields than those of --set are unknown. */
export async function readWholeBody(
  context: Context,
  request: BodyRequest,
  source = '-f FILE',
): Promise<JsonObject> {
  if (stringOption(request.input, 'file') === undefined) {
    throw usageError(
      'this command needs the whole record',
      onCommandLine(`Use ${source}: the service may drop the fields that you leave out.`),
    );
  }
  return readBody(context, request);
}

/** The --set, --set-string and --unset flags in their order, with the contents of `@file` values. */
export async function readEdits({ world: { streams } }: Context, input: Input): Promise<Edit[]> {
  const edits: Edit[] = input.given
    .filter(({ name }) => /^(?:set|set-string|unset)$/.test(name))
    .map(({ name, value, source }) => ({ kind: name as Edit['kind'], text: value, source }));
  const files =
    edits.length === 0 ? [] : edits.map((await import('../records/setFields.ts')).fileOf);
  const inputs = ['file', 'base', 'batch', 'like']
    .map((name) => stringOption(input, name))
    .concat(files);
  if (inputs.filter((file) => file === '-').length > 1) {
    throw stdinReadTwice();
  }
  for (const [index, edit] of edits.entries()) {
    const file = files[index];
    if (file === undefined) continue;
    edit.content = await readValue(file, streams.stdin).catch((error: Error) => {
      const hint = `To set a string that starts with @, use ${commandLine`--set-string ${edit.text}`}`;
      throw usageError(`--set ${edit.text}: ${error.message}`, onCommandLine(hint), {
        flag: '--set',
        value: edit.text,
      });
    });
  }
  return edits;
}

/** Applies edits, and checks the names in them. In a record that the user wrote, also converts dates. */
export async function edit(
  context: Context,
  request: BodyRequest,
  record: JsonObject,
  edits: readonly Edit[],
  written?: Written,
): Promise<JsonObject> {
  if (edits.length === 0 && !written) return record;
  const { editRecord } = await import('../records/setFields.ts');
  const rules = await editRules(context, request.endpoint);
  const original = copyOf(record);
  const before = written ? written.base : original;
  const removed = edits.filter(({ kind }) => kind === 'unset').map(({ text }) => text);
  if (removed.length > 0) await refuseUnknownRemovals(request, removed, original);
  context.world.interruptible(() => editRecord(record, edits, rules, written));
  // A record that is read before it is written is compared with its current version later.
  const { readBy }: Endpoint = endpoints[request.endpoint];
  if (!readBy) await refuseUnknownNames(context, request, record, before);
  return record;
}

/** Loads zod, so it is called only if there is something to change. */
export async function editRules(
  { session, reporter }: Context,
  endpoint: EndpointId,
): Promise<EditRules> {
  const { schemas, isTime } = await import('../api/schemas.ts');
  return {
    schema: schemas[bodyOf(endpoint)](),
    isTime,
    ...session.clock,
    sentUnit: sentUnit(session),
    note: (message, isCertain) => reporter.noteReading('date', message, isCertain),
  };
}
