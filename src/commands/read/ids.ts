import type { Resource } from '../../api/endpoints.ts';
import { mayBeAddress } from '../../client/recordAddress.ts';
import { resourceNoun } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import type { MarError } from '../../errors.ts';
import { type Command, type Input, idResource, missingArgument } from '../command.ts';
import { recentIds } from './remember.ts';

interface CommandLine {
  /** `wr get` */
  path: string;
  command: Command;
  input: Input;
}

/**
 * Replaces each id of the command line that is a web address or a value of `$links`, and offers the
 * recently used ids in place of a missing one. Most lines need neither, and load nothing.
 */
export async function readIds(context: Context, line: CommandLine): Promise<Input> {
  const { command, path } = line;
  const needsReading =
    line.input.arguments.some(mayBeAddress) ||
    line.input.given.some((one) => mayBeAddress(one.value));
  const input = needsReading
    ? (await import('./idAddresses.ts')).withPlainIds(context, command, line.input)
    : line.input;
  const found = [...input.arguments];
  for (const argument of (command.arguments ?? []).slice(found.length)) {
    const resource = idResource(argument, command);
    if (argument.optional || resource === undefined) break;
    found.push(await offerId(context, resource, missingArgument(argument.name, path)));
  }
  return { ...input, arguments: found };
}

/** Lets the user pick a recently used id on a terminal; otherwise throws `missing`. */
export async function offerId(
  context: Context,
  resource: Resource | 'any',
  missing: MarError,
): Promise<string> {
  if (!context.isInteractive || resource === 'any') throw missing;
  const choices = recentIds(context, resource).map(({ id, name }) => ({ value: id, name }));
  if (choices.length === 0) throw missing;
  const { pick } = await import('../../terminal/pick.ts');
  return pick(`Which ${resourceNoun(resource)}? Recently used:`, choices, context.world);
}
