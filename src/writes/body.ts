import { type Endpoint, type EndpointId, endpoints, type SchemaName } from '../api/endpoints.ts';
import { type FieldProblem, orUndefined, usageError, withFacts } from '../errors.ts';
import { type Input, type Invocation, type Option, stringOption } from '../input.ts';
import { copyOf, isObject, isSame, type Json, type JsonObject } from '../json/value.ts';
import { stdinReadTwice } from '../reads/get.ts';
import { readRecord, readValue } from '../records/document.ts';
import type { Edit, EditRules, Written } from '../records/edit.ts';
import type { ValueName } from '../records/knownValues.ts';
import type { Context } from '../session/context.ts';
import { commandLine } from '../values/commandLine.ts';
import { describeUnknown } from '../values/nearest.ts';

export const dryRunOption: Option = {
  flags: '--dry-run',
  summary: 'show the request and send nothing',
};

export const skipChecksOption: Option = {
  flags: '--skip-checks',
  summary: 'send it even if a name, value or date looks like a mistake, or it is a duplicate',
};

/** `example` sets a field of the command's record. */
export const bodyOptions = (example: string): readonly Option[] => [
  {
    flags: '-f, --file <file>',
    summary: 'JSON or YAML file with the record; - is standard input',
    completes: 'file',
  },
  {
    flags: '--set <path=value>',
    summary: `set a field, for example ${example}; the value is JSON or a string, @FILE reads a file, path[+] appends to a list`,
    many: true,
    completes: 'field',
  },
  {
    flags: '--set-string <path=value>',
    summary: 'set a field to a string, even if the value is valid JSON',
    many: true,
    completes: 'field',
  },
  { flags: '--unset <path>', summary: 'remove a field', many: true },
  dryRunOption,
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
      'Use flags for single fields, such as --set path=value (--help lists them), or -f FILE for a whole record.',
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
  const written = file === undefined ? undefined : { isBaseUnknown: readBy !== undefined };
  return edit(context, { endpoint, input }, record, edits, written);
}

/** Like `readBody`, for a record that cannot be read first: other fields than those of --set are unknown. */
export async function readWholeBody(
  context: Context,
  request: BodyRequest,
  source = '-f FILE',
): Promise<JsonObject> {
  if (stringOption(request.input, 'file') === undefined) {
    throw usageError(
      `this command needs the whole record: use ${source}`,
      'The API does not say what happens to fields you leave out.',
    );
  }
  return readBody(context, request);
}

/** The --set, --set-string and --unset flags in their order, with the contents of `@file` values. */
export async function readEdits({ world: { streams } }: Context, input: Input): Promise<Edit[]> {
  const edits: Edit[] = input.given
    .filter(({ name }) => /^(?:set|set-string|unset)$/.test(name))
    .map(({ name, value, source }) => ({ kind: name as Edit['kind'], text: value, source }));
  const files = edits.length === 0 ? [] : edits.map((await import('../records/edit.ts')).fileOf);
  const inputs = ['file', 'base', 'batch'].map((name) => stringOption(input, name)).concat(files);
  if (inputs.filter((file) => file === '-').length > 1) {
    throw stdinReadTwice();
  }
  for (const [index, edit] of edits.entries()) {
    const file = files[index];
    if (file === undefined) continue;
    edit.content = await readValue(file, streams.stdin).catch((error: Error) => {
      const hint = `To set a string that starts with @, use ${commandLine`--set-string ${edit.text}`}`;
      throw usageError(`--set ${edit.text}: ${error.message}`, hint, {
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
  const { editRecord } = await import('../records/edit.ts');
  const rules = await editRules(context, request.endpoint);
  const before = written ? written.base : copyOf(record);
  context.world.interruptible(() => editRecord(record, edits, rules, written));
  // A record that is read before it is written is compared with its current version later.
  const { readBy }: Endpoint = endpoints[request.endpoint];
  if (!readBy) await refuseUnknownNames(context, request, record, before);
  return record;
}

/** The sandbox also changes records that the API can only read. */
export function bodyOf(endpoint: EndpointId): SchemaName {
  const { response, body = response }: Endpoint = endpoints[endpoint];
  return body;
}

/** Loads zod, so it is called only if there is something to change. */
export async function editRules(context: Context, endpoint: EndpointId): Promise<EditRules> {
  const { schemas, isTime } = await import('../api/schemas.ts');
  return {
    schema: schemas[bodyOf(endpoint)](),
    isTime,
    ...context.session.clock,
    note: (text) => context.reporter.reportOnce(text),
  };
}

export const refuse = (problems: readonly FieldProblem[], hint: string, input?: Input) => {
  const [first] = problems;
  if (!first) return;
  const lines = problems.map(({ message }) => message);
  // The flag of the field, such as --language, if its value is the wrong one.
  const given = input?.given.find(
    ({ name, value }) => value === first.value && first.field.endsWith(name),
  );
  throw usageError(lines.join('\n'), `Nothing was sent. ${hint}`, {
    ...(given && { flag: `--${given.name}`, value: given.value }),
    fields: problems.map(({ field, ...facts }) => ({ path: field, ...facts })),
  });
};

export const skipChecksHint = 'Correct it, or send it as it is with --skip-checks.';

/** Throws if a record has a mistake. What its base has too is known. */
type Review = (
  context: Context,
  request: BodyRequest,
  record: JsonObject,
  base?: Json,
) => Promise<void>;

/** Refuses names that the API does not document and that are probably a typo. */
const refuseUnknownNames: Review = async (context, request, record, base) => {
  const problemsWith = await namesReviewer(context, request);
  const problems = context.world.interruptible(() => problemsWith(record, base));
  refuse(problems, context.flags.strict ? strictHint : skipChecksHint, request.input);
};

export const strictHint =
  'Without --strict, unknown fields are sent, unless they resemble a known one.';

const maxWarnings = 10;

/**
 * Returns the names of a record that are probably a typo of a documented one as problems, unless there
 * is `--skip-checks`. Other unknown names are warnings, or problems with `--strict`.
 */
export async function namesReviewer(context: Context, { endpoint, input }: BodyRequest) {
  const [{ schemas }, { unknownFields }, { idReferences }] = await Promise.all([
    import('../api/schemas.ts'),
    import('../api/unknownFields.ts'),
    import('../records/references.ts'),
  ]);
  const schema = schemas[bodyOf(endpoint)]();
  let warnings = 0;
  return (
    record: JsonObject,
    base?: Json,
    reported: ReadonlySet<string> = new Set(),
  ): FieldProblem[] => {
    for (const field of idReferences(schema, record)) {
      const objectForm = `--set ${field}._id=ID${field === 'asset' ? ' or --asset ID' : ''}`;
      context.reporter.reportOnce(
        `Field ${field} is sent as an id, as given. The API documents an object; to send one, use ${objectForm}`,
      );
    }
    const problems: FieldProblem[] = [];
    for (const one of unknownFields(schema, record, base)) {
      if (reported.has(one.path)) continue;
      const isTypo = one.meant !== undefined && !input.options.skipChecks;
      if (isTypo || context.flags.strict) {
        const message = describeUnknown('field', one);
        problems.push({ field: one.path, suggestion: one.meant, message });
        continue;
      }
      const text = warnings < maxWarnings ? describeUnknown('field', one) : 'more unknown fields';
      context.reporter.warn('unknown-field', `${text} will be sent`, [{ path: one.path }]);
      warnings += 1;
    }
    return problems;
  };
}

/** Refuses names and values that are probably a mistake. */
export const refuseMistakes: Review = async (...review) => {
  await refuseUnknownNames(...review);
  await refuseDoubtfulValues(...review);
};

/** Refuses values that are probably a mistake. */
export const refuseDoubtfulValues: Review = async (context, request, record, base) => {
  const problemsWith = await valuesReviewer(context, request);
  refuse(await problemsWith(record, base), skipChecksHint, request.input);
};

/** Returns the values of a record that are probably a mistake as problems, unless there is `--skip-checks`. */
export async function valuesReviewer(
  context: Context,
  { endpoint, input }: BodyRequest,
): Promise<(record: JsonObject, base?: Json) => Promise<FieldProblem[]>> {
  if (input.options.skipChecks) return async () => [];
  const { resource } = endpoints[endpoint];
  const [zones, { codeChecker }, { dueDateProblems }, { checkValues }, { seenValues }] =
    await Promise.all([
      import('../records/dateText.ts'),
      import('../records/codes.ts'),
      import('../records/lateness.ts'),
      import('../records/knownValues.ts'),
      import('../session/remember.ts'),
    ]);
  const known = new Map<ValueName, readonly string[]>();
  const seen = (name: ValueName) => {
    // `--check` needs no account.
    const values = known.get(name) ?? orUndefined(() => seenValues(context.session, name)) ?? [];
    known.set(name, values);
    return values;
  };
  const checkCodes = codeChecker();
  return async (record, base) => {
    const codes = await checkCodes(resource, record, seen('territory'));
    const values = checkValues(resource, record, base, seen, zones);
    const problems: FieldProblem[] = [...codes.problems, ...values.problems];
    // A date can be shown only if its time zone is known.
    const isDueNew = !isObject(base) || !isSame(record.get('due'), base.get('due'));
    if (problems.length === 0 && isDueNew) {
      problems.push(...dueDateProblems(resource, record, context.session.clock));
    }
    if (problems.length > 0) return problems;
    for (const note of [...codes.notes, ...values.notes]) context.reporter.reportOnce(note);
    return [];
  };
}
