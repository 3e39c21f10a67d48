import { bodyOf, endpoints } from '../api/endpoints.ts';
import { assumptionHints, fieldAssumption, fieldItem } from '../api/service.ts';
import { type Hint, hintsOf, onCommandLine, type Refusal, usageError } from '../errors.ts';
import type { Input, Invocation } from '../input.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import type { Context } from '../session/context.ts';
import { describeUnknown, differInDigits, nearest, type UnknownField } from '../values/nearest.ts';
import { sanitise } from '../values/sanitise.ts';
import { type CheckName, nothingSent, skipHint, skips } from './checks.ts';

/* Names and values of a record that are probably a mistake. They are refused before anything is sent. */

export type WriteRequest = Pick<Invocation, 'endpoint' | 'input'>;

export const refuse = (problems: readonly Refusal[], hint: Hint, input?: Input) => {
  const [first] = problems;
  if (!first) return;
  const lines = problems.map(({ message }) => message);
  // The flag of the field, such as --language, if its value is the wrong one.
  const given = input?.given.find(
    ({ name, value }) => value === first.value && first.field.endsWith(name),
  );
  const hints = [nothingSent(hint), ...hintsOf(problems), ...assumptionHints(problems)];
  throw usageError(lines.join('\n'), hints, {
    ...(given && { flag: `--${given.name}`, value: given.value }),
    fields: problems.map(({ field, hint: _, rests: _rests, ...facts }) => ({
      path: field,
      ...facts,
    })),
  });
};

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
  refuse(problems, context.flags.strict ? strictHint : skipHint('field'), request.input);
};

export const strictHint = onCommandLine(
  'Without --strict, unknown fields are sent, unless they resemble a known one.',
);

const maxWarnings = 10;

/**
 * Returns the names of a record that are probably a typo of a documented one as problems, unless
 * `--skip-checks` skips them. Other unknown names are warnings, or problems with `--strict`.
 */
export async function namesReviewer(context: Context, { endpoint, input }: WriteRequest) {
  const [{ schemas }, { unknownFields }, { idReferences }] = await Promise.all([
    import('../api/schemas.ts'),
    import('../api/unknownFields.ts'),
    import('../records/references.ts'),
  ]);
  const schema = schemas[bodyOf(endpoint)]();
  const service = context.session.service();
  let warnings = 0;
  return (
    record: JsonObject,
    base?: Json,
    isLeftOut: (field: UnknownField) => boolean = () => false,
  ): Refusal[] => {
    for (const field of idReferences(schema, record)) {
      const message = `field ${field} is sent as an id, as given. The API documents an object`;
      const objectForm = `--set ${field}._id=ID${field === 'asset' ? ' or --asset ID' : ''}`;
      const hint = onCommandLine(`To send one, use ${objectForm}`);
      context.reporter.warn('reference', [message, hint], [{ path: field }]);
    }
    const problems: Refusal[] = [];
    for (const one of unknownFields(schema, record, base)) {
      const rests = fieldAssumption(one.path);
      if (isLeftOut(one) || service.has('field', fieldItem(one.path))) continue;
      const isTypo = one.meant !== undefined && !skips(input, 'field');
      if (isTypo || context.flags.strict) {
        const message = describeUnknown('field', one);
        problems.push({ field: one.path, suggestion: one.meant, check: 'field', message, rests });
        continue;
      }
      const text = warnings < maxWarnings ? describeUnknown('field', one) : 'more unknown fields';
      context.reporter.warn('unknown-field', `${text} will be sent`, [{ path: one.path }]);
      warnings += 1;
    }
    return problems;
  };
}

/** Refuses paths of --unset that are probably a typo: the field would stay. */
export async function refuseUnknownRemovals(
  { endpoint, input }: WriteRequest,
  paths: readonly string[],
  record?: Json,
): Promise<void> {
  const { schemas } = await import('../api/schemas.ts');
  const { unknownInPath } = await import('../api/unknownFields.ts');
  const { parsePath } = await import('../json/path.ts');
  const schema = schemas[bodyOf(endpoint)]();
  const unknown = paths.flatMap((path) => unknownInPath(schema, parsePath(path), record) ?? []);
  const refused = unknown.filter(({ meant }) => meant !== undefined && !skips(input, 'field'));
  const problems = refused.map((one) => ({
    field: one.path,
    suggestion: one.meant,
    check: 'field',
    message: `--unset: ${describeUnknown('field', one)}`,
    rests: fieldAssumption(one.path),
  }));
  refuse(problems, skipHint('field'), input);
}

/** Refuses names and values that are probably a mistake. */
export const refuseMistakes: Review = async (...review) => {
  await refuseUnknownNames(...review);
  await refuseDoubtfulValues(...review);
};

/** Refuses values that are probably a mistake. */
export const refuseDoubtfulValues: Review = async (context, request, record, base) => {
  const problemsWith = await valuesReviewer(context, request);
  const problems = await problemsWith(record, base);
  refuse(problems, skipHint(...problems.map(({ check = 'value' }) => check)), request.input);
};

/** Returns the values of a record that are probably a mistake as problems, without those to skip. */
export async function valuesReviewer(
  context: Context,
  { endpoint, input }: WriteRequest,
): Promise<(record: JsonObject, base?: Json) => Promise<Refusal[]>> {
  if (input.options.skipChecks === true) return async () => [];
  const { resource } = endpoints[endpoint];
  const [{ codeChecker }, { orderChecker }, { checkValues }] = await Promise.all([
    import('../records/codes.ts'),
    import('./orderProblems.ts'),
    import('../records/checkValues.ts'),
  ]);
  const isChecked = ({ check }: Refusal) => !skips(input, check as CheckName);
  const service = context.session.service();
  const checkCodes = codeChecker(service);
  const checkOrder = orderChecker(context, { endpoint, input });
  return async (record, base) => {
    const codes = await checkCodes(resource, record);
    const values = checkValues(service, resource, record, base);
    const slips = resource === 'WorkRequest' ? recipientSlips(context, record) : [];
    const found = [...codes.problems, ...values.problems, ...slips, ...checkOrder(record, base)];
    const problems = found.filter(isChecked);
    if (problems.length > 0) return problems;
    for (const { field, message, ...facts } of [...codes.warnings, ...values.warnings]) {
      if (skips(input, facts.check as CheckName)) continue;
      context.reporter.warn('new-value', message, [{ path: field, ...facts }]);
    }
    return [];
  };
}

/** Recipients that are probably a slip of a user whom this machine knows. The API does not say what others are. */
function recipientSlips({ session }: Context, record: JsonObject): Refusal[] {
  const recipients = record.get('recipients');
  const fields = isObject(recipients) ? [...recipients] : [];
  const given = fields.flatMap(([name, list]) =>
    (Array.isArray(list) ? list : []).map((value) => ({ field: `recipients.${name}`, value })),
  );
  return given.flatMap(({ field, value }): Refusal[] => {
    if (typeof value !== 'string' || session.userName(value) !== undefined) return [];
    const meant = nearest(value, session.userIds(), 1);
    if (meant === undefined || differInDigits(value, meant)) return [];
    const name = session.userName(meant);
    const message = `${field}: unknown user "${sanitise(value)}" (did you mean ${meant}, ${name}?)`;
    return [{ field, value, suggestion: meant, check: 'user', message, rests: 'mistake' }];
  });
}
