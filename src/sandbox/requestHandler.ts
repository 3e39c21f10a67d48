import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '../api/endpoints.ts';
import { schemas } from '../api/schemas.ts';
import type { JsonObject } from '../json/value.ts';
import { Accounts, type Credentials, readCredentials } from './accounts.ts';
import type { Database } from './database.ts';
import { type Operation, operationFor } from './operations.ts';
import {
  checkBodyHeaders,
  parseBody,
  readBody,
  readQuery,
  readRange,
  readTarget,
  unknownPath,
} from './parseRequest.ts';
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
  const findPath = makeRoutes(registry, (name, endpoint) =>
    operationFor(name, endpoint, store, accounts),
  );
  return async (request, sendContinue) => {
    const { headers } = request;
    const target = readTarget(request.url ?? '', headers.host);
    const match = findPath(target.segments);
    if (match === undefined) throw unknownPath();
    const routes = routesForMethod(match.routes, request.method ?? '');
    const credentials = readCredentials(headers.authorization);
    const { endpoint, operation } = routeForCredentials(routes, credentials);
    const caller = await accounts.authenticate(credentials);
    return operation({
      caller,
      id: match.id,
      query: readQuery(target.query, endpoint.query ?? []),
      range: readRange(endpoint.range ? headers['x-range']?.toString() : undefined),
      body: await takeBody(request, endpoint, sendContinue),
      ifMatch: headers['if-match'],
    });
  };
}

interface EndpointRoute {
  readonly endpoint: Endpoint;
  readonly operation: Operation;
}

interface PathRoutes {
  readonly pattern: readonly string[];
  readonly routes: EndpointRoute[];
}

/** Makes one route for each endpoint, and returns a function that finds the routes of a path. */
function makeRoutes(
  registry: Registry,
  makeOperation: (name: string, endpoint: Endpoint) => Operation,
) {
  const paths = new Map<string, PathRoutes>();
  for (const [name, endpoint] of Object.entries(registry)) {
    const { path } = endpoint;
    const found = paths.get(path) ?? { pattern: path.split('/').slice(1), routes: [] };
    found.routes.push({ endpoint, operation: makeOperation(name, endpoint) });
    paths.set(path, found);
  }
  // Literal segments win over `{id}`.
  const idCount = ({ pattern }: PathRoutes) => pattern.filter((part) => part === '{id}').length;
  const ordered = [...paths.values()].sort((a, b) => idCount(a) - idCount(b));
  return (segments: readonly string[]) => {
    const found = ordered.find(({ pattern }) => matchesPattern(pattern, segments));
    return found && { routes: found.routes, id: segments[found.pattern.indexOf('{id}')] };
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

function routesForMethod(routes: readonly EndpointRoute[], method: string) {
  const found = routes.filter(({ endpoint }) => endpoint.method === method);
  if (found.length > 0) return found;
  const allowed = [...new Set(routes.map(({ endpoint }) => endpoint.method))].join(', ');
  const message = `${method} is not allowed here; allowed: ${allowed}`;
  throw new HttpError(405, 'method-not-allowed', message, { headers: { Allow: allowed } });
}

/** GET /session is two endpoints: one for a password (log in), one for a token (list users). */
function routeForCredentials(routes: readonly EndpointRoute[], { kind }: Credentials) {
  const route = routes.find(({ endpoint }) => (endpoint.auth ?? 'token') === kind);
  if (route === undefined) {
    throw unauthorized('a password only logs in (GET /session); send a token here');
  }
  return route;
}

async function takeBody(
  request: IncomingMessage,
  { body: schemaName }: Endpoint,
  sendContinue: () => void,
): Promise<JsonObject> {
  if (schemaName === undefined) return new Map();
  checkBodyHeaders(request);
  sendContinue();
  return parseBody(await readBody(request), schemas[schemaName]());
}
