import { endpoints } from '../../api/endpoints.ts';
import { parseSent } from '../../client/sent.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import { workRequestInEvent } from './embedded.ts';
import type { EventFlags } from './eventFlags.ts';

/**
 * Puts into an event what the flags say, in the documented shapes: the files of a `fd`; the work
 * request of a `wam` with its project, asset and pages, and who is to be told. What the event holds
 * beside that stays.
 */
export async function buildEvent(
  context: Context,
  event: JsonObject,
  flags: EventFlags,
): Promise<void> {
  const type = typeOf(event, flags);
  check(type, event, flags);
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

/** Of the types that are documented, what each needs and what it has no place for. */
function check(type: string, event: JsonObject, flags: EventFlags): void {
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
  const { text } = await client.call(endpoints.workRequestGet, { id, forWrite: true });
  const record = parseSent(text);
  if (isObject(record)) return record;
  throw new MarError('service', `the work request ${id} is not a record`);
}
