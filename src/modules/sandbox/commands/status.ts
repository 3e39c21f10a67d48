import { type Resource, resourceNoun } from '../../../core/api/endpoints.ts';
import type { Command } from '../../../core/commands/command.ts';
import { rows } from '../../../core/commands/viewParts.ts';
import { fieldsOf, valueAt } from '../../../core/json/fields.ts';
import { ServiceRecord } from '../../../core/json/serviceRecord.ts';
import { fromPlain } from '../../../core/json/value.ts';
import { recordResult } from '../../../core/output/result.ts';
import type { CardTools, View } from '../../../core/output/viewType.ts';
import { plural } from '../../../core/values/numbers.ts';
import { sandboxStatus } from '../control/runningSandbox.ts';
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
          ['Service', 'service'],
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
