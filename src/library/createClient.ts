import { env as processEnv } from 'node:process';
import { type Endpoint, endpoints } from '../api/endpoints.ts';
import { type Client as ApiClient, createClient as createApiClient } from '../client/client.ts';
import { pages } from '../client/pages.ts';
import type { Range } from '../client/request.ts';
import { baseUrlName } from '../client/statusError.ts';
import { tokenSecret } from '../client/tokenOrigin.ts';
import { parseBaseUrl } from '../config/baseUrl.ts';
import { type ErrorDetails, MarError, usageError } from '../errors.ts';
import { Redactor } from '../http/redact.ts';
import { createTransport, type Transport } from '../http/transport.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { fromPlain, type Json } from '../json/value.ts';
import { maxTimerMs } from '../values/duration.ts';
import { version } from '../version.ts';
import type { Client, ClientOptions, ListInput, Page, ServiceRecord } from './types.ts';

const defaults = {
  timeout: 30_000,
  retries: 2,
  maxBodyBytes: 256 * 1024 * 1024,
  pageSize: 100,
  ahead: 3,
};

/** A client for one account. It sends nothing until the first call. */
export function createClient(options: ClientOptions): Client {
  const baseUrl = parseBaseUrl(String(options.baseUrl), { allowHttp: options.allowHttp });
  checkAccount(options);
  const redactor = new Redactor();
  const transport = transportOf(options, redactor);
  const { token, password, signal = new AbortController().signal } = options;
  const clientWith = (secret: string, email = options.email) => {
    redactor.learn(email, secret);
    return createApiClient({
      baseUrl,
      transport,
      credentials: { email, secret, origin: baseUrl.origin },
      userAgent: options.userAgent ?? `mar-cli/${version}`,
      onMismatch: options.onMismatch,
      loginHint: 'Check the e-mail, and the token or the password.',
    });
  };

  /** Uses the given token, or exchanges the password for one with the first call. */
  let loggedIn: Promise<ApiClient> | undefined;
  const withPassword = () => {
    if (password === undefined) throw usageError('logging in needs a password, not a token');
    return clientWith(password);
  };
  const logIn = async () => {
    if (token !== undefined) return clientWith(tokenSecret(token));
    const { value } = await withPassword().call(endpoints.sessionCreate);
    return clientWith(tokenSecret(value.token), value.email);
  };
  async function clientFor({ auth }: Endpoint): Promise<ApiClient> {
    if (auth === 'password') return withPassword();
    loggedIn ??= logIn().catch((error: unknown) => {
      loggedIn = undefined;
      throw error;
    });
    return loggedIn;
  }

  async function call(endpoint: Endpoint, input: { id?: string; body?: unknown } = {}) {
    try {
      // Check the body before logging in.
      const body = endpoint.body && requestBody(input.body);
      const client = await clientFor(endpoint);
      const record = await client.call(endpoint, { id: input.id, body });
      if (endpoint.response === 'signOut') loggedIn = undefined;
      return record;
    } catch (error) {
      throw withoutSecrets(error, redactor);
    }
  }

  async function* list(
    endpoint: Endpoint,
    { from = 0, to, pageSize = defaults.pageSize, query }: ListInput<Endpoint> = {},
  ): AsyncGenerator<Page<unknown>, void, void> {
    checkInteger(from, 'from', 0);
    if (to !== undefined) checkInteger(to, 'to', from);
    checkInteger(pageSize, 'pageSize', 1);
    try {
      const client = await clientFor(endpoint);
      const requestPage = (range: Range, signal: AbortSignal) =>
        client.unreadPage(endpoint, { query, range, signal });
      const extent = { range: { from, to }, pageSize, ahead: defaults.ahead, signal };
      for await (const { records, total } of pages<ServiceRecord<unknown>>(requestPage, extent)) {
        yield total === undefined ? { records } : { records, total };
      }
    } catch (error) {
      throw withoutSecrets(error, redactor);
    }
  }

  return {
    call: call as Client['call'],
    pages: list as Client['pages'],
    close: () => transport.close(),
  };
}

/** Finds an unset environment variable here, before the service refuses an empty value. */
function checkAccount({ email, token, password }: ClientOptions): void {
  if ((token === undefined) === (password === undefined)) {
    throw usageError('a client needs either a token or a password');
  }
  for (const [name, value] of Object.entries({ email, ...defined({ token, password }) })) {
    if (typeof value === 'string' && value !== '') continue;
    throw usageError(`${name} must be a non-empty string`);
  }
}

function transportOf(options: ClientOptions, redactor: Redactor): Transport {
  const { timeout, retries, maxBodyBytes } = { ...defaults, ...defined(options) };
  const { caCert, clientCert, clientKey, signal, allowHttp, env = processEnv } = options;
  checkInteger(retries, 'retries', 0);
  for (const [name, value] of Object.entries({ timeout, maxBodyBytes })) {
    if (!(value > 0)) throw usageError(`${name} must be greater than 0, not ${value}`);
  }
  if (timeout > maxTimerMs) {
    throw usageError(`timeout must be at most ${maxTimerMs} milliseconds, not ${timeout}`);
  }
  const limits = { timeoutMs: timeout, retries, maxBodyBytes };
  const trust = { env, caCert, clientCert, clientKey };
  return createTransport({ ...limits, ...trust, allowHttp, signal, redactor, baseUrlName });
}

/** Drops undefined options, which would hide the defaults. */
const defined = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;

function checkInteger(value: number, name: string, min: number): void {
  if (Number.isSafeInteger(value) && value >= min) return;
  throw usageError(`${name} must be a whole number from ${min}, not ${value}`);
}

/** Takes JSON text, whose numbers keep their digits, or ordinary values. */
function requestBody(body: unknown): Json {
  if (body === undefined) throw usageError('this endpoint needs a body');
  try {
    return typeof body === 'string' ? parseJson(body) : fromPlain(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      throw usageError(`the body is not JSON: ${error.message}`);
    }
    if (error instanceof RangeError)
      throw usageError('the body is nested too deep, or contains itself');
    if (!(error instanceof TypeError)) throw error;
    throw usageError(`the body cannot be sent as JSON: ${error.message}`);
  }
}

/** Removes credentials from an error, because a service may quote them. */
function withoutSecrets(error: unknown, redactor: Redactor): unknown {
  if (!(error instanceof MarError)) return error;
  const clean = (value: unknown) => (typeof value === 'string' ? redactor.clean(value) : value);
  const details = Object.fromEntries(
    Object.entries(error.details).map(([name, value]) => [name, clean(value)]),
  ) as ErrorDetails;
  const cause = withoutSecrets(error.cause, redactor);
  return new MarError(error.kind, redactor.clean(error.message), { ...details, cause });
}
