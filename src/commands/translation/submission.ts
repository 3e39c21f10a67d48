import { type Input, textOption } from '../command.ts';

/** The flags of a translation, and the fields they are for. */
const fields = [
  ['workRequest', 'workRequest'],
  ['asset', 'asset'],
  ['language', 'language'],
  ['status', 'status'],
] as const;

const usualStatus = 'submitted';

/**
 * The flags as changes to the record, before those of `--set`. A translation that is made of flags is
 * submitted; one from a file has the status that stands in it.
 */
export function withSubmission(input: Input): Input {
  const given = fields.flatMap(([option, field]) => {
    const value = textOption(input, option);
    return value === undefined ? [] : [{ name: 'set-string', value: `${field}=${value}` }];
  });
  const needsStatus =
    given.length > 0 &&
    textOption(input, 'status') === undefined &&
    textOption(input, 'file') === undefined;
  if (needsStatus) given.push({ name: 'set-string', value: `status=${usualStatus}` });
  return { ...input, given: [...given, ...input.given] };
}
