import type { Command } from '../../core/commands/command.ts';
import { option, stringOption } from '../../core/input.ts';
import { distinctIds } from '../../core/reads/getRecords.ts';
import { follow } from '../../core/session/follow.ts';
import { batchKey } from '../../core/session/tracked.ts';

/** `mar wr track` for what a batch has created. */
export const withBatchFile = (command: Command): Command => ({
  ...command,
  options: [
    ...(command.options ?? []),
    option('--batch <file>', 'track what wr create --batch FILE has created, from its journal', {
      completes: 'file',
    }),
  ],
  examples: {
    ...command.examples,
    'Track what a batch created on another machine': 'mar wr track --batch rows.csv',
  },
  async *run(context, input, program) {
    const batch = stringOption(input, 'batch');
    if (batch === undefined) return yield* command.run(context, input, program);
    const named = await distinctIds(context, input);
    const { createdIds } = await import('./report/status.ts');
    const created = new Set(await createdIds(context, batch, 'workRequestCreate'));
    const ids = [...new Set([...named, ...created])];
    yield* follow(context, ids, (id) => (created.has(id) ? batchKey(batch) : ''));
  },
});
