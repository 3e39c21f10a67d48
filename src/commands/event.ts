import type { Command, Noun } from './command.ts';
import { batchOptions } from './verbs/batchOptions.ts';
import { replace, replaceOptions } from './verbs/write.ts';
import { eventView } from './views/event.ts';

const put: Command = {
  name: 'put',
  summary: 'Write an event',
  details: 'The file holds the whole event, with its _id.',
  endpoint: 'eventPut',
  options: [...replaceOptions, ...batchOptions],
  examples: [
    { does: 'From a file', line: 'mar event put -f event.json' },
    { does: 'Mark it as processed', line: 'mar event put -f event.json --set processed=true' },
  ],
  run: (context, input) => replace(context, input, 'eventPut', eventView),
};

export const event: Noun = {
  commands: [put],
  view: eventView,
  examples: [{ does: 'Write an event', line: 'mar event put -f event.json' }],
};
