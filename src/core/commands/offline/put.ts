import { put, putOptions } from '../../writes/write.ts';
import type { Command } from '../command.ts';
import { offlineView } from './view.ts';

export const command: Command = {
  summary: 'Write the record of an offline file',
  details:
    'Offline files belong to work requests. With --batch, each row has its _id. Give the whole record: mar cannot read it first, and the service may drop the fields that you leave out.',
  endpoint: 'offlinePut',
  view: offlineView,
  arguments: [{ name: 'id', summary: 'offline file id', completes: 'id', optional: true }],
  options: putOptions('path=/cuts/v2.mov'),
  examples: {
    'Write the record of an offline file from a file': 'mar offline put o-6001 -f offline.json',
    'Read it from standard input': 'jq .offline all.json | mar offline put o-6001 -f -',
  },
  run: (context, input) => put(context, { endpoint: 'offlinePut', view: offlineView, input }),
};
