import { type Endpoint, endpoints, type SchemaName } from '../api/endpoints.ts';
import { hasShape } from '../api/schemaMismatch.ts';
import type { ResponseValue } from '../api/schemas.ts';
import shapes from '../api/shapes.json' with { type: 'json' };
import type { Hints } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { Transport } from '../http/transport.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import { version } from '../version.ts';
import { buildRequest, type CallInput, checkBody, type Range } from './request.ts';
import {
  checkId,
  checkRecord,
  checkStatus,
  confirmedId,
  type OnMismatch,
  type Page,
  readElements,
  readOne,
} from './response.ts';
import { authorizationFor, type Credentials } from './tokenOrigin.ts';

export interface ClientOptions {
  baseUrl: URL;
  transport: Transport;
  credentials: Credentials;
  /** Called for a record that does not match its schema; may throw to reject it. */
  onMismatch: OnMismatch;
  loginHint?: Hints;
  /** May throw to send nothing. Not called for logging out, which changes no record. */
  beforeWrite?: () => void;
  /** Called when a write is about to be sent. */
  onWrite?: () => void;
}

type PageInput = CallInput & { range: Range };
type RecordOf<E extends Endpoint> = ServiceRecord<ResponseValue<E>>;

export type Client = ReturnType<typeof createClient>;

export function createClient(options: ClientOptions) {
  const { baseUrl, transport, credentials, onMismatch } = options;

  /** Sends any request with the credentials. Does not check the status. With null, nothing aborts it. */
  async function send(request: HttpRequest, signal?: AbortSignal | null): Promise<HttpResponse> {
    if (!request.isRead) options.beforeWrite?.();
    return transmit(request, signal);
  }

  async function transmit(request: HttpRequest, signal?: AbortSignal | null) {
    const headers = {
      ...request.headers,
      'User-Agent': request.headers['User-Agent'] ?? `mar/${version}`,
      Authorization: authorizationFor(credentials, request.url),
    };
    const mayIssueToken = isLogin(request);
    if (!request.isRead) options.onWrite?.();
    return transport.send({ ...request, headers, mayIssueToken }, signal);
  }

  async function sendTo(endpoint: Endpoint, input: CallInput): Promise<HttpResponse> {
    const request = buildRequest(endpoint, baseUrl, input);
    if (endpoint.body) {
      checkBody(input.body ?? null, await schemaOf(endpoint.body), input.base);
    }
    input.onSend?.();
    const sendIt = endpoint.resource === 'Session' ? transmit : send;
    const response = await sendIt(request, input.signal);
    checkStatus(response, options.loginHint);
    return response;
  }

  /** Like `page`, but the response is checked and parsed only when the page is read. */
  async function unreadPage<E extends Endpoint>(endpoint: E, input: PageInput) {
    // The schema loads while the response is on its way.
    const [response, schema] = await Promise.all([
      sendTo(endpoint, input),
      schemaOf(endpoint.response),
    ]);
    return () => {
      const page = readElements(response);
      for (const one of page.records) checkRecord({ endpoint, schema }, one, onMismatch);
      return page as Page<RecordOf<E>>;
    };
  }

  return {
    async call<E extends Endpoint>(endpoint: E, input: CallInput = {}) {
      const response = await sendTo(endpoint, input);
      const id = response.request.isRead ? input.id : undefined;
      const record = readOne(endpoint, response);
      if (endpoint.body) confirmedId(endpoint, response, record.value);
      // For one record, the schema is loaded only to describe a mismatch.
      if (!hasShape(JSON.parse(shapes[endpoint.response]), record.value)) {
        const schema = await schemaOf(endpoint.response);
        checkRecord({ endpoint, schema }, record, onMismatch);
      }
      if (id !== undefined) {
        checkId(endpoint, id, record.value, { forWrite: input.forWrite, onMismatch });
      }
      return record as RecordOf<E>;
    },
    page: async <E extends Endpoint>(endpoint: E, input: PageInput) =>
      (await unreadPage(endpoint, input))(),
    unreadPage,
    send,
  };
}

export async function schemaOf(name: SchemaName) {
  const { schemas } = await import('../api/schemas.ts');
  return schemas[name]();
}

/** GET /session issues a token, unless a range turns it into the list of users. */
function isLogin({ method, url, headers }: HttpRequest): boolean {
  const { path } = endpoints.sessionCreate;
  return method === 'GET' && url.pathname.endsWith(path) && headers['X-Range'] === undefined;
}
