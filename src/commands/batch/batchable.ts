import { usageError } from '../../errors.ts';
import { type Command, type Input, textOption } from '../command.ts';
import { batchOptions, isSwitch, nameOf } from './flags.ts';

/** Adds --batch to a command that writes one record. */
export function batchable(command: Command): Command {
  const { endpoint, options = [] } = command;
  if (endpoint === undefined) throw new Error(`${command.name} has no endpoint for a batch`);
  const own = new Set(options.map(({ flags }) => nameOf(flags)));
  return {
    ...command,
    options: [...options, ...batchOptions.filter(({ flags }) => !own.has(nameOf(flags)))],
    async run(context, input) {
      if (textOption(input, 'batch') === undefined) {
        refuseWithoutBatch(input);
        return command.run(context, input);
      }
      const { runBatch } = await import('./run.ts');
      await runBatch(context, input, endpoint);
    },
  };
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
