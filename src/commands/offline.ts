import { batchable } from './batch/batchable.ts';
import type { Command, Noun } from './command.ts';
import { offlineView } from './offline/view.ts';
import { replace, replaceOptions } from './write/write.ts';

const put: Command = batchable({
  name: 'put',
  summary: 'Write an offline file of a work request',
  endpoint: 'offlinePut',
  arguments: [{ name: 'id', summary: 'the offline file', completes: 'id', optional: true }],
  options: replaceOptions,
  examples: [
    { does: 'From a file', line: 'mar offline put o-6001 -f offline.json' },
    { does: 'From standard input', line: 'jq .offline all.json | mar offline put o-6001 -f -' },
  ],
  run: (context, input) => replace(context, input, 'offlinePut', offlineView),
});

export const offline: Noun = {
  commands: [put],
  view: offlineView,
  examples: [{ does: 'Write an offline file', line: 'mar offline put o-6001 -f offline.json' }],
};
