import { endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { isObject, type Json, type JsonObject, printJson } from '../../json/value.ts';
import { readRecord } from '../../records/document.ts';
import { batchable } from '../batch/batchable.ts';
import { type Input, type Option, stringOption } from '../command.ts';
import { type BodyRequest, edit, readEdits, readWholeBody } from '../write/body.ts';
import { replace, replaceOptions } from '../write/write.ts';
import { eventView } from './view.ts';

const eventOptions: readonly Option[] = [
  {
    flags: '--type <type>',
    summary: 'the type: fd (files), wam (a work request awaits materials), or another',
    default: 'by the other flags',
    completes: [
      { value: 'fd', summary: 'files were downloaded' },
      { value: 'wam', summary: 'a work request awaits materials' },
    ],
  },
  {
    flags: '--file-id <id>',
    summary: 'a file that it is about',
    many: true,
    completes: { idOf: 'File' },
  },
  {
    flags: '--work-request <id>',
    summary: 'the work request that it is about, read and put into the event',
    completes: { idOf: 'WorkRequest' },
  },
  {
    flags: '--notify-user <id>',
    summary: 'a user to be told',
    many: true,
    completes: { idOf: 'User' },
  },
  { flags: '--notify-group <id>', summary: 'a group to be told', many: true },
];

export const command = batchable({
  name: 'put',
  summary: 'Write an event',
  details:
    'The file holds the whole event, with its _id. Flags build the types that are documented, fd and wam, ' +
    'or change the file; --set comes last. --work-request reads the record and puts it into the event as ' +
    'events carry it: references as ids, its project, its asset and its pages beside it.',
  endpoint: 'eventPut',
  view: eventView,
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
  run: (context, input) =>
    replace(context, { endpoint: 'eventPut', view: eventView, input }, readEvent),
});

async function readEvent(context: Context, request: BodyRequest): Promise<JsonObject> {
  const { endpoint, input } = request;
  const flags = readEventFlags(input);
  if (!flags) return readWholeBody(context, request);
  const file = stringOption(input, 'file');
  const event: JsonObject =
    file === undefined ? new Map() : await readRecord(file, context.streams.stdin);
  const edits = await readEdits(context, input);
  await applyFlags(context, event, flags);
  return edit(context, endpoint, event, edits);
}

interface EventFlags {
  type?: string;
  files: string[];
  workRequest?: string;
  users: string[];
  groups: string[];
}

function readEventFlags(input: Input): EventFlags | undefined {
  const flags = {
    type: stringOption(input, 'type'),
    files: listOption(input, 'fileId'),
    workRequest: stringOption(input, 'workRequest'),
    users: listOption(input, 'notifyUser'),
    groups: listOption(input, 'notifyGroup'),
  };
  const texts = Object.values(flags).flat();
  if (texts.every((text) => text === undefined)) return undefined;
  if (texts.some((text) => text?.trim() === '')) {
    throw usageError('a type or an id is empty', 'nothing was sent');
  }
  return flags;
}

function listOption(input: Input, name: string): string[] {
  const value = input.options[name];
  return Array.isArray(value) ? [...new Set<string>(value)] : [];
}

/** Sets what the flags say in the documented form, and keeps the other fields of the event. */
async function applyFlags(context: Context, event: JsonObject, flags: EventFlags): Promise<void> {
  const type = typeOf(event, flags);
  checkFlags(type, event, flags);
  event.set('type', type);
  const { files, workRequest, users, groups } = flags;
  if (files.length > 0) event.set('files', files);
  if (workRequest !== undefined) await embedWorkRequest(context, event, workRequest);
  if (users.length === 0 && groups.length === 0) return;
  const before = event.get('notify');
  const notify: JsonObject = isObject(before) ? before : new Map();
  if (users.length > 0 || !notify.has('users')) notify.set('users', users);
  if (groups.length > 0 || !notify.has('groups')) notify.set('groups', groups);
  event.set('notify', notify);
}

function typeOf(event: JsonObject, flags: EventFlags): string {
  const own = event.get('type');
  if (flags.type !== undefined) return flags.type;
  if (typeof own === 'string') return own;
  return isAwaiting(flags) ? 'wam' : 'fd';
}

const isAwaiting = ({ workRequest, users, groups }: EventFlags) =>
  workRequest !== undefined || users.length > 0 || groups.length > 0;

function checkFlags(type: string, event: JsonObject, flags: EventFlags): void {
  if (type === 'fd' && isAwaiting(flags)) {
    throw usageError(
      'an event of type fd is about files: it has neither a work request nor anybody to notify',
      'use --type wam, or give --file-id alone',
    );
  }
  if (type === 'fd' && flags.files.length === 0 && !event.has('files')) {
    throw usageError('an event of type fd is about files: name them with --file-id');
  }
  if (type === 'wam' && flags.workRequest === undefined && !event.has('workRequest')) {
    throw usageError(
      'an event of type wam is about a work request: name it with --work-request',
      'or give the event with -f FILE',
    );
  }
}

/** Embedded records in a work request, but ids in the work request of an event. */
const references = ['project', 'asset', 'from', 'translation', 'graphicsTranslation'];
const projectFields = ['_id', 'name', 'slug'];

async function embedWorkRequest(context: Context, event: JsonObject, id: string): Promise<void> {
  const client = await context.client();
  const { tree } = await client.call(endpoints.workRequestGet, { id, forWrite: true });
  if (!isObject(tree)) throw new MarError('service', `the work request ${id} is not a record`);
  event.set('workRequest', embedded(tree));
  const project = tree.get('project');
  if (isObject(project)) {
    const fields = [...project].filter(([field]) => projectFields.includes(field));
    event.set('projects', [new Map(fields)]);
  }
  const asset = idOf(tree.get('asset'));
  if (asset !== undefined) event.set('assets', [asset]);
  const urls = tree.get('urls');
  if (isObject(urls)) event.set('urls', filled(urls, id));
}

/** Events hold references as ids, and recipients as a list. */
function embedded(request: JsonObject): JsonObject {
  const record = new Map(request);
  for (const field of references) {
    const id = idOf(record.get(field));
    if (id !== undefined) record.set(field, id);
  }
  const recipients = record.get('recipients');
  if (isObject(recipients)) {
    const all = [...recipients.values()].flatMap((some) => (Array.isArray(some) ? some : []));
    const distinct = new Map(all.map((one) => [printJson(one), one]));
    record.set('recipients', [...distinct.values()]);
  }
  return record;
}

const idOf = (reference: Json | undefined) =>
  isObject(reference) ? reference.get('_id') : reference;

/** Fills in the id of the work request; a `:code` is unknown and stays. */
function filled(urls: JsonObject, id: string): JsonObject {
  const fill = (url: Json) =>
    typeof url === 'string' ? url.replace(/:workRequest\b/g, () => encodeURIComponent(id)) : url;
  return new Map([...urls].map(([page, url]) => [page, fill(url)]));
}
