import type { Command, Noun } from './command.ts';
import { batchOptions, ranBatch } from './verbs/batchOptions.ts';
import { get, idsArgument } from './verbs/get.ts';
import { bodyOptions, readBody, write } from './verbs/write.ts';
import { workRequestView } from './views/workRequest.ts';

const getWorkRequest: Command = {
  name: 'get',
  summary: 'Show work requests',
  endpoint: 'workRequestGet',
  arguments: [idsArgument],
  examples: [
    { does: 'One work request, as a card', line: 'mar wr get wr-2001' },
    { does: 'Several, as a table', line: 'mar wr get wr-2001 wr-2002 wr-2003' },
    { does: 'Ids from a file', line: 'mar wr get - --jsonl < ids.txt' },
  ],
  run: (context, input) => get(context, 'workRequestGet', workRequestView, input),
};

const createWorkRequest: Command = {
  name: 'create',
  summary: 'Create a work request',
  endpoint: 'workRequestCreate',
  options: [...bodyOptions, ...batchOptions],
  examples: [
    {
      does: 'From fields',
      line: 'mar wr create --set asset=a-1001 --set language=fra --set territory=FR',
    },
    {
      does: 'From a file, with one field changed',
      line: 'mar wr create -f request.yaml --set due.tz=Europe/Paris',
    },
    { does: 'Keep the new id', line: 'id=$(mar wr create -f request.yaml --jq ._id)' },
  ],
  async run(context, input) {
    if (await ranBatch(context, input, 'workRequestCreate', 'wr create')) return;
    const body = await readBody(context, input);
    await write(context, 'workRequestCreate', workRequestView, { body });
  },
};

export const wr: Noun = {
  commands: [getWorkRequest, createWorkRequest],
  view: workRequestView,
  examples: [
    { does: 'Where does a request stand?', line: 'mar wr get wr-2001' },
    {
      does: 'Ask for a French version',
      line: 'mar wr create --set asset=a-1001 --set language=fra',
    },
  ],
};
