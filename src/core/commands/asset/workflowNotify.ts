import { listOptions } from '../../reads/listRecords.ts';
import { list } from '../../reads/select.ts';
import type { Command } from '../command.ts';
import { assetView } from './view.ts';

export const command: Command = {
  isPaged: true,
  summary: 'List the assets that the service returns for workflow notification',
  endpoint: 'assetWorkflowNotify',
  options: listOptions,
  examples: {
    'Show the first ten assets': 'mar asset workflow-notify',
    'Print all, one JSON record per line': 'mar asset workflow-notify --all --jsonl',
  },
  run: (context, input) =>
    list(context, { endpoint: 'assetWorkflowNotify', view: assetView, input }),
};
