import type { Context } from '../context.ts';
import type { JsonObject } from '../json/value.ts';
import { readRecord } from '../records/document.ts';
import { batchable } from './batch/batchable.ts';
import { type Command, type Input, type Noun, textOption } from './command.ts';
import { eventOptions, readEventFlags } from './event/build.ts';
import { eventView } from './event/view.ts';
import { readEdits } from './write/body.ts';
import { edit, readWholeBody, replace, replaceOptions } from './write/write.ts';

const put: Command = batchable({
  name: 'put',
  summary: 'Write an event',
  details:
    'The file holds the whole event, with its _id. Flags build the types that are documented, fd and wam, ' +
    'or change the file; --set comes last. --work-request reads the record and puts it into the event as ' +
    'events carry it: references as ids, its project, its asset and its pages beside it.',
  endpoint: 'eventPut',
  options: [...eventOptions, ...replaceOptions],
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
  run: (context, input) => replace(context, input, 'eventPut', eventView, readEvent),
});

/** The file; where there are flags, the file or nothing with what they say, and the changes to that. */
async function readEvent(context: Context, input: Input): Promise<JsonObject> {
  const flags = readEventFlags(input);
  if (!flags) return readWholeBody(context, input, 'eventPut');
  const file = textOption(input, 'file');
  const event: JsonObject =
    file === undefined ? new Map() : await readRecord(file, context.streams.stdin);
  const edits = await readEdits(context, input);
  const { buildEvent } = await import('./event/build.ts');
  await buildEvent(context, event, flags);
  await edit(context, 'eventPut', event, edits);
  return event;
}

export const event: Noun = {
  commands: [put],
  view: eventView,
  examples: [
    { does: 'Write an event', line: 'mar event put -f event.json' },
    {
      does: 'Say that a work request awaits materials',
      line: 'mar event put --type wam --work-request wr-2001 --notify-user u-tom --set _id=e-4001',
    },
  ],
};
