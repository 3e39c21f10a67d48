import { get, idsArgument } from '../../reads/getRecords.ts';
import type { Command } from '../command.ts';
import { workRequestView } from './view.ts';

export const command: Command = {
  isPaged: true,
  summary: 'Show work requests',
  endpoint: 'workRequestGet',
  view: workRequestView,
  arguments: [idsArgument],
  examples: {
    'Show one work request': 'mar wr get wr-2001',
    'Show several as a table': 'mar wr get wr-2001 wr-2002 wr-2003',
    'Read ids from a file': 'mar wr get - --jsonl < ids.txt',
  },
  run: (context, input) =>
    get(context, { endpoint: 'workRequestGet', view: workRequestView, input }),
};
