import type { Command } from '../command.ts';
import { list, listOptions } from '../read/list.ts';
import { assetView } from './view.ts';

export const command: Command = {
  name: 'workflow-notify',
  summary: 'List the assets that the workflow notification is about',
  endpoint: 'assetWorkflowNotify',
  options: listOptions,
  examples: [
    { does: 'The first ten', line: 'mar asset workflow-notify' },
    {
      does: 'All of them, one JSON record a line',
      line: 'mar asset workflow-notify --all --jsonl',
    },
  ],
  run: (context, input) =>
    list(context, { endpoint: 'assetWorkflowNotify', view: assetView, input }),
};
