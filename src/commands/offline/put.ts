import { batchable } from '../batch/batchable.ts';
import { put, putOptions } from '../write/write.ts';
import { offlineView } from './view.ts';

export const command = batchable({
  name: 'put',
  summary: 'Write an offline file of a work request',
  endpoint: 'offlinePut',
  view: offlineView,
  arguments: [{ name: 'id', summary: 'the offline file', completes: 'id', optional: true }],
  options: putOptions('path=/cuts/v2.mov'),
  examples: [
    { does: 'From a file', line: 'mar offline put o-6001 -f offline.json' },
    { does: 'From standard input', line: 'jq .offline all.json | mar offline put o-6001 -f -' },
  ],
  run: (context, input) => put(context, { endpoint: 'offlinePut', view: offlineView, input }),
});
