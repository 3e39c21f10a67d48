import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '../api/endpoints.ts';
import { schemas } from '../api/schemas.ts';
import type { JsonObject } from '../json/value.ts';
import { Accounts, type Credentials, readCredentials } from './accounts.ts';
import type { Answer } from './answer.ts';
import { checkBodyHeaders, parseBody, readBody } from './body.ts';
import { checkTypes } from './check.ts';
import type { Database } from './database.ts';
import { operationFor } from './operations.ts';
import { readRange } from './ranges.ts';
import { Refusal, unauthorized } from './refusal.ts';
import { type Match, makeRoutes, type Route } from './routes.ts';
import { sessionOperations } from './sessions.ts';
import { Store } from './store.ts';
import { noSuchPath, readQuery, readTarget } from './target.ts';

/** Answers one request, or throws a `Refusal`. `proceed` tells the client to send its body. */
export type Service = (request: IncomingMessage, proceed: () => void) => Promise<Answer>;

/**
 * The order of the checks is the order a client learns things in: is there such a place, may I, is
 * what I sent well made, and only then what the records say.
 */
export function makeService(database: Database): Service {
  const store = new Store(database);
  const accounts = new Accounts(database);
  const special = sessionOperations(store, accounts);
  const find = makeRoutes((name, endpoint) => special[name] ?? operationFor(name, endpoint, store));
  return async (request, proceed) => {
    const { headers } = request;
    const target = readTarget(request.url ?? '', headers.host);
    const match = find(target.segments);
    if (match === undefined) throw noSuchPath();
    const routes = withMethod(match, request.method ?? '');
    const credentials = readCredentials(headers.authorization);
    const { endpoint, operation } = chooseRoute(routes, credentials);
    const caller = await accounts.authenticate(credentials);
    return operation({
      endpoint,
      caller,
      id: match.id,
      query: readQuery(target.query, endpoint.query ?? []),
      range: readRange(endpoint.range ? headers['x-range']?.toString() : undefined),
      body: await takeBody(request, endpoint, proceed),
      ifMatch: headers['if-match'],
    });
  };
}

function withMethod({ routes }: Match, method: string): readonly Route[] {
  const found = routes.filter(({ endpoint }) => endpoint.method === method);
  if (found.length > 0) return found;
  const allowed = [...new Set(routes.map(({ endpoint }) => endpoint.method))].join(', ');
  throw new Refusal(
    405,
    'method-not-allowed',
    `${method} is not allowed here; allowed: ${allowed}`,
    {
      headers: { Allow: allowed },
    },
  );
}

/** One method at one path can be two endpoints, told apart by what the caller authenticates with. */
function chooseRoute(routes: readonly Route[], { kind }: Credentials): Route {
  const route = routes.find(({ endpoint }) => (endpoint.auth ?? 'token') === kind);
  if (route === undefined) {
    throw unauthorized('a password only logs in (GET /session); send a token here');
  }
  return route;
}

async function takeBody(
  request: IncomingMessage,
  { body: schemaName }: Endpoint,
  proceed: () => void,
): Promise<JsonObject> {
  if (schemaName === undefined) return new Map();
  checkBodyHeaders(request);
  proceed();
  const body = parseBody(await readBody(request));
  checkTypes(body, schemas[schemaName]());
  return body;
}
