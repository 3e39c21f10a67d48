import { createdIds } from '../../batch/index.ts';
import { option, stringOption } from '../../input.ts';
import { distinctIds } from '../../reads/get.ts';
import { follow } from '../../session/follow.ts';
import { batchKey } from '../../session/tracked.ts';
import type { Command } from '../command.ts';

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
    const created = new Set(await createdIds(context, batch, 'workRequestCreate'));
    const ids = [...new Set([...named, ...created])];
    yield* follow(context, ids, (id) => (created.has(id) ? batchKey(batch) : ''));
  },
});
