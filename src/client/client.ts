import { type Endpoint, endpoints, type SchemaName } from '../api/endpoints.ts';
import type { Answer } from '../api/schemas.ts';
import { fits } from '../api/shape.ts';
import { shapes } from '../api/shapes.ts';
import { MarError } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { Transport } from '../http/transport.ts';
import { commandLine } from '../values/commandLine.ts';
import { buildRequest, type CallInput, checkBody, type Range } from './request.ts';
import {
  type Answered,
  checkId,
  checkRecord,
  type Exchange,
  type Page,
  readList,
  readOne,
  type UnreadPage,
} from './response.ts';
import { statusError } from './statusError.ts';

/** Who is asking: the user and the secret of HTTP Basic authentication, and where they are valid. */
export interface Credentials {
  email: string;
  secret: string;
  /** Scheme, host and port that they were issued for; they go nowhere else. Never the request's own. */
  origin: string;
}

/** A token, as the service wants it in place of a password. */
export const tokenSecret = (token: string) => `token-${token}`;

export interface ClientOptions {
  baseUrl: URL;
  transport: Transport;
  credentials: Credentials;
  userAgent: string;
  /** Told of a record that does not fit its documented shape; may throw to refuse it. */
  onMisfit?: (message: string) => void;
  /** What to do when these credentials are not accepted. */
  loginHint?: string;
  /** Told of every answer, good or bad, as it comes. */
  onAnswer?: (answer: HttpResponse) => void;
}

type PageInput = CallInput & { range: Range };

export interface Client {
  /** Calls an endpoint that answers one record. */
  call<E extends Endpoint>(endpoint: E, input?: CallInput): Promise<Answered<Answer<E>>>;
  /** Calls an endpoint that answers a list, for one range of it. */
  page<E extends Endpoint>(endpoint: E, input: PageInput): Promise<Page<Answered<Answer<E>>>>;
  /** The same, unread: what is wrong with the answer is found when it is read. */
  unreadPage<E extends Endpoint>(
    endpoint: E,
    input: PageInput,
  ): Promise<UnreadPage<Answered<Answer<E>>>>;
  /** Sends any request, as the user, to where the user is known. The answer may have any status. */
  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse>;
}

export function createClient(options: ClientOptions): Client {
  const { baseUrl, transport, onMisfit = () => {} } = options;

  async function send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
    const headers = { ...request.headers };
    headers['User-Agent'] ??= options.userAgent;
    headers.Authorization = authorization(options.credentials, request.url);
    const mayIssueToken = isLogin(request);
    const answer = await transport.send({ ...request, headers, mayIssueToken }, signal);
    options.onAnswer?.(answer);
    return answer;
  }

  async function ask(endpoint: Endpoint, input: CallInput): Promise<Omit<Exchange, 'schema'>> {
    const request = buildRequest(endpoint, baseUrl, input);
    if (endpoint.body) {
      checkBody(input.body ?? null, await schemaOf(endpoint.body), input.base);
    }
    const answer = await send(request, input.signal);
    if (answer.status === 401) throw statusError(request, answer, options.loginHint);
    return { endpoint, request, answer };
  }

  async function unreadPage<E extends Endpoint>(endpoint: E, input: PageInput) {
    // The schema of the answer is loaded while the answer is waited for.
    const [asked, schema] = await Promise.all([ask(endpoint, input), schemaOf(endpoint.response)]);
    return () => readList({ ...asked, schema }, onMisfit) as Page<Answered<Answer<E>>>;
  }

  return {
    async call<E extends Endpoint>(endpoint: E, input: CallInput = {}) {
      const answered = readOne(await ask(endpoint, input));
      // Of one record the schema is loaded only to say what is wrong with it.
      if (!fits(JSON.parse(shapes[endpoint.response]), answered.value)) {
        checkRecord(
          { endpoint, schema: await schemaOf(endpoint.response) },
          answered.value,
          onMisfit,
        );
      }
      const { id, forWrite } = input;
      if (id !== undefined && endpoint.method === 'GET') {
        checkId(endpoint, id, answered.value, { forWrite, onMisfit });
      }
      return answered as Answered<Answer<E>>;
    },
    page: async (endpoint, input) => (await unreadPage(endpoint, input))(),
    unreadPage,
    send,
  };
}

export async function schemaOf(name: SchemaName) {
  const { schemas } = await import('../api/schemas.ts');
  return schemas[name]();
}

/** With a range it is the list of users; `mar api` can send it as well. */
function isLogin({ method, url, headers }: HttpRequest): boolean {
  const { path } = endpoints.sessionCreate;
  return method === 'GET' && url.pathname.endsWith(path) && headers['X-Range'] === undefined;
}

function authorization({ email, secret, origin }: Credentials, url: URL): string {
  checkOrigin(origin, url);
  return `Basic ${Buffer.from(`${email}:${secret}`).toString('base64')}`;
}

/** The one rule of where credentials may go: to the origin that they were issued for. */
export function checkOrigin(issuedFor: string, url: URL): void {
  if (url.origin === issuedFor) return;
  throw new MarError('auth', `these credentials are for ${issuedFor}, not for ${url.origin}`, {
    hint: `log in there: ${commandLine`mar login --base-url ${`${url.origin}/api`}`}`,
    isUnsent: true,
  });
}
