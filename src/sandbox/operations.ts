import type { Endpoint, EndpointId } from '../api/endpoints.ts';
import { fromPlain, type JsonObject } from '../json/value.ts';
import { type Answer, matchesTag, recordAnswer } from './answer.ts';
import type { Call, Operation } from './call.ts';
import { downloadQuery } from './downloads.ts';
import { linksOf } from './links.ts';
import { pageAnswer } from './ranges.ts';
import { badRequest, Refusal } from './refusal.ts';
import type { Kind } from './schema.ts';
import { newId } from './secrets.ts';
import type { Store } from './store.ts';
import { isId } from './target.ts';
import { completeTranslation } from './translations.ts';
import { completeWorkRequest } from './workRequests.ts';

/** What a new record of a kind gets beyond what every new record gets. */
const completions: Partial<Record<Kind, (record: JsonObject, call: Call, store: Store) => void>> = {
  WorkRequest: completeWorkRequest,
  Translation: completeTranslation,
};

/** What an endpoint does, told from its entry in the registry alone. */
export function operationFor(name: EndpointId, endpoint: Endpoint, store: Store): Operation {
  const { method, range, resource } = endpoint;
  if (range && resource === 'Download') {
    return (call) => pageAnswer(store.downloads(downloadQuery(call.query), call.range), call.range);
  }
  const kind = kindOf(endpoint);
  if (range) {
    const onlyOpen = name === 'assetWorkflowNotify';
    return (call) => pageAnswer(store.list(kind, call.range, onlyOpen), call.range);
  }
  if (method === 'GET') return (call) => recordAnswer(readStored(store, kind, idOfCall(call)));
  if (method === 'PUT') return (call) => replace(store, kind, call);
  if (method === 'POST') return (call) => create(store, kind, call);
  throw new Error(`no operation for ${method} ${endpoint.path}`);
}

function create(store: Store, kind: Kind, call: Call): Answer {
  const given = call.body.get('_id');
  if (given !== undefined) checkId(given);
  const id = typeof given === 'string' ? given : newId();
  const now = Date.now();
  const record = withId(call.body, id);
  return store.transaction(() => {
    if (given !== undefined && store.read(kind, id) !== undefined) {
      throw new Refusal(409, 'conflict', `there is a ${kind} ${id} already`, { field: '_id' });
    }
    completions[kind]?.(record, call, store);
    if (!record.has('created')) record.set('created', fromPlain(now));
    if (!record.has('$links')) record.set('$links', linksOf(kind, id, record));
    return recordAnswer(store.insert(kind, id, record, now));
  });
}

function replace(store: Store, kind: Kind, call: Call): Answer {
  const id = idOfCall(call);
  return store.transaction(() => {
    checkUnchanged(readStored(store, kind, id), call);
    return recordAnswer(store.replace(kind, id, withId(call.body, id)));
  });
}

/** The record a call is about, by its path or else by its body. */
export function idOfCall({ id, body }: Call): string {
  const given = body.get('_id');
  if (id === undefined && given === undefined) {
    throw badRequest('_id is missing: it names the record to write', '_id');
  }
  if (given !== undefined) checkId(given);
  if (id !== undefined && given !== undefined && given !== id) {
    throw badRequest(`_id is ${given}, but the path names ${id}`, '_id');
  }
  return id ?? String(given);
}

export function readStored(store: Store, kind: Kind, id: string): string {
  const text = isId(id) ? store.read(kind, id) : undefined;
  if (text === undefined) {
    throw new Refusal(404, 'not-found', `there is no ${kind} ${JSON.stringify(id)}`);
  }
  return text;
}

export function checkUnchanged(stored: string, { ifMatch }: Call): void {
  if (ifMatch === undefined || matchesTag(ifMatch, stored)) return;
  throw new Refusal(412, 'precondition-failed', 'the record is not the one that If-Match names', {
    field: 'If-Match',
  });
}

/** In the order it was sent in; an id that was not sent stands first. */
export const withId = (body: JsonObject, id: string): JsonObject =>
  body.has('_id') ? new Map(body) : new Map([['_id', id], ...body]);

function checkId(id: unknown): void {
  if (typeof id === 'string' && isId(id)) return;
  throw badRequest(
    '_id must be 1 to 256 characters without control characters, and neither . nor ..',
    '_id',
  );
}

function kindOf({ resource, path }: Endpoint): Kind {
  if (resource === 'Session' || resource === 'Download') throw new Error(`no records for ${path}`);
  return resource;
}
