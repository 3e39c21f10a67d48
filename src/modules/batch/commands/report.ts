import type { Command } from '../../../core/commands/command.ts';
import { webAddress } from '../../../core/commands/wr/webPage.ts';
import { orUndefined } from '../../../core/errors.ts';
import { valueAt } from '../../../core/json/fields.ts';
import type { Column, View } from '../../../core/output/viewType.ts';
import { pageTemplate } from '../../../core/session/remember.ts';
import { batchFile } from '../batchable.ts';
import { batchReport } from '../report/status.ts';

const state: Column = { title: 'State', path: 'state', importance: 4 };
const id: Column = { title: 'Id', path: 'id', kind: 'id' };
const message: Column = { title: 'Message', path: 'message', importance: 3 };
const view: View = {
  columns: [{ title: 'Row', path: 'row', kind: 'number' }, state, id, message],
};

export const command: Command = {
  isPaged: true,
  summary: 'List the rows of a batch, each with its state, id and message',
  details:
    'Reads the journals of the batch, of all shards together, and sends nothing. Works while the batch runs, and afterwards. ' +
    'A sheet (-O done.xlsx) has the columns of the input as they are there, then id, state, message and web page.',
  view,
  arguments: [batchFile],
  examples: {
    'List the rows of a batch': 'mar batch report requests.csv',
    'Write them to a file': 'mar batch report requests.csv -O report.csv',
    'Give the sheet of a producer back': 'mar batch report orders.xlsx -O done.xlsx',
    'Print the ids of the new records': "mar batch report requests.csv --jq '.id // empty'",
  },
  run(context, { arguments: [file = ''] }) {
    const page = orUndefined(() => pageTemplate(context.session));
    const read = (line: unknown) => webAddress({ _id: valueAt(line, 'id'), urls: { view: page } });
    const link: Column = { title: 'Web page', path: 'page', kind: 'link', read };
    return batchReport(context, file, view, [id, state, message, link]);
  },
};
