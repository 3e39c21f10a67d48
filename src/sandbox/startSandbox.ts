import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '../api/endpoints.ts';
import { MarError, systemCode, usageError } from '../errors.ts';
import { Accounts, hashPassword } from './accounts.ts';
import { createTables, type Database, databaseError } from './database.ts';
import { type DataFolder, openDataFolder } from './dataFolder.ts';
import { createHttpServer, type RunningServer } from './httpServer.ts';
import { basePath } from './parseRequest.ts';
import { RecordStore } from './recordStore.ts';
import { makeRequestHandler, type Registry } from './requestHandler.ts';
import { demoEmail, demoPassword, users } from './seed/demoUsers.ts';
import { seed } from './seed/seed.ts';

export interface SandboxOptions {
  /** Created if it does not exist. */
  dataDir: string;
  /** 0 selects a free port. By default, the first free one from `defaultPort` on. */
  port?: number;
  /** Deletes all stored records and starts over with the demo data. */
  reset?: boolean;
  /** Number of downloads in a new database. */
  downloads?: number;
  registry?: Registry;
  /** Called for bugs of the sandbox itself; the client gets a plain 500. */
  onError?: (error: unknown) => void;
}

export interface Sandbox {
  /** http://127.0.0.1:PORT/api */
  baseUrl: string;
  email: string;
  password: string;
  /** An absolute path. */
  dataDir: string;
  /** Deletes everything and writes new demo data, while requests go on. */
  reset(): Promise<void>;
  /** Finishes the requests in progress, then frees the port and the folder. */
  close(): Promise<void>;
}

const host = '127.0.0.1';
export const defaultPort = 4747;
/** How many ports are tried, before the system chooses one. */
const maxPorts = 100;
const maxClosingMs = 1000;

/** Serves the whole API on loopback. Its data is in one folder. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataDir, port = defaultPort, reset = false, downloads } = options;
  const { registry = endpoints, onError = () => {} } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    const hint = 'A port is a number from 0 to 65535. 0 selects a free port.';
    throw usageError(`invalid port ${port}`, hint);
  }
  const folder = await openDataFolder(dataDir, reset);
  try {
    const { database } = folder;
    if (folder.fresh) await fillDatabase(database, () => database.exec(createTables), downloads);
    const running = createHttpServer(makeRequestHandler(database, registry), onError);
    await (options.port === undefined ? listenNear : listen)(running.server, port);
    running.server.on('error', onError);
    const address = running.server.address() as AddressInfo;
    let closing: Promise<void> | undefined;
    return {
      baseUrl: `http://${host}:${address.port}${basePath}`,
      email: demoEmail,
      password: demoPassword,
      dataDir: folder.path,
      reset: () => fillDatabase(database, () => new RecordStore(database).clear(), downloads),
      close: () => {
        closing ??= shutDown(running, folder);
        return closing;
      },
    };
  } catch (error) {
    folder.release();
    throw databaseError(error, folder.databasePath);
  }
}

/** Uses one transaction: if the process is killed, the next start finds what was there before. */
async function fillDatabase(
  database: Database,
  prepare: () => void,
  downloads?: number,
): Promise<void> {
  const now = Date.now();
  const demo = seed(now, downloads);
  const passwordHash = await hashPassword(demoPassword);
  database.transaction(() => {
    prepare();
    const store = new RecordStore(database);
    for (const { kind, id, record } of demo.records) store.insert(kind, id, record, now);
    for (const download of demo.downloads) {
      store.insert('Download', String(download.get('_id')), download, now);
    }
    const accounts = new Accounts(database);
    for (const { _id, emailNormal } of users) accounts.add(_id, emailNormal, passwordHash);
  });
}

async function listenNear(server: Server, first: number): Promise<void> {
  for (let port = first; port < first + maxPorts; port += 1) {
    try {
      return await listen(server, port);
    } catch (error) {
      // Taken, or reserved by the system.
      if (!(error instanceof MarError)) throw error;
    }
  }
  return listen(server, 0);
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (cause) {
    const code = systemCode(cause);
    const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`;
    throw new MarError('usage', `port ${port} ${reason}`, {
      hint: 'Use another --port, or leave it out to use the next free one.',
      cause,
    });
  }
}

async function shutDown({ server, settled }: RunningServer, folder: DataFolder): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), maxClosingMs);
  await closed;
  clearTimeout(timer);
  await settled();
  folder.release();
}
