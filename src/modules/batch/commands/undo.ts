import type { Command } from '../../../core/commands/command.ts';
import { dryRunOption, yesOption } from '../../../core/writes/body.ts';
import { overwriteOption } from '../../../core/writes/putRecord.ts';
import { batchFile, undoOptions } from '../batchable.ts';
import { runBatch } from '../run.ts';

export const command: Command = {
  summary: 'Write back the values that a batch of changes replaced',
  details:
    'For mar asset put --batch and mar user put --batch, whose journals have the replaced values. Fields that were changed since are not overwritten, unless you give --force. An undo is a batch itself: it resumes, and can be undone. Other batches cannot be undone.',
  arguments: [batchFile],
  options: [
    { ...dryRunOption, summary: 'show the changes and write nothing' },
    yesOption,
    { ...overwriteOption, summary: 'overwrite fields that were changed since' },
    ...undoOptions,
  ],
  examples: {
    'Show what would change': 'mar batch undo assets.csv --dry-run',
    'Take back what a batch wrote': 'mar batch undo assets.csv',
    'Undo the undo': 'mar batch undo assets.csv.undo.mar-journal',
  },
  run: (context, input) => {
    const [undo] = input.arguments;
    return runBatch(context, { input, endpointId: 'assetPut', words: 'batch undo', undo });
  },
};
