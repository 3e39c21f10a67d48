import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type ErrorKind, MarError, runHint, systemCode, usageError } from '../../../core/errors.ts';
import { readRegularFile } from '../../../core/files/regularFile.ts';
import { words } from '../../../core/values/commandLine.ts';
import { type DataFolder, FolderInUse, openDataFolder } from '../store/dataFolder.ts';
import { type ExportedPage, RecordStore } from '../store/recordStore.ts';

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

export type RunningSandbox = ReturnType<typeof sandboxAt>;

/** A sandbox in another process, found through its data folder. */
function sandboxAt(dataDir: string, state: SandboxState) {
  const { baseUrl, pid, secret } = state;
  const silent = (cause?: unknown) => {
    const message = `the sandbox at ${baseUrl} uses the folder ${dataDir}, but does not respond`;
    const hint = `Wait and try again, or end it yourself${pid ? ` (process ${pid})` : ''}.`;
    return new MarError('service', message, { hint, cause });
  };
  /** Sends a control request and returns the parsed body of the response. */
  async function ask<Body>(method: 'GET' | 'POST' | 'PUT', action: string, content?: object) {
    const url = new URL(`/_sandbox/${action}`, baseUrl);
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
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
      throw error instanceof MarError ? error : silent(error);
    }
  }
  return {
    state,
    ask,
    /** A page of all records, as `RecordStore.exportPage` returns it. */
    exportPage: (after: string) => ask<ExportedPage>('GET', `export?after=${after}`),
    /** Ends it through its own server: an id of a process may belong to another one by now. */
    async stop(): Promise<void> {
      await ask('POST', 'stop');
      const deadline = Date.now() + maxStoppingMs;
      while (await isInUse(dataDir)) {
        if (Date.now() > deadline) throw silent();
        await delay(pollMs);
      }
    },
  };
}

/** The sandbox that uses a folder, or else the folder, locked until it is released. Creates nothing. */
async function openData(dataDir: string) {
  const path = resolve(dataDir);
  if (!existsSync(join(path, 'sandbox.db'))) return {};
  try {
    return { folder: await openDataFolder(path, false) };
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    return { running: findRunning(path, error) };
  }
}

/** Undefined if there are no records yet. */
const storeIn = (folder: DataFolder | undefined) =>
  folder && !folder.fresh ? new RecordStore(folder.database) : undefined;

/** The sandbox that uses a folder, if there is one. */
export async function runningSandbox(dataDir: string): Promise<RunningSandbox | undefined> {
  const { running, folder } = await openData(dataDir);
  folder?.release();
  return running;
}

/** The state and the contents of a sandbox, whether it is running or not. */
export async function sandboxStatus(dataDir: string): Promise<object> {
  const { running, folder } = await openData(dataDir);
  if (running) {
    const { pid, ...facts } = await running.ask<{ pid?: number }>('GET', 'status');
    return { running: true, baseUrl: running.state.baseUrl, pid, dataDir, ...facts };
  }
  try {
    const store = storeIn(folder);
    const contents = { records: store?.counts() ?? {}, examples: store?.examples() ?? {} };
    return { running: false, dataDir, service: folder?.service.file, ...contents };
  } finally {
    folder?.release();
  }
}

/** All records, page by page, as lines of JSON. */
export async function* exportedPages(dataDir: string): AsyncGenerator<readonly string[]> {
  const { running, folder } = await openData(dataDir);
  try {
    const source = running ?? storeIn(folder);
    if (!source) {
      const hint = runHint('To create the demo data', words`mar sandbox`);
      throw usageError(`the data folder ${dataDir} has no records`, hint);
    }
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { lines, next }: ExportedPage = await source.exportPage(after);
      yield lines;
      after = next;
    }
  } finally {
    folder?.release();
  }
}

/** Deletes all records. Returns the running sandbox, if there is one. */
export async function resetSandbox(dataDir: string): Promise<RunningSandbox | undefined> {
  // A damaged database cannot be read, but it can be deleted.
  const running = await runningSandbox(dataDir).catch(() => undefined);
  if (running) await running.ask('POST', 'reset');
  else (await openDataFolder(dataDir, true)).release();
  return running;
}

const isInUse = (dataDir: string) =>
  runningSandbox(dataDir).then(Boolean, (error) => error instanceof FolderInUse);

function findRunning(path: string, inUse: FolderInUse): RunningSandbox {
  try {
    const text = readRegularFile(join(path, stateFileName)).toString('utf8');
    return sandboxAt(path, JSON.parse(text));
  } catch (error) {
    // It is starting or stopping.
    if (systemCode(error) === 'ENOENT') throw inUse;
    throw error;
  }
}
