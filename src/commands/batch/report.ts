import { batchReport } from '../../batch/index.ts';
import type { View } from '../../output/view.ts';
import { batchFile } from '../batchable.ts';
import type { Command } from '../command.ts';

const view: View = {
  columns: [
    { title: 'Row', path: 'row', kind: 'number' },
    { title: 'State', path: 'state', importance: 4 },
    { title: 'Id', path: 'id', kind: 'id' },
    { title: 'Message', path: 'message', importance: 3 },
  ],
};

export const command: Command = {
  name: 'report',
  isPaged: true,
  summary: 'List the rows of a batch, each with its state, id and message',
  details:
    'Reads the journals of the batch, of all shards together, and sends nothing. Works while the batch runs, and afterwards.',
  view,
  arguments: [batchFile],
  examples: {
    'List the rows of a batch': 'mar batch report requests.csv',
    'Write them to a file': 'mar batch report requests.csv -O report.csv',
    'Print the ids of the new records': "mar batch report requests.csv --jq '.id // empty'",
  },
  run: (context, { arguments: [file = ''] }) => batchReport(context, file, view),
};
