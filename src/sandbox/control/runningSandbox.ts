import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type ErrorKind, MarError, orUndefined, systemCode, usageError } from '../../errors.ts';
import { readRegularFile } from '../../files/regularFile.ts';
import { type DataFolder, FolderInUse, openDataFolder } from '../store/dataFolder.ts';
import { RecordStore } from '../store/recordStore.ts';

/** The only address that a sandbox listens on. */
export const sandboxHost = '127.0.0.1';

/** The file in the data folder that says how to reach the running sandbox. */
export const stateFileName = 'running.json';

export interface SandboxState {
  baseUrl: string;
  pid?: number;
  /** Proves to the sandbox that a request comes from somebody who can read its folder. */
  secret: string;
}

const maxResponseMs = 30_000;
const maxStoppingMs = 10_000;
const pollMs = 50;

/** The errors for what the sandbox refuses, by status. */
const refusals: Readonly<Record<number, ErrorKind>> = {
  400: 'usage',
  409: 'refused',
  412: 'changed',
};

/** A sandbox in another process, found through its data folder. */
export class RunningSandbox {
  readonly dataDir: string;
  readonly state: SandboxState;

  constructor(dataDir: string, state: SandboxState) {
    this.dataDir = dataDir;
    this.state = state;
  }

  /** Sends a control request and returns the parsed body of the response. */
  async ask<Body>(method: 'GET' | 'POST' | 'PUT', action: string, content?: object): Promise<Body> {
    const url = new URL(`/_sandbox/${action}`, this.state.baseUrl);
    const headers = {
      Authorization: `Bearer ${this.state.secret}`,
      'Content-Type': 'application/json',
    };
    const signal = AbortSignal.timeout(maxResponseMs);
    try {
      const sent = request(url, { method, headers, signal, agent: false });
      sent.end(content && JSON.stringify(content));
      // For errors after the response has started, which the response reports as well.
      sent.on('error', () => {});
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const body = await json(response);
      if (response.statusCode === 200) return body as Body;
      const { message } = (body as { error: { message: string } }).error;
      const kind = refusals[response.statusCode ?? 0];
      throw kind ? new MarError(kind, message) : new Error(message);
    } catch (error) {
      throw error instanceof MarError ? error : this.#silent(error);
    }
  }

  /** Ends it through its own server: an id of a process may belong to another one by now. */
  async stop(): Promise<void> {
    await this.ask('POST', 'stop');
    const deadline = Date.now() + maxStoppingMs;
    while (await isInUse(this.dataDir)) {
      if (Date.now() > deadline) throw this.#silent();
      await delay(pollMs);
    }
  }

  #silent(cause?: unknown): MarError {
    const { baseUrl, pid } = this.state;
    const message = `the sandbox at ${baseUrl} uses the folder ${this.dataDir}, but does not respond`;
    const hint = `Wait and try again, or end it yourself${pid ? ` (process ${pid})` : ''}.`;
    return new MarError('service', message, { hint, cause });
  }
}

interface Uses<T> {
  running(sandbox: RunningSandbox): Promise<T>;
  /** The folder is locked during the call. Without a store, there are no records yet. */
  stopped(store?: RecordStore): T | Promise<T>;
}

/** Works with the data of a folder, whether a sandbox is using it or not. Creates nothing. */
export async function withData<T>(dataDir: string, uses: Uses<T>): Promise<T> {
  const path = resolve(dataDir);
  if (!existsSync(join(path, 'sandbox.db'))) return uses.stopped();
  let folder: DataFolder;
  try {
    folder = await openDataFolder(path, false);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    return uses.running(findRunning(path, error));
  }
  try {
    return await (folder.fresh ? uses.stopped() : uses.stopped(new RecordStore(folder.database)));
  } finally {
    folder.release();
  }
}

/** The sandbox that uses a folder, if there is one. */
export const runningSandbox = (dataDir: string): Promise<RunningSandbox | undefined> =>
  withData<RunningSandbox | undefined>(dataDir, {
    running: async (sandbox) => sandbox,
    stopped: () => undefined,
  });

const isInUse = (dataDir: string) =>
  runningSandbox(dataDir).then(Boolean, (error) => error instanceof FolderInUse);

function findRunning(path: string, inUse: FolderInUse): RunningSandbox {
  const file = join(path, stateFileName);
  let text: string;
  try {
    text = readRegularFile(file).toString('utf8');
  } catch (error) {
    // It is starting or stopping.
    if (systemCode(error) === 'ENOENT') throw inUse;
    throw error;
  }
  const state = parseState(text);
  if (state) return new RunningSandbox(path, state);
  throw usageError(
    `${file} does not say how to reach the sandbox`,
    'The file is damaged. End the process of the sandbox yourself, then start it again.',
  );
}

/** Undefined for a damaged file, and for an address on another machine: the secret must not go there. */
const parseState = (text: string): SandboxState | undefined =>
  orUndefined(() => {
    const { baseUrl, pid, secret } = JSON.parse(text);
    const { protocol, hostname } = new URL(baseUrl);
    const isLocal = protocol === 'http:' && hostname === sandboxHost;
    const isPid = pid === undefined || Number.isSafeInteger(pid);
    const isSecret = typeof secret === 'string' && /^[\w-]+$/.test(secret);
    return isLocal && isPid && isSecret ? { baseUrl, pid, secret } : undefined;
  });
