import { bodyOf, endpoints } from '../api/endpoints.ts';
import { type FieldProblem, orUndefined, usageError } from '../errors.ts';
import type { Input, Invocation } from '../input.ts';
import type { Json, JsonObject } from '../json/value.ts';
import type { ValueName } from '../records/knownValues.ts';
import type { Context } from '../session/context.ts';
import { describeUnknown } from '../values/nearest.ts';

/* Names and values of a record that are probably a mistake. They are refused before anything is sent. */

type WriteRequest = Pick<Invocation, 'endpoint' | 'input'>;

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
  request: WriteRequest,
  record: JsonObject,
  base?: Json,
) => Promise<void>;

/** Refuses names that the API does not document and that are probably a typo. */
export const refuseUnknownNames: Review = async (context, request, record, base) => {
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
export async function namesReviewer(context: Context, { endpoint, input }: WriteRequest) {
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
  { endpoint, input }: WriteRequest,
): Promise<(record: JsonObject, base?: Json) => Promise<FieldProblem[]>> {
  if (input.options.skipChecks) return async () => [];
  const { resource } = endpoints[endpoint];
  const [zones, { codeChecker }, { orderChecker }, { checkValues }, { seenValues }] =
    await Promise.all([
      import('../records/dateText.ts'),
      import('../records/codes.ts'),
      import('./wholeOrder.ts'),
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
  const checkOrder = orderChecker(context, { endpoint, input });
  return async (record, base) => {
    const codes = await checkCodes(resource, record, seen('territory'));
    const values = checkValues(resource, record, base, seen, zones);
    const problems: FieldProblem[] = [...codes.problems, ...values.problems];
    problems.push(...checkOrder(record, base));
    if (problems.length > 0) return problems;
    for (const note of [...codes.notes, ...values.notes]) context.reporter.reportOnce(note);
    return [];
  };
}
