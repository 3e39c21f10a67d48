import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import {
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from '../../../src/modules/sandbox/start.ts';
import { temporaryFolder } from '../../harness/mar.ts';

export const demo = { email: 'ines@northlight.example', password: 'open-sesame' };
export const testDownloads = 300;

export interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: responses have every shape.
  json: any;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  body?: string | Buffer | object;
}

/** Links hold the port, which is another one after a restart. */
export const withoutPort = (text: string) =>
  text.replaceAll(/"\/\/127\.0\.0\.1:\d+\//g, '"//HOST/');

// Hashing the demo users' passwords takes longer than most tests: it is done once a process.
let template: Promise<string> | undefined;

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mar-sandbox-template-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const sandbox = await startSandbox({ dataDir: folder, downloads: testDownloads });
  await sandbox.close();
  return folder;
}

/** A folder with fresh demo data in it. */
export async function demoFolder(): Promise<string> {
  template ??= makeTemplate();
  const folder = temporaryFolder();
  await cp(await template, folder, { recursive: true });
  return folder;
}

/** Removes the demo data before the process ends. */
export async function removeTemplate(): Promise<void> {
  if (template) rmSync(await template, { recursive: true, force: true });
  template = undefined;
}

/** A sandbox with its own demo data, closed after the test. Its internal errors fail the test. */
export async function demoSandbox(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const errors: unknown[] = [];
  const dataDir = options.dataDir ?? (await demoFolder());
  const onError = (error: unknown) => errors.push(error);
  const sandbox = await startSandbox({ port: 0, onError, ...options, dataDir });
  onTestFinished(async () => {
    await sandbox.close();
    if (errors.length > 0) throw errors[0];
  });
  return sandbox;
}

export const basic = (email: string, secret: string): string =>
  `Basic ${Buffer.from(`${email}:${secret}`).toString('base64')}`;

/** One request on a connection of its own. */
export async function sendRequest(
  { baseUrl }: Pick<Sandbox, 'baseUrl'>,
  method: string,
  path: string,
  { headers = {}, body }: RequestOptions = {},
): Promise<Reply> {
  const plain = typeof body === 'object' && !Buffer.isBuffer(body);
  const payload = plain ? JSON.stringify(body) : body;
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const options = { method, agent: false, headers: { ...type, ...headers } };
  const request = http.request(`${baseUrl}${path}`, options).end(payload);
  // It may fail after the response too, if the server does not read the whole body.
  request.on('error', () => {});
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const text = await textOf(response);
  const json = text === '' ? undefined : JSON.parse(text);
  return { status: response.statusCode ?? 0, headers: response.headers, text, json };
}

export type Caller = (method: string, path: string, request?: RequestOptions) => Promise<Reply>;

export async function tokenOf(sandbox: Sandbox, who = demo): Promise<string> {
  const headers = { Authorization: basic(who.email, who.password) };
  const { json } = await sendRequest(sandbox, 'GET', '/session', { headers });
  return json.token;
}

/** A function that sends requests as a logged-in user. */
export async function loggedIn(sandbox: Sandbox, who = demo): Promise<Caller> {
  const Authorization = basic(who.email, `token-${await tokenOf(sandbox, who)}`);
  return (method, path, { headers, body } = {}) =>
    sendRequest(sandbox, method, path, { headers: { Authorization, ...headers }, body });
}

/** Sends the requests (`GET /assets/a-1`) to one sandbox. All get this status, and such an error. */
export async function expectErrors(
  status: number,
  requests: readonly (readonly [request: string, options?: RequestOptions, error?: object])[],
): Promise<void> {
  const call = await loggedIn(await demoSandbox());
  for (const [request, options, error = {}] of requests) {
    const [method = '', path = ''] = request.split(' ');
    const reply = await call(method, path, options);
    const what = `${request} ${JSON.stringify(options ?? '').slice(0, 200)}`;
    expect(reply, what).toMatchObject({ status, json: { error } });
  }
}

export const portOf = ({ baseUrl }: Pick<Sandbox, 'baseUrl'>): number =>
  Number(new URL(baseUrl).port);

/** Sends the bytes unchanged, and resolves with everything received until the connection ends. */
export async function sendRaw(
  sandbox: Sandbox,
  bytes: string | Buffer,
  { halfClose = false } = {},
): Promise<string> {
  const socket = net.connect(portOf(sandbox), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // A server that closes before it has read everything resets the connection.
  socket.on('error', () => {});
  if (halfClose) socket.end(bytes);
  else socket.write(bytes);
  await new Promise((closed) => socket.on('close', closed));
  return Buffer.concat(chunks).toString('utf8');
}
