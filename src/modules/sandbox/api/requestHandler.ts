import type { Endpoint } from '../../../core/api/endpoints.ts';
import {
  type ReceivedRequest,
  readQuery,
  readRange,
  readRecord,
  readSegments,
  unknownPath,
} from '../http/parseRequest.ts';
import {
  type JsonResponse,
  linkHost,
  methodNotAllowed,
  replaceLinkHost,
  unauthorized,
} from '../http/responses.ts';
import { readCredentials } from '../store/accounts.ts';
import type { RecordStore } from '../store/recordStore.ts';
import { operationFor } from './operations.ts';

export type Registry = Readonly<Record<string, Endpoint>>;

export type RequestHandler = ReturnType<typeof makeRequestHandler>;

/**
 * Checks the path first, then the credentials, then the body, and only then reads any records. Throws
 * an `HttpError` for a bad request.
 */
export function makeRequestHandler(store: RecordStore, registry: Registry) {
  const routes = Object.entries(registry).map(([name, endpoint]) => ({
    endpoint,
    pattern: endpoint.path.split('/').slice(1),
    operation: operationFor(name, endpoint, store),
  }));
  // Literal segments win over `{id}`.
  const idCount = ({ path }: Endpoint) => path.split('/{id}').length;
  routes.sort((a, b) => idCount(a.endpoint) - idCount(b.endpoint));
  return (request: ReceivedRequest): JsonResponse => {
    const { method, headers, query } = request;
    const segments = readSegments(request);
    const fits = (part: string, at: number) =>
      part === '{id}' ? segments[at] !== '' : part === segments[at];
    const match = routes.find(
      ({ pattern }) => pattern.length === segments.length && pattern.every(fits),
    );
    if (match === undefined) throw unknownPath();
    const samePath = routes.filter(({ endpoint }) => endpoint.path === match.endpoint.path);
    const sameMethod = samePath.filter(({ endpoint }) => endpoint.method === method);
    if (sameMethod.length === 0) {
      const allowed = [...new Set(samePath.map(({ endpoint }) => endpoint.method))].join(', ');
      throw methodNotAllowed(method, allowed);
    }
    const credentials = readCredentials(headers.authorization);
    // GET /session is two endpoints: one for a password (log in), one for a token (list users).
    const route = sameMethod.find(({ endpoint: { auth = 'token' } }) => auth === credentials.kind);
    if (route === undefined) {
      throw unauthorized('passwords are only accepted by GET /session; send a token');
    }
    const { endpoint, operation } = route;
    const caller = store.accounts.authenticate(credentials);
    const response = operation({
      caller,
      id: segments[match.pattern.indexOf('{id}')],
      query: readQuery(query, endpoint.query ?? []),
      range: readRange(endpoint.range ? headers['x-range']?.toString() : undefined),
      body: readRecord(request, endpoint.body),
      ifMatch: headers['if-match'],
    });
    return { ...response, body: replaceLinkHost(response.body, linkHost, headers.host) };
  };
}
