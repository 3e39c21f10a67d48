import { stat } from 'node:fs/promises';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { plural } from '../values/numbers.ts';
import type { Input, Option } from './command.ts';

/** For commands that write the file that `-O` names. */
export const overwriteFileOption: Option = {
  flags: '--overwrite',
  summary: 'replace an existing file without asking',
};

/** True for a file with content to lose, unlike a device or a pipe. */
export const isProtected = async ({ options }: Input, file: string): Promise<boolean> =>
  !options.overwrite && (await stat(file).catch(() => undefined))?.isFile() === true;

/** Asks before these files are replaced. Without a terminal, this needs --overwrite. */
export async function confirmOverwrite(
  context: Context,
  [first = '', ...others]: readonly string[],
): Promise<void> {
  const isOne = others.length === 0;
  const problem = isOne
    ? `${first} exists already`
    : `${first} and ${plural(others.length, 'more file')} exist already`;
  const them = isOne ? 'it' : 'them';
  if (!context.isInteractive) throw usageError(problem, `Use --overwrite to replace ${them}.`);
  await context.confirm(`${problem}. Replace ${them}?`, 'Nothing was replaced.');
}
