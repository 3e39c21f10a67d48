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

/** The file, or nothing, with the flags applied and then --set and --unset. */
async function readEvent(context: Context, request: BodyRequest): Promise<JsonObject> {
  const { endpoint, input } = request;
  const flags = readEventFlags(input);
  if (!flags) return readWholeBody(context, request);
  const file = stringOption(input, 'file');
  const event: JsonObject =
    file === undefined ? new Map() : await readRecord(file, context.streams.stdin);
  const edits = await readEdits(context, input);
  await applyFlags(context, event, flags);
  await edit(context, endpoint, event, edits);
  return event;
}

interface EventFlags {
  type?: string;
  files: readonly string[];
  workRequest?: string;
  users: readonly string[];
  groups: readonly string[];
}

/** Undefined if no flag is given. */
function readEventFlags(input: Input): EventFlags | undefined {
  const flags = {
    type: stringOption(input, 'type'),
    files: listOption(input, 'fileId'),
    workRequest: stringOption(input, 'workRequest'),
    users: listOption(input, 'notifyUser'),
    groups: listOption(input, 'notifyGroup'),
  };
  const { type, files, workRequest, users, groups } = flags;
  const texts = [type, workRequest, ...files, ...users, ...groups];
  if (texts.every((text) => text === undefined)) return undefined;
  if (texts.some((text) => text?.trim() === '')) {
    throw usageError('a type or an id is empty', 'nothing was sent');
  }
  return flags;
}

function listOption(input: Input, name: string): readonly string[] {
  const value = input.options[name];
  return Array.isArray(value) ? [...new Set<string>(value)] : [];
}

/** Sets what the flags say in the documented form, and keeps the other fields of the event. */
async function applyFlags(context: Context, event: JsonObject, flags: EventFlags): Promise<void> {
  const type = typeOf(event, flags);
  checkFlags(type, event, flags);
  event.set('type', type);
  if (flags.files.length > 0) event.set('files', [...flags.files]);
  if (flags.workRequest !== undefined) {
    const request = await readWorkRequest(context, flags.workRequest);
    for (const [field, value] of workRequestInEvent(request, flags.workRequest)) {
      event.set(field, value);
    }
  }
  const { users, groups } = flags;
  if (users.length === 0 && groups.length === 0) return;
  const before = event.get('notify');
  const notify: JsonObject = isObject(before) ? before : new Map();
  if (users.length > 0 || !notify.has('users')) notify.set('users', [...users]);
  if (groups.length > 0 || !notify.has('groups')) notify.set('groups', [...groups]);
  event.set('notify', notify);
}

function typeOf(event: JsonObject, flags: EventFlags): string {
  const own = event.get('type');
  if (flags.type !== undefined) return flags.type;
  if (typeof own === 'string') return own;
  return flags.workRequest === undefined && flags.users.length + flags.groups.length === 0
    ? 'fd'
    : 'wam';
}

/** Checks the flags of the documented types. */
function checkFlags(type: string, event: JsonObject, flags: EventFlags): void {
  const { files, workRequest, users, groups } = flags;
  if (type === 'fd') {
    const isWam = workRequest !== undefined || users.length > 0 || groups.length > 0;
    if (isWam) {
      throw usageError(
        'an event of type fd is about files: it has neither a work request nor anybody to notify',
        'use --type wam, or give --file-id alone',
      );
    }
    if (files.length === 0 && !event.has('files')) {
      throw usageError('an event of type fd is about files: name them with --file-id');
    }
  }
  if (type === 'wam' && workRequest === undefined && !event.has('workRequest')) {
    throw usageError(
      'an event of type wam is about a work request: name it with --work-request',
      'or give the event with -f FILE',
    );
  }
}

async function readWorkRequest(context: Context, id: string): Promise<JsonObject> {
  const client = await context.client();
  const { tree: record } = await client.call(endpoints.workRequestGet, { id, forWrite: true });
  if (isObject(record)) return record;
  throw new MarError('service', `the work request ${id} is not a record`);
}

/** Embedded records in a work request, but ids in the work request of an event. */
const references = ['project', 'asset', 'from', 'translation', 'graphicsTranslation'];
const projectFields = ['_id', 'name', 'slug'];

/** The fields of an event that come from its work request. */
function workRequestInEvent(request: JsonObject, id: string): JsonObject {
  const fields: JsonObject = new Map([['workRequest', embedded(request)]]);
  const project = request.get('project');
  if (isObject(project)) fields.set('projects', [only(project, projectFields)]);
  const asset = idOf(request.get('asset'));
  if (asset !== undefined) fields.set('assets', [asset]);
  const urls = request.get('urls');
  if (isObject(urls)) fields.set('urls', filled(urls, id));
  return fields;
}

/** Events hold references as ids, and recipients as a list. */
function embedded(request: JsonObject): JsonObject {
  const record = new Map(request);
  for (const field of references) {
    const id = idOf(record.get(field));
    if (id !== undefined) record.set(field, id);
  }
  const recipients = record.get('recipients');
  if (isObject(recipients)) record.set('recipients', everyRecipient(recipients));
  return record;
}

function idOf(reference: Json | undefined): Json | undefined {
  return isObject(reference) ? reference.get('_id') : reference;
}

function everyRecipient(recipients: JsonObject): Json[] {
  const all = [...recipients.values()].flatMap((some) => (Array.isArray(some) ? some : []));
  return [...new Map(all.map((one) => [printJson(one), one])).values()];
}

const only = (record: JsonObject, fields: readonly string[]): JsonObject =>
  new Map([...record].filter(([field]) => fields.includes(field)));

/** Fills in the id of the work request; a `:code` is unknown and stays. */
function filled(urls: JsonObject, id: string): JsonObject {
  const fill = (url: Json) =>
    typeof url === 'string' ? url.replace(/:workRequest\b/g, () => encodeURIComponent(id)) : url;
  return new Map([...urls].map(([page, url]) => [page, fill(url)]));
}
