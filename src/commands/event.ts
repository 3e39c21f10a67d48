import type { Command, Noun } from './command.ts';
import { batchOptions, ranBatch } from './verbs/batchOptions.ts';
import { bodyOptions, readWholeBody, write } from './verbs/write.ts';
import { eventView } from './views/event.ts';

const put: Command = {
  name: 'put',
  summary: 'Write an event',
  details: 'The file holds the whole event, with its _id.',
  endpoint: 'eventPut',
  options: [...bodyOptions, ...batchOptions],
  examples: [
    { does: 'From a file', line: 'mar event put -f event.json' },
    { does: 'Mark it as processed', line: 'mar event put -f event.json --set processed=true' },
  ],
  async run(context, input) {
    if (await ranBatch(context, input, 'eventPut', 'event put')) return;
    const body = await readWholeBody(context, input);
    await write(context, 'eventPut', eventView, { body });
  },
};

export const event: Noun = {
  commands: [put],
  view: eventView,
  examples: [{ does: 'Write an event', line: 'mar event put -f event.json' }],
};
