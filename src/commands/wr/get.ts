import type { Command } from '../command.ts';
import { get, idsArgument } from '../read/get.ts';
import { workRequestView } from './view.ts';

export const command: Command = {
  name: 'get',
  isPaged: true,
  summary: 'Show work requests',
  endpoint: 'workRequestGet',
  view: workRequestView,
  arguments: [idsArgument],
  examples: [
    { does: 'Show one work request', line: 'mar wr get wr-2001' },
    { does: 'Show several as a table', line: 'mar wr get wr-2001 wr-2002 wr-2003' },
    { does: 'Read ids from a file', line: 'mar wr get - --jsonl < ids.txt' },
  ],
  run: (context, input) =>
    get(context, { endpoint: 'workRequestGet', view: workRequestView, input }),
};
