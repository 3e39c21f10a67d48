import type { Context } from '../context.ts';
import type { JsonObject } from '../json/value.ts';
import { readRecord } from '../records/document.ts';
import { applyEdits } from '../records/edit.ts';
import { type Command, type Input, type Noun, textOption } from './command.ts';
import { type EventFlags, eventOptions, readEventFlags } from './event/eventFlags.ts';
import { bodyOptions, editsOf, readWholeBody, write } from './verbs/write.ts';
import { eventView } from './views/event.ts';

const put: Command = {
  name: 'put',
  summary: 'Write an event',
  details:
    'The file holds the whole event, with its _id. Flags build the types that are documented, fd and wam, ' +
    'or change the file; --set comes last. --work-request reads the record and puts it into the event as ' +
    'events carry it: references as ids, its project, its asset and its pages beside it.',
  endpoint: 'eventPut',
  options: [...eventOptions, ...bodyOptions],
  examples: [
    { does: 'From a file', line: 'mar event put -f event.json' },
    { does: 'Mark it as processed', line: 'mar event put -f event.json --set processed=true' },
    {
      does: 'Files were downloaded',
      line: 'mar event put --type fd --file-id f-1001-master --file-id f-1001-script --set _id=e-4003',
    },
    {
      does: 'A work request awaits materials',
      line: 'mar event put --type wam --work-request wr-2001 --notify-user u-tom --notify-group g-translators --set _id=e-4001',
    },
  ],
  async run(context, input) {
    const flags = readEventFlags(input);
    const body = flags ? await build(context, input, flags) : await readWholeBody(context, input);
    await write(context, 'eventPut', eventView, { body });
  },
};

/** The file, or nothing, with what the flags say, and with the changes to that. */
async function build(context: Context, input: Input, flags: EventFlags): Promise<JsonObject> {
  const file = textOption(input, 'file');
  const event: JsonObject =
    file === undefined ? new Map() : await readRecord(file, context.streams.stdin);
  const { buildEvent } = await import('./event/build.ts');
  await buildEvent(context, event, flags);
  applyEdits(event, editsOf(input));
  return event;
}

export const event: Noun = {
  commands: [put],
  view: eventView,
  examples: [
    { does: 'Write an event', line: 'mar event put -f event.json' },
    {
      does: 'Say that a work request awaits materials',
      line: 'mar event put --type wam --work-request wr-2001 --notify-user u-tom',
    },
  ],
};
