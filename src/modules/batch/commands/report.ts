import type { Command } from '../../../core/commands/command.ts';
import { batchFile } from '../batchable.ts';
import { readBatch, reportView, rowsReport } from '../report/status.ts';

export const command: Command = {
  isPaged: true,
  summary: 'List the rows of a batch, each with its state, id and message',
  details:
    'Reads the journals of the batch, also while it runs, and sends nothing. If the input is a table and still there, a CSV, TSV or xlsx file of -O has its columns, then id, state, message and, for orders, web page.',
  view: reportView,
  arguments: [batchFile],
  examples: {
    'List the rows of a batch': 'mar batch report requests.csv',
    'Write them to a file': 'mar batch report requests.csv -O report.csv',
    'Give the sheet of a producer back': 'mar batch report orders.xlsx -O done.xlsx',
    'Print the ids of the records': "mar batch report requests.csv --jq '.id // empty'",
  },
  async *run(context, { arguments: [file = ''] }) {
    const { journals } = await readBatch(context, file);
    yield* rowsReport(context, journals);
  },
};
