import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '../api/endpoints.ts';
import { MarError, systemCode, usageError } from '../errors.ts';
import { Accounts, hashPassword } from './accounts.ts';
import { makeControl } from './control.ts';
import { createTables, type Database, databaseError } from './database.ts';
import { type DataFolder, openDataFolder } from './dataFolder.ts';
import { type FaultSettings, Faults } from './faults.ts';
import { createHttpServer, type RunningServer } from './httpServer.ts';
import { basePath } from './parseRequest.ts';
import { RecordStore } from './recordStore.ts';
import { makeRequestHandler, type Registry } from './requestHandler.ts';
import { RequestLog } from './requestLog.ts';
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
  /** Failures on request, as on the command line. */
  faults?: FaultSettings;
  registry?: Registry;
  /** Called for bugs of the sandbox itself; the client gets a plain 500. */
  onError?: (error: unknown) => void;
}

export interface Sandbox {
  /** http://127.0.0.1:PORT/api */
  baseUrl: string;
  email: string;
  password: string;
  /** The seed of faults with a share: with the same seed, the same requests fail. */
  faultSeed: number;
  /** An absolute path. */
  dataDir: string;
  /**
   * Brings back the demo data and the faults of the start, and empties the log, while requests go on.
   * Tokens stay valid.
   */
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
  const faults = new Faults(options.faults);
  const folder = await openDataFolder(dataDir, reset);
  try {
    const { database } = folder;
    const store = new RecordStore(database);
    const accounts = new Accounts(database);
    const log = new RequestLog();
    if (folder.fresh) await fillDatabase(database, store, accounts, downloads);
    const startOver = async () => {
      await fillDatabase(database, store, accounts, downloads);
      log.clear();
      faults.reset();
    };
    const control = makeControl({ log, faults, store, accounts, reset: startOver });
    const handler = makeRequestHandler(store, accounts, registry);
    const running = createHttpServer({ handler, control: control.handle, faults, log, onError });
    await (options.port === undefined ? listenNear : listen)(running.server, port);
    running.server.on('error', onError);
    const address = running.server.address() as AddressInfo;
    let closing: Promise<void> | undefined;
    return {
      baseUrl: `http://${host}:${address.port}${basePath}`,
      email: demoEmail,
      password: demoPassword,
      faultSeed: faults.state().seed,
      dataDir: folder.path,
      reset: startOver,
      close: () => {
        control.close();
        closing ??= shutDown(running, folder);
        return closing;
      },
    };
  } catch (error) {
    folder.release();
    throw databaseError(error, folder.databasePath);
  }
}

/**
 * Replaces all records and users with the demo data. Uses one transaction: if the process is killed,
 * the next start finds the database as it was. Tokens stay valid.
 */
async function fillDatabase(
  database: Database,
  store: RecordStore,
  accounts: Accounts,
  downloads?: number,
): Promise<void> {
  const now = Date.now();
  const demo = seed(now, downloads);
  const passwordHash = await hashPassword(demoPassword);
  database.transaction(() => {
    database.exec(createTables);
    store.clear();
    accounts.clear();
    for (const { kind, id, record } of demo.records) store.insert(kind, id, record, now);
    for (const download of demo.downloads) {
      store.insert('Download', String(download.get('_id')), download, now);
    }
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
