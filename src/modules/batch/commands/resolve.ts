import type { Command } from '../../../core/commands/command.ts';
import { missingArgument } from '../../../core/input.ts';
import { batchFile } from '../batchable.ts';
import { resolveBatch } from '../resolve.ts';

export const command: Command = {
  summary: 'Say what happened to rows whose outcome is unknown',
  details:
    'A row that was sent and got no response may have arrived, so it is not sent again by itself. Look for its record in the service, then decide: created if it is there, retry if it is not. Nothing is sent; to send the pending rows, run the command of the batch again. Row numbers are those that the last run and mar batch status print.',
  arguments: [
    batchFile,
    {
      name: 'row=outcome',
      summary:
        'for row 17: 17=created (it was written), 17=created:ID or 17=retry; without it, mar shows the rows to decide about',
      optional: true,
      many: true,
    },
  ],
  examples: {
    'Show the rows to decide about': 'mar batch resolve requests.csv',
    'Decide about two rows': 'mar batch resolve requests.csv 17=created:wr-9 18=retry',
  },
  async *run(context, input) {
    if (input.arguments.length === 0) throw missingArgument('file', 'batch resolve');
    yield* resolveBatch(context, input);
  },
};
