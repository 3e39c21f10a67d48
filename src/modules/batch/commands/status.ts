import type { Command } from '../../../core/commands/command.ts';
import { batchFile } from '../batchable.ts';
import { batchStatus } from '../report/status.ts';

export const command: Command = {
  summary: 'Show how far a batch is',
  details:
    'Reads the journals of the batch, of all shards together, and sends nothing. Rows that are not done are ' +
    'named, up to 20 of each state; mar batch report lists them all. With --json, results has each row.',
  arguments: [batchFile],
  examples: {
    'Show how far a batch is': 'mar batch status requests.csv',
    'Show one of its shards': 'mar batch status requests.csv.2-of-4.mar-journal',
  },
  run: (context, { arguments: [file = ''] }) => batchStatus(context, file),
};
