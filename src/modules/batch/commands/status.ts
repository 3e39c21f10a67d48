import type { Command } from '../../../core/commands/command.ts';
import { batchFile } from '../batchable.ts';
import { batchStatus } from '../report/status.ts';

export const command: Command = {
  summary: 'Show how far a batch is',
  details:
    'Reads the journals of the batch, of all shards together unless you name one of them, and sends nothing. mar batch report lists all rows.',
  arguments: [batchFile],
  examples: {
    'Show how far a batch is': 'mar batch status requests.csv',
    'Show one of its shards': 'mar batch status requests.csv.2-of-4.mar-journal',
  },
  run: (context, { arguments: [file = ''] }) => batchStatus(context, file),
};
