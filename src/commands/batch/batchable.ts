import type { EndpointId } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { type Input, textOption } from '../command.ts';
import { batchOptions, isSwitch, nameOf } from './flags.ts';

/** Runs a batch if one was asked for, and says whether it was. */
export async function ranBatch(
  context: Context,
  input: Input,
  endpoint: EndpointId,
): Promise<boolean> {
  if (textOption(input, 'batch') === undefined) {
    refuseWithoutBatch(input);
    return false;
  }
  const { runBatch } = await import('./run.ts');
  await runBatch(context, input, endpoint);
  return true;
}

/** A flag for batches alone says that a batch was meant. */
function refuseWithoutBatch({ options }: Input): void {
  for (const { flags } of batchOptions.slice(1)) {
    const value = options[nameOf(flags)];
    // With a text it is a flag of the command's own, by the same name.
    if (value === undefined || (isSwitch(flags) && value !== true)) continue;
    throw usageError(`${flags.split(' ')[0]} goes with --batch FILE`);
  }
}

/** The id that a write needs when it is not one of many. */
export function neededId([id]: readonly string[]): string {
  if (id !== undefined) return id;
  throw usageError("missing required argument 'id'", 'only with --batch each row has its own _id');
}
