import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '../api/endpoints.ts';
import { Accounts, readCredentials } from './accounts.ts';
import type { Database } from './database.ts';
import { operationFor } from './operations.ts';
import { readBody, readQuery, readRange, readTarget, unknownPath } from './parseRequest.ts';
import { RecordStore } from './recordStore.ts';
import { HttpError, type JsonResponse, unauthorized } from './responses.ts';

export type Registry = Readonly<Record<string, Endpoint>>;

/** Throws an `HttpError` for a bad request. `sendContinue` tells the client to send its body. */
export type RequestHandler = (
  request: IncomingMessage,
  sendContinue: () => void,
) => Promise<JsonResponse>;

/** Checks the path first, then the credentials, then the body, and only then reads any records. */
export function makeRequestHandler(database: Database, registry: Registry): RequestHandler {
  const store = new RecordStore(database);
  const accounts = new Accounts(database);
  const routes = Object.entries(registry).map(([name, endpoint]) => ({
    endpoint,
    pattern: endpoint.path.split('/').slice(1),
    operation: operationFor(name, endpoint, store, accounts),
  }));
  // Literal segments win over `{id}`.
  const idCount = ({ path }: Endpoint) => path.split('/{id}').length;
  routes.sort((a, b) => idCount(a.endpoint) - idCount(b.endpoint));
  return async (request, sendContinue) => {
    const { method = '', headers } = request;
    const target = readTarget(request.url ?? '', headers.host);
    const match = routes.find(({ pattern }) => matchesPattern(pattern, target.segments));
    if (match === undefined) throw unknownPath();
    const samePath = routes.filter(({ endpoint }) => endpoint.path === match.endpoint.path);
    const sameMethod = samePath.filter(({ endpoint }) => endpoint.method === method);
    if (sameMethod.length === 0) {
      const allowed = [...new Set(samePath.map(({ endpoint }) => endpoint.method))].join(', ');
      const message = `${method} is not allowed here; allowed: ${allowed}`;
      throw new HttpError(405, 'method-not-allowed', message, undefined, { Allow: allowed });
    }
    const credentials = readCredentials(headers.authorization);
    // GET /session is two endpoints: one for a password (log in), one for a token (list users).
    const route = sameMethod.find(({ endpoint: { auth = 'token' } }) => auth === credentials.kind);
    if (route === undefined) {
      throw unauthorized('passwords are only accepted by GET /session; send a token');
    }
    const { endpoint, operation } = route;
    const caller = await accounts.authenticate(credentials);
    return operation({
      caller,
      id: target.segments[match.pattern.indexOf('{id}')],
      query: readQuery(target.query, endpoint.query ?? []),
      range: readRange(endpoint.range ? headers['x-range']?.toString() : undefined),
      body: await readBody(request, endpoint.body, sendContinue),
      ifMatch: headers['if-match'],
    });
  };
}

function matchesPattern(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) =>
      part === '{id}' ? segments[index] !== '' : part === segments[index],
    )
  );
}
