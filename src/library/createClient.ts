import { env as processEnv } from 'node:process';
import { type Endpoint, endpoints } from '../api/endpoints.ts';
import {
  type Client as ApiClient,
  createClient as createApiClient,
  tokenSecret,
} from '../client/client.ts';
import { pages } from '../client/pages.ts';
import type { Range } from '../client/request.ts';
import { baseUrlName } from '../client/statusError.ts';
import { parseBaseUrl } from '../config/baseUrl.ts';
import { usageError } from '../errors.ts';
import { Redactor } from '../http/redact.ts';
import { createTransport, type Transport } from '../http/transport.ts';
import { maxTimerMs } from '../values/duration.ts';
import { version } from '../version.ts';
import { bodyOf } from './body.ts';
import { redacted } from './redacted.ts';
import type { Answered, Client, ClientOptions, ListInput, Page } from './types.ts';

const defaults = {
  timeout: 30_000,
  retries: 2,
  maxBodyBytes: 256 * 1024 * 1024,
  pageSize: 100,
  ahead: 3,
};

/** The service, for one account. Nothing is sent until something is called. */
export function createClient(options: ClientOptions): Client {
  const baseUrl = parseBaseUrl(String(options.baseUrl), { allowHttp: options.allowHttp });
  checkAccount(options);
  const redactor = new Redactor();
  const transport = transportOf(options, redactor);
  const { signal = new AbortController().signal } = options;
  const session = sessionOf(options, (secret, email = options.email) => {
    redactor.learn(email, secret);
    return createApiClient({
      baseUrl,
      transport,
      credentials: { email, secret, origin: baseUrl.origin },
      userAgent: options.userAgent ?? `mar-cli/${version}`,
      onMismatch: options.onMisfit,
      loginHint: 'check the e-mail, and the token or the password',
    });
  });

  async function call(endpoint: Endpoint, input: { id?: string; body?: unknown } = {}) {
    try {
      // What is wrong with the body is told before anybody logs in.
      const body = endpoint.body && bodyOf(input.body);
      const client = await session.clientFor(endpoint);
      const answered = await client.call(endpoint, { id: input.id, body });
      if (endpoint.response === 'signOut') session.forget();
      return answered;
    } catch (error) {
      throw redacted(error, redactor);
    }
  }

  async function* list(
    endpoint: Endpoint,
    { from = 0, to, pageSize = defaults.pageSize, query }: ListInput<Endpoint> = {},
  ): AsyncGenerator<Page<unknown>, void, void> {
    wholeNumber(from, 'from', 0);
    if (to !== undefined) wholeNumber(to, 'to', from);
    wholeNumber(pageSize, 'pageSize', 1);
    try {
      const client = await session.clientFor(endpoint);
      const ask = (range: Range, signal: AbortSignal) =>
        client.unreadPage(endpoint, { query, range, signal });
      const extent = { range: { from, to }, pageSize, ahead: defaults.ahead, signal };
      for await (const { records, total } of pages<Answered<unknown>>(ask, extent)) {
        yield total === undefined ? { records } : { records, total };
      }
    } catch (error) {
      throw redacted(error, redactor);
    }
  }

  return {
    call: call as Client['call'],
    pages: list as Client['pages'],
    close: () => transport.close(),
  };
}

/** What a variable that is not set leaves empty is told here, not by a service that refuses it. */
function checkAccount({ email, token, password }: ClientOptions): void {
  if ((token === undefined) === (password === undefined)) {
    throw usageError('a client needs a token or a password, and not both');
  }
  for (const [name, value] of Object.entries({ email, ...defined({ token, password }) })) {
    if (typeof value !== 'string' || value === '')
      throw usageError(`${name} must be a text that is not empty`);
  }
}

function transportOf(options: ClientOptions, redactor: Redactor): Transport {
  const { timeout, retries, maxBodyBytes } = { ...defaults, ...defined(options) };
  const { caCert, signal, allowHttp, env = processEnv } = options;
  wholeNumber(retries, 'retries', 0);
  for (const [name, value] of Object.entries({ timeout, maxBodyBytes })) {
    if (!(value > 0)) throw usageError(`${name} must be more than 0, not ${value}`);
  }
  if (timeout > maxTimerMs) {
    throw usageError(`timeout takes ${maxTimerMs} milliseconds at most, not ${timeout}`);
  }
  return createTransport({
    env,
    timeoutMs: timeout,
    retries,
    maxBodyBytes,
    caCert,
    allowHttp,
    signal,
    redactor,
    baseUrlName,
  });
}

/** Without the options that are there and undefined, which would hide the defaults. */
const defined = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;

interface Session {
  clientFor(endpoint: Endpoint): Promise<ApiClient>;
  /** Its token is no longer good. */
  forget(): void;
}

/** A token as it was given, or one that the password is traded for when it is first needed. */
function sessionOf(
  { token, password }: ClientOptions,
  connect: (secret: string, email?: string) => ApiClient,
): Session {
  let opened: Promise<ApiClient> | undefined;
  const withPassword = () => {
    if (password === undefined) throw usageError('logging in takes a password, not a token');
    return connect(password);
  };
  const open = async () => {
    if (token !== undefined) return connect(tokenSecret(token));
    const { value } = await withPassword().call(endpoints.sessionCreate);
    return connect(tokenSecret(value.token), value.email);
  };
  return {
    async clientFor({ auth }) {
      if (auth === 'password') return withPassword();
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    forget() {
      opened = undefined;
    },
  };
}

function wholeNumber(value: number, name: string, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw usageError(`${name} takes a whole number from ${least}, not ${value}`);
}
