import { usageError } from '../../errors.ts';
import { type Input, type Option, optionKey, textOption } from '../command.ts';

/** The flags of a translation, and the fields they are for. */
const fields = [
  ['--work-request', 'workRequest'],
  ['--asset', 'asset'],
  ['--language', 'language'],
  ['--status', 'status'],
] as const;

const usualStatus = 'submitted';

/**
 * The flags as changes to the record, before those of `--set`. A translation that is made of flags is
 * submitted; one from a file has the status that stands in it.
 */
export function withSubmission(input: Input): Input {
  const given = fields.flatMap(([flag, field]) => {
    const value = textOption(input, field);
    // An empty variable of a script, most likely.
    if (value?.trim() === '') throw usageError(`${flag} is empty`);
    return value === undefined ? [] : [{ name: 'set-string', value: `${field}=${value}` }];
  });
  const needsStatus =
    given.length > 0 &&
    textOption(input, 'status') === undefined &&
    textOption(input, 'file') === undefined;
  if (needsStatus) given.push({ name: 'set-string', value: `status=${usualStatus}` });
  return { ...input, given: [...given, ...input.given] };
}

/** Who names limits believes that the lines are held to them. */
export function refuseWithoutCheck({ options }: Input, checking: readonly Option[]): void {
  if (options.check) return;
  const [given] = checking.filter(({ flags }) => options[optionKey(flags)] !== undefined);
  if (given) throw usageError(`${given.flags.split(' ')[0]} goes with --check`);
}
