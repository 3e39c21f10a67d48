import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '../../core/api/endpoints.ts';
import { MarError, systemCode, usageError } from '../../core/errors.ts';
import { readRegularFile } from '../../core/files/regularFile.ts';
import { makeRequestHandler, type Registry } from './api/requestHandler.ts';
import {
  defaultPort,
  type SandboxState,
  sandboxHost,
  stateFileOf,
  tokenFilePath,
} from './constants.ts';
import { makeControlApi } from './control/controlApi.ts';
import { Faults } from './faults/faults.ts';
import { createHttpServer } from './http/httpServer.ts';
import { basePath } from './http/parseRequest.ts';
import { RequestLog } from './log/requestLog.ts';
import { demoSeed } from './seed/demoData.ts';
import { newToken } from './store/accounts.ts';
import type { Behaviour, Description } from './store/behaviour.ts';
import { databaseError, markDatabase } from './store/database.ts';
import { type DataFolder, openDataFolder, writeDataFile } from './store/dataFolder.ts';
import { RecordStore, type Seed } from './store/recordStore.ts';
import tables from './store/tables.sql?raw';

export interface SandboxOptions {
  /** Created if it does not exist. */
  dataDir: string;
  /** 0 selects a free port. By default, `firstPort`, or a free one. */
  port?: number;
  firstPort?: number;
  /** Deletes all stored records and starts over. */
  reset?: boolean;
  /** Makes the records of a new database; the demo data by default. */
  seed?: () => Seed;
  /** The behaviour of the service that it plays. By default, the one that the data was made for. */
  service?: Description;
  /** Number of downloads in the demo data. */
  downloads?: number;
  /** Failures on request, as on the command line. */
  faults?: readonly string[];
  registry?: Registry;
  /** The id of this process. */
  pid?: number;
  /** Called for bugs of the sandbox itself; the client gets a plain 500. */
  onError?: (error: unknown) => void;
}

/** The facts about a sandbox that is running. */
export type SandboxStatus = ReturnType<Sandbox['status']>;

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

const maxClosingMs = 1000;

/** Serves the whole API on loopback. Its data is in one folder. */
export async function startSandbox(options: SandboxOptions) {
  const { dataDir, firstPort = defaultPort, downloads, pid } = options;
  const { registry = endpoints, onError = () => {} } = options;
  const faults = new Faults(options.faults);
  const folder = await openDataFolder(dataDir, options.reset === true);
  let server: Server | undefined;
  try {
    const { database } = folder;
    const service = options.service ?? (options.reset ? {} : folder.service);
    const store = new RecordStore(database, service);
    const { accounts, behaviour } = store;
    const { seed = () => demoRecords(behaviour, downloads) } = options;
    const flag = options.seed ? '--seed' : '--service';
    if (folder.fresh) {
      if (service.file ?? folder.service.file) await folder.describe(service);
      store.fill(seed, () => database.exec(tables + markDatabase));
    } else if (options.seed || options.service) {
      throw usageError(
        `the data folder ${folder.path} already has records`,
        `Use --reset to replace them with those of ${flag}, or start without ${flag} to keep them.`,
        { flag },
      );
    }
    const log = new RequestLog();
    /** A reset logs nobody out, and makes the token of the folder valid if it was revoked. */
    const acceptOwnToken = () => {
      const token = readToken(folder.path);
      if (token) accounts.acceptToken(accounts.first().userId, token);
    };
    if (folder.fresh) acceptOwnToken();
    const secret = randomBytes(24).toString('base64url');
    const stopRequest = new AbortController();
    /** Makes the token in the file of the folder one of the first user, and returns the file. */
    const login = async () => {
      const file = tokenFilePath(folder.path);
      const token = readToken(folder.path) ?? newToken();
      await writeDataFile(file, `${token}\n`);
      accounts.acceptToken(accounts.first().userId, token);
      return file;
    };
    const stop = () => stopRequest.abort();
    const status = () => ({
      running: true,
      baseUrl: `http://${sandboxHost}:${(running.server.address() as AddressInfo).port}${basePath}`,
      pid,
      email: accounts.first().email,
      password: accounts.first().password,
      dataDir: folder.path,
      service: service.file,
      faults: faults.state().faults.map(({ fault }) => fault),
      records: store.counts(),
      /** Ids to try. */
      examples: store.examples(),
    });
    /** Tokens stay valid. */
    const reset = () => {
      store.fill(seed, () => store.clear());
      acceptOwnToken();
      log.clear();
      faults.reset();
    };
    const control = makeControlApi({ log, faults, store, status, secret, login, reset, stop });
    const handler = makeRequestHandler(store, registry);
    const running = createHttpServer({ handler, control, behaviour, faults, log, onError });
    server = running.server;
    if (options.port !== undefined) await listen(running.server, options.port);
    // Taken, or reserved by the system.
    else await listen(running.server, firstPort).catch(() => listen(running.server, 0));
    running.server.on('error', onError);
    const { baseUrl } = status();
    const state: SandboxState = { baseUrl, pid, secret };
    await writeDataFile(stateFileOf(folder.path), `${JSON.stringify(state)}\n`);
    let closing: Promise<void> | undefined;
    return {
      ...status(),
      /** Its records were made at this start. */
      isNew: folder.fresh,
      status,
      login,
      /** Aborted when `mar sandbox stop` asks the sandbox to close. */
      stopSignal: stopRequest.signal,
      /** Finishes the requests in progress, then frees the port and the folder. */
      close: () => {
        closing ??= shutDown(running, folder);
        return closing;
      },
    };
  } catch (error) {
    server?.close();
    folder.release();
    throw databaseError(error, folder.databasePath);
  }
}

/** The demo data, as the service would have it. */
function* demoRecords({ adapt }: Behaviour, downloads?: number): Seed {
  for (const one of demoSeed(Date.now(), downloads)) {
    yield { ...one, record: adapt(one.record) as typeof one.record };
  }
}

/** Undefined if the file is missing or unreadable: it is written again. */
function readToken(folder: string): string | undefined {
  try {
    return readRegularFile(tokenFilePath(folder)).toString('utf8').trim() || undefined;
  } catch (error) {
    if (error instanceof MarError) throw error;
    return undefined;
  }
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, sandboxHost);
    await once(server, 'listening');
  } catch (cause) {
    const code = systemCode(cause);
    const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`;
    throw new MarError('usage', `port ${port} ${reason}`, {
      hint: 'Use another --port, or leave it out to use a free one.',
      cause,
    });
  }
}

type RunningServer = ReturnType<typeof createHttpServer>;

async function shutDown({ server, idle }: RunningServer, folder: DataFolder): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), maxClosingMs);
  await closed;
  clearTimeout(timer);
  await idle();
  folder.release();
}
