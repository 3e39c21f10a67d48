import { tmpdir } from 'node:os';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import {
  Client,
  type ElicitResult,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { fakeService, storedLogin } from './fakeService.ts';
import { startMar } from './mar.ts';

interface Message {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

export interface ToolResult {
  content: { type: string; text: string }[];
  isError?: boolean;
  /** The JSON in the second text, if there is one. */
  report: {
    now: string;
    result?: unknown;
    token?: string;
    note?: string;
    cut?: string;
    warnings?: string[];
    error?: { kind: string; message: string; hint?: string };
  };
}

const clientKind = { isOfficial: false };

/** Tests run with a client written from the specification, and with the official one. */
export function withBothClients(tests: () => void): void {
  describe.each([
    ['a client of its own', false],
    ['the official client', true],
  ])('with %s', (_name, isOfficial) => {
    beforeAll(() => {
      clientKind.isOfficial = isOfficial;
    });
    afterAll(() => {
      clientKind.isOfficial = false;
    });
    tests();
  });
}

/** A client written from the specification: a JSON message on each line. It answers questions with `answer`. */
export class LineClient {
  /** Every line that the server has sent. */
  readonly lines: string[] = [];
  readonly #output: Writable;
  readonly #waiting = new Map<number | string, (message: Message) => void>();
  #lastId = 0;
  #rest = '';
  #official?: Client;
  #transport?: Transport;
  #onLine = () => {};
  answer: unknown = { action: 'decline' };

  constructor(output: Writable) {
    this.#output = output;
  }

  send(message: object): void {
    this.sendLine(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  sendLine(line: string): void {
    this.#output.write(`${line}\n`);
  }

  receiveText(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#receive(line);
  }

  #receive(line: string): void {
    this.lines.push(line);
    this.#onLine();
    const message = JSON.parse(line) as Message;
    if (this.#transport && !this.#waiting.has(message.id ?? '')) {
      this.#transport.onmessage?.(message as JSONRPCMessage);
    } else if (message.method === 'elicitation/create') {
      this.send({ id: message.id, result: this.answer });
    } else if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
  }

  /** Waits until the server has sent a line with this text. */
  async until(part: string): Promise<void> {
    while (!this.lines.some((line) => line.includes(part))) {
      await new Promise<void>((seen) => {
        this.#onLine = seen;
      });
    }
  }

  /** Sends a request. Its id is `requestId` of the promise, for a cancellation. */
  request(method: string, params: object = {}): Promise<Message> & { requestId: number | string } {
    this.#lastId += 1;
    // The official client has numbers of its own.
    const id = this.#official ? `line-${this.#lastId}` : this.#lastId;
    const response = this.responseTo(id);
    this.send({ id, method, params });
    return Object.assign(response, { requestId: id });
  }

  responseTo(id: number | string): Promise<Message> {
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async initialise(capabilities: object = {}, protocolVersion = '2025-06-18'): Promise<Message> {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion, capabilities, clientInfo };
    const response = await this.request('initialize', params);
    this.send({ method: 'notifications/initialized' });
    return response;
  }

  /** From here on, the official client speaks in place of this one. */
  async beOfficial(capabilities: object, version: string): Promise<Message> {
    const send = async (message: JSONRPCMessage) => this.sendLine(JSON.stringify(message));
    this.#transport = { start: async () => {}, close: async () => {}, send };
    this.#official = new Client(
      { name: 'test', version: '1' },
      { capabilities, supportedProtocolVersions: [version] },
    );
    if ('elicitation' in capabilities) {
      this.#official.setRequestHandler('elicitation/create', () => this.answer as ElicitResult);
    }
    await this.#official.connect(this.#transport);
    return { result: { instructions: this.#official.getInstructions() } };
  }

  async call(name: string, fields: object = {}): Promise<ToolResult> {
    if (this.#official) {
      const called = await this.#official.callTool({ name, arguments: { ...fields } });
      return withReport(called as unknown as ToolResult);
    }
    const { result, error } = await this.request('tools/call', { name, arguments: fields });
    if (error) throw new Error(error.message);
    return withReport(result as unknown as ToolResult);
  }

  /** A whole write: the call that shows it, and the one with its token. */
  async write(name: string, fields: object): Promise<ToolResult> {
    const { token } = (await this.call(name, fields)).report;
    return this.call(name, { ...fields, token });
  }
}

/** Clients get no structured content, which would repeat the text. */
export function withReport<Result extends Pick<ToolResult, 'content'>>(result: Result) {
  return { ...result, report: JSON.parse(result.content[1]?.text ?? '{}') as ToolResult['report'] };
}

/** `mar mcp` in this process, with a client. With the version `none`, it does not initialise. */
export async function startAgent(
  argv: readonly string[],
  env: Record<string, string>,
  capabilities?: object,
  version?: string,
) {
  const stdin = new PassThrough();
  const root = argv.includes('--root') ? [] : ['--root', tmpdir()];
  const run = startMar(['mcp', ...argv, ...root], { env, stdin });
  const client = new LineClient(stdin);
  let seen = 0;
  run.stdout.on('text', () => {
    const { text } = run.stdout;
    const added = text.slice(seen);
    seen = text.length;
    client.receiveText(added);
  });
  onTestFinished(() => {
    stdin.end();
  });
  const initialised = clientKind.isOfficial
    ? await client.beOfficial(capabilities ?? {}, version ?? '2025-11-25')
    : version === 'none'
      ? {}
      : await client.initialise(capabilities, version);
  return { client, stdin, initialised, ...run };
}

/** An agent with a login and a ledger of its own, at a service that responds like this. */
export async function agentAt(
  respond: Parameters<typeof fakeService>[0],
  argv: readonly string[] = ['--allow-writes'],
  capabilities?: object,
) {
  const { baseUrl } = await fakeService(respond);
  const env: Record<string, string> = { ...storedLogin(baseUrl), MAR_LOG: '' };
  return { env, ...(await startAgent(argv, env, capabilities)) };
}

/** The client of a process. */
export function clientOf({ stdin, stdout }: { stdin: Writable; stdout: Readable }): LineClient {
  const client = new LineClient(stdin);
  stdout.setEncoding('utf8').on('data', (text: string) => client.receiveText(text));
  return client;
}
