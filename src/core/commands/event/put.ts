import { endpoints } from '../../api/endpoints.ts';
import { assumptionHint } from '../../api/service.ts';
import { onCommandLine, usageError } from '../../errors.ts';
import { type Input, option, stringOption } from '../../input.ts';
import { textAt } from '../../json/fields.ts';
import { isObject, type Json, type JsonObject, printJson } from '../../json/value.ts';
import { idOf } from '../../records/references.ts';
import type { Context } from '../../session/context.ts';
import { readVersion } from '../../writes/apply.ts';
import { type BodyRequest, edit, readBody, readEdits, readWholeBody } from '../../writes/body.ts';
import { skipHint, skips } from '../../writes/checks.ts';
import { withFieldFlags } from '../../writes/fieldFlags.ts';
import { findPeople, type People } from '../../writes/people.ts';
import { orderOptions } from '../../writes/placedBefore.ts';
import { refuse } from '../../writes/refuseMistakes.ts';
import { put, putOptions } from '../../writes/write.ts';
import type { Command } from '../command.ts';
import { eventView } from './view.ts';

/** Without them, it would be an event about a work request that nobody named. */
const recordOfNotice = '--work-request, --file or --type';

export const command: Command = {
  summary: 'Write an event, which may notify people',
  details:
    'Give the whole event in a file, with its _id if it has one, or build an event with flags such as --type. Flags also change the event in a file; --set is applied last.',
  endpoint: 'eventPut',
  view: eventView,
  options: [
    option('--type <type>', 'fd (files), wam (a work request awaits materials) or another type', {
      default: 'depends on the file and the other flags',
      completes: { valueNamed: 'event-type' },
    }),
    option('--file-id <id>', 'file of the event', { many: true, completes: { idOf: 'File' } }),
    option('--work-request <id>', 'work request of the event; mar reads it and includes it', {
      completes: { idOf: 'WorkRequest' },
    }),
    option('--notify-user <user>', 'user to notify: an id, an e-mail or a whole name', {
      many: true,
      needs: recordOfNotice,
      completes: { idOf: 'User' },
    }),
    option('--notify-group <id>', 'group to notify', { many: true, needs: recordOfNotice }),
    ...putOptions('processed=true'),
    ...orderOptions,
  ],
  examples: {
    'Write an event from a file': 'mar event put -f event.json',
    'Write it once more, as processed': 'mar event put -f event.json --set processed=true --again',
    'Notify about files': 'mar event put --type fd --file-id f-1001-master --file-id f-1001-script',
    'Notify a user that a work request awaits materials':
      "mar event put --work-request wr-2002 --notify-user 'Greta Vogel'",
  },
  async *run(context, input) {
    yield* put(context, { endpoint: 'eventPut', view: eventView, input }, readEvent);
    if (input.options.dryRun) return;
    context.reporter.reportAtEnd('The service has the event. mar cannot see when people are told.');
  },
};

async function readEvent(context: Context, request: BodyRequest): Promise<JsonObject> {
  const people = skips(request.input, 'user') ? undefined : findPeople(context);
  const { type, fileId, workRequest, notifyUser, notifyGroup } = request.input.options;
  const texts = [type, fileId, workRequest, notifyUser, notifyGroup].flat();
  if (texts.some((text) => typeof text === 'string' && text.trim() === '')) {
    const problem = '--type, --work-request and the flags with ids must not be empty';
    throw usageError(problem, 'Nothing was sent.');
  }
  const event = texts.some((text) => text !== undefined)
    ? await withFlags(context, request, people)
    : await readWholeBody(context, request, '-f FILE, or flags such as --work-request');
  await checkEvent(context, event, people);
  return event;
}

async function checkEvent(context: Context, event: JsonObject, people: People | undefined) {
  if (people) refuse(await people.problemsWith(event), skipHint('user'));
  const service = context.session.service();
  const [type, status] = [textAt(event, 'type'), textAt(event, 'workRequest.status')];
  const [expected] = service.parts('event', 'request-status');
  const isOther = expected !== undefined && status !== '' && status !== expected;
  if (!isOther || service.value('event-type', type) !== 'work-request') return;
  const id = textAt(event, 'workRequest._id');
  const message = `an event of type ${type} tells that work request ${id} has the status "${expected}", but it has "${status}"`;
  const rests = { key: 'event.request-status', value: 'no' };
  context.reporter.warn('status', [message, assumptionHint(rests)]);
}

const fieldFlags = {
  type: { path: 'type' },
  'file-id': { path: 'files', kind: 'list' },
  'notify-user': { path: 'notify.users', kind: 'list' },
  'notify-group': { path: 'notify.groups', kind: 'list' },
} as const;

/** Sets what the flags say in the documented form, and keeps the other fields of the event. */
async function withFlags(context: Context, request: BodyRequest, people: People | undefined) {
  const { input } = request;
  const { options } = input;
  const { notifyUser: users, notifyGroup: groups } = options;
  const event = await readBody(context, { ...request, input: { ...input, given: [] } }, new Map());
  event.set('type', typeOf(context, event, options));
  const id = stringOption(input, 'workRequest');
  if (id !== undefined) await embedWorkRequest(context, event, id);
  if (users ?? groups) {
    const own = event.get('notify');
    const lists: [string, Json][] = Object.entries({ users: [], groups: [] });
    event.set('notify', new Map([...lists, ...(isObject(own) ? own : [])]));
  }
  const ids = people && Array.isArray(users) ? await people.ids('--notify-user', users) : users;
  const flagged = { ...input, options: { ...options, notifyUser: ids } };
  const edits = await readEdits(context, withFieldFlags(flagged, fieldFlags));
  await edit(context, request, event, edits);
  return event;
}

/** The type of the flag, of the file, or else the one that has such fields. */
function typeOf({ session }: Context, event: JsonObject, options: Input['options']): string {
  const service = session.service();
  const { fileId, workRequest, notifyUser, notifyGroup } = options;
  const isAwaiting = (workRequest ?? notifyUser ?? notifyGroup) !== undefined;
  const typeWith = (content: string) =>
    service.items('event-type').find((one) => service.value('event-type', one) === content) ?? '';
  const own = options.type ?? event.get('type');
  const usual = typeWith(isAwaiting ? 'work-request' : 'files');
  const type = typeof own === 'string' ? own : usual;
  const content = service.value('event-type', type);
  if (content === 'files' && isAwaiting) {
    const message = `--type ${type} cannot be used with --work-request, --notify-user or --notify-group`;
    const hint = `An event of type ${type} has only files. Leave these flags out, or use --type ${typeWith('work-request')}`;
    throw usageError(message, hint, { flag: '--type', value: type });
  }
  if (content === 'files' && fileId === undefined && !event.has('files')) {
    throw usageError(`an event of type ${type} needs files: use --file-id`, { flag: '--file-id' });
  }
  if (content === 'work-request' && workRequest === undefined && !event.has('workRequest')) {
    const hint = onCommandLine('You can also give the whole event with -f FILE.');
    const message = `an event of type ${type} needs a work request: use --work-request`;
    throw usageError(message, hint, { flag: '--work-request' });
  }
  return type;
}

/** Embedded records in a work request, but ids in the work request of an event. */
const references = ['project', 'asset', 'from', 'translation', 'graphicsTranslation'];

async function embedWorkRequest(context: Context, event: JsonObject, id: string): Promise<void> {
  const { record } = await readVersion(context, endpoints.workRequestGet, id);
  event.set('workRequest', embedded(record));
  const project = record.get('project');
  if (isObject(project)) {
    const fields = [...project].filter(([field]) => /^(?:_id|name|slug)$/.test(field));
    event.set('projects', [new Map(fields)]);
  }
  const asset = idOf(record.get('asset'));
  if (asset !== undefined) event.set('assets', [asset]);
  const urls = record.get('urls');
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

/** Fills in the id of the work request; a `:code` is unknown and stays. */
function filled(urls: JsonObject, id: string): JsonObject {
  const fill = (url: Json) =>
    typeof url === 'string' ? url.replace(/:workRequest\b/g, () => encodeURIComponent(id)) : url;
  return new Map([...urls].map(([page, url]) => [page, fill(url)]));
}
