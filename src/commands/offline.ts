import type { Command, Noun } from './command.ts';
import { batchOptions, neededId, ranBatch } from './verbs/batchOptions.ts';
import { bodyOptions, readWholeBody, write } from './verbs/write.ts';
import { offlineView } from './views/offline.ts';

const put: Command = {
  name: 'put',
  summary: 'Write an offline file of a work request',
  endpoint: 'offlinePut',
  arguments: [{ name: 'id', summary: 'the offline file', completes: 'id', optional: true }],
  options: [...bodyOptions, ...batchOptions],
  examples: [
    { does: 'From a file', line: 'mar offline put o-6001 -f offline.json' },
    { does: 'From standard input', line: 'jq .offline all.json | mar offline put o-6001 -f -' },
  ],
  async run(context, input) {
    if (await ranBatch(context, input, 'offlinePut', 'offline put')) return;
    const id = neededId(input.arguments);
    const body = await readWholeBody(context, input);
    await write(context, 'offlinePut', offlineView, { id, body });
  },
};

export const offline: Noun = {
  commands: [put],
  view: offlineView,
  examples: [{ does: 'Write an offline file', line: 'mar offline put o-6001 -f offline.json' }],
};
