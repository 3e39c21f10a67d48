import { type Resource, resourceNoun } from '../../api/endpoints.ts';
import { fieldsOf, valueAt } from '../../json/fields.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { fromPlain } from '../../json/value.ts';
import { recordResult } from '../../output/result.ts';
import type { CardTools, View } from '../../output/view.ts';
import { sandboxStatus } from '../../sandbox/index.ts';
import { plural } from '../../values/numbers.ts';
import type { Command } from '../command.ts';
import { rows } from '../viewParts.ts';
import { dataFolderOf, dataOption } from './dataFolder.ts';

export const command: Command = {
  summary: 'Show whether the sandbox is running, and what is in it',
  options: [dataOption],
  examples: {
    'Show the status': 'mar sandbox status',
    'Print its address': 'mar sandbox status --jq .baseUrl',
  },
  async *run({ session }, input) {
    const status = await sandboxStatus(dataFolderOf(session, input));
    yield recordResult(ServiceRecord.fromTree(fromPlain(status)), view);
  },
};

const view: View = {
  columns: [],
  card: (record, show) => ({
    title: valueAt(record, 'running') ? 'The sandbox is running' : 'The sandbox is not running',
    sections: [
      {
        rows: rows(record, show, [
          ['Base URL', 'baseUrl'],
          ['Account', 'email'],
          ['Process', 'pid'],
          ['Data', 'dataDir'],
          ['Records', recordCounts],
        ]),
      },
      {
        heading: 'Ids to try',
        rows: rows(record, show, [
          ['Work requests', 'examples.WorkRequest'],
          ['Assets', 'examples.Asset'],
          ['Notifications', 'examples.Notification'],
        ]),
      },
    ],
  }),
};

const recordCounts = (record: unknown, show: CardTools) =>
  (fieldsOf(valueAt(record, 'records')) ?? [])
    .map(([kind, count]) => plural(Number(show.cell(count)), resourceNoun(kind as Resource)))
    .join(', ') || 'none yet';
