import { type Endpoint, resourceNoun } from '../../../core/api/endpoints.ts';
import { parseJson } from '../../../core/json/parse.ts';
import type { JsonObject } from '../../../core/json/value.ts';
import { isId, type ListRange } from '../http/parseRequest.ts';
import {
  badRequest,
  entityTag,
  HttpError,
  type JsonResponse,
  notFound,
  okResponse,
  recordResponse,
} from '../http/responses.ts';
import { type Caller, standInOfNew, standInPassword } from '../store/accounts.ts';
import { downloadQuery, type ListQuery } from '../store/downloadQuery.ts';
import { type Kind, newestOf, type RecordStore } from '../store/recordStore.ts';
import { completeRecord, newId } from './newRecords.ts';

interface WriteRequest {
  readonly caller: Caller;
  /** The id in the path, if the endpoint has one. */
  readonly id: string | undefined;
  /** Empty if the endpoint takes no body. */
  readonly body: JsonObject;
  readonly ifMatch: string | undefined;
  /** Whether the body changes fields of the record. Otherwise it is the whole record. */
  readonly isMerged?: boolean;
}

/** A request that was parsed, checked against its endpoint and authenticated. */
interface CheckedRequest extends WriteRequest {
  readonly query: ReadonlyMap<string, string>;
  readonly range: ListRange;
}

type Operation = (request: CheckedRequest) => JsonResponse;

/** Picks the operation of an endpoint by its method and resource, so new endpoints just work. */
export function operationFor(name: string, endpoint: Endpoint, store: RecordStore): Operation {
  const { method, path, range, resource } = endpoint;
  const { keepsMissing: isMerged } = store.behaviour;
  const action = `${method} ${resource}`;
  if (action === 'GET Session' && !range) return ({ caller }) => logIn(caller, store);
  if (action === 'DELETE Session') return ({ caller }) => logOut(caller, store);
  if (action === 'PUT User') return (request) => replaceUser(store, { ...request, isMerged });
  if (method === 'POST') return (request) => create(store, resource, request);
  if (method === 'PUT') return (request) => replace(store, resource, { ...request, isMerged });
  if (path.includes('{id}') && !range) {
    return (request) => recordResponse(readStored(store, resource, idOfRequest(request)));
  }
  const newest = newestOf(resource, name === 'assetWorkflowNotify');
  return (request) => {
    const query = resource === 'Download' ? downloadQuery(request.query) : newest;
    return readPage(store, query, request.range);
  };
}

function readPage(store: RecordStore, query: ListQuery, { first, last }: ListRange) {
  const { pageLength, endStatus, hasTotals } = store.behaviour;
  const range = { first, last: Math.min(last, first + pageLength - 1) };
  const { texts, total } = store.list(query, range);
  if (endStatus && first > 0 && texts.length === 0) {
    throw new HttpError(endStatus, 'no-more-records', 'the list has no records in this range');
  }
  if (!hasTotals) return okResponse(`[${texts.join(',')}]`);
  const span = texts.length === 0 ? '*' : `${first}-${first + texts.length - 1}`;
  // The stored texts are JSON: joining them keeps every character and parses nothing.
  return okResponse(`[${texts.join(',')}]`, {
    'Content-Range': `resources ${span}/${total}`,
    'X-Total-Count': String(total),
  });
}

function create(store: RecordStore, kind: Kind, request: WriteRequest): JsonResponse {
  const given = request.body.get('_id');
  if (given !== undefined) checkId(given);
  const id = typeof given === 'string' ? given : newId();
  return store.transaction(() => {
    if (given !== undefined && store.read(kind, id) !== undefined) {
      throw new HttpError(409, 'conflict', `${resourceNoun(kind)} ${id} already exists`, '_id');
    }
    return insert(store, kind, id, request);
  });
}

function insert(store: RecordStore, kind: Kind, id: string, { caller, body }: WriteRequest) {
  const record = withId(body, id);
  completeRecord(kind, record, caller.userId, store);
  return recordResponse(store.insert(kind, id, record, store.behaviour.now()));
}

/** The kinds of records that have no POST: a PUT of a new one is the only way to create it. */
const createdByPut: readonly Kind[] = ['Asset', 'Event', 'Offline', 'Preview'];

export function replace(
  store: RecordStore,
  kind: Kind,
  request: WriteRequest,
  updateAccount = () => {},
): JsonResponse {
  const isUnnamed = kind === 'Event' && request.body.get('_id') === undefined;
  const id = isUnnamed ? newId() : idOfRequest(request);
  return store.transaction(() => {
    const isNew = createdByPut.includes(kind) && isId(id) && store.read(kind, id) === undefined;
    if (isNew && request.ifMatch === undefined) return insert(store, kind, id, request);
    const stored = readStored(store, kind, id);
    if (request.ifMatch !== undefined && request.ifMatch !== entityTag(stored)) {
      const message = 'the record has changed since you read it; nothing was written';
      throw new HttpError(412, 'precondition-failed', message, 'If-Match');
    }
    updateAccount();
    const kept = request.isMerged ? (parseJson(stored) as JsonObject) : [];
    return recordResponse(store.replace(kind, id, withId(new Map([...kept, ...request.body]), id)));
  });
}

/** The id in the path, or else in the body. */
function idOfRequest({ id, body }: WriteRequest): string {
  const given = body.get('_id');
  if (id === undefined && given === undefined) {
    throw badRequest('_id of the record is missing', '_id');
  }
  if (given !== undefined) checkId(given);
  if (id !== undefined && given !== undefined && given !== id) {
    throw badRequest(`_id is ${given}, but the path has ${id}`, '_id');
  }
  return id ?? String(given);
}

export function readStored(store: RecordStore, kind: Kind, id: string): string {
  const text = isId(id) ? store.read(kind, id) : undefined;
  if (text === undefined) throw notFound(`${resourceNoun(kind)} ${JSON.stringify(id)} not found`);
  return text;
}

/** Keeps the order of the fields. A missing id becomes the first field. */
const withId = (body: JsonObject, id: string): JsonObject =>
  body.has('_id') ? new Map(body) : new Map([['_id', id], ...body]);

function checkId(id: unknown): void {
  if (typeof id === 'string' && isId(id)) return;
  throw badRequest(
    '_id must be 1 to 256 characters, without control characters, and not . or ..',
    '_id',
  );
}

function logIn({ userId, email }: Caller, { accounts }: RecordStore): JsonResponse {
  return okResponse(JSON.stringify({ token: accounts.issueToken(userId), email }));
}

function logOut({ email, token }: Caller, { accounts }: RecordStore): JsonResponse {
  if (token !== undefined) accounts.revokeToken(token);
  return okResponse(JSON.stringify({ revoked: true, email }));
}

/** A new password is in force at once. The record has a stand-in for it. */
export function replaceUser(store: RecordStore, request: WriteRequest) {
  const id = idOfRequest(request);
  const { body } = request;
  const stored = parseJson(readStored(store, 'User', id)) as JsonObject;
  if ((body.get('id') ?? id) !== id) throw badRequest('id must be the same as _id', 'id');
  const [given, kept = standInPassword(id)] = [body, stored].map((one) => one.get('password'));
  const isNew = typeof given === 'string' && given !== kept;
  const withStandIn = new Map(body).set('password', isNew ? standInOfNew(given) : kept);
  return replace(store, 'User', { ...request, id, body: withStandIn }, () => {
    const email = body.get('emailNormal');
    if (typeof email === 'string') store.accounts.rename(id, email);
  });
}
