import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { endpoints } from '../api/endpoints.ts';
import { MarError, systemCode, usageError } from '../errors.ts';
import { makeRequestHandler, type Registry } from './api/requestHandler.ts';
import { makeControlApi } from './control/controlApi.ts';
import { restoreToken, writeTokenFile } from './control/login.ts';
import { findRecords } from './control/records.ts';
import { type SandboxState, sandboxHost, stateFileName } from './control/runningSandbox.ts';
import { type FaultSettings, Faults } from './faults/faults.ts';
import { createHttpServer } from './http/httpServer.ts';
import { basePath } from './http/parseRequest.ts';
import { RequestLog } from './log/requestLog.ts';
import { demoSeed } from './seed/seed.ts';
import { Accounts, demoPassword } from './store/accounts.ts';
import { createTables, databaseError } from './store/database.ts';
import { type DataFolder, openDataFolder, writeDataFile } from './store/dataFolder.ts';
import { exportPage } from './store/exportRecords.ts';
import { fillDatabase, type Seed } from './store/fillDatabase.ts';
import { type ExampleIds, RecordStore } from './store/recordStore.ts';

export interface SandboxOptions {
  /** Created if it does not exist. */
  dataDir: string;
  /** 0 selects a free port. By default, the first free one from `defaultPort` on. */
  port?: number;
  /** Deletes all stored records and starts over. */
  reset?: boolean;
  /** Makes the records of a new database; the demo data by default. */
  seed?: () => Seed;
  /** Number of downloads in the demo data. */
  downloads?: number;
  /** Failures on request, as on the command line. */
  faults?: FaultSettings;
  registry?: Registry;
  /** A page of a list ends with the record that reaches this size, so that it fits into memory. */
  maxPageBytes?: number;
  /** The id of this process. */
  pid?: number;
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
  /** Ids to try. */
  examples: ExampleIds;
  /** Writes a valid token for `email` to a file in the folder, and returns its path. */
  login(): Promise<string>;
  /**
   * Brings back the records of a new database and the faults of the start, and empties the log, while
   * requests go on. Tokens stay valid.
   */
  reset(): Promise<void>;
  /** Resolves when `mar sandbox stop` asks it to close. */
  stopRequested: Promise<void>;
  /** Finishes the requests in progress, then frees the port and the folder. */
  close(): Promise<void>;
}

export const defaultPort = 4747;
/** How many ports are tried, before the system chooses one. */
const maxPorts = 100;
const maxClosingMs = 1000;

/** Serves the whole API on loopback. Its data is in one folder. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataDir, port = defaultPort, downloads, pid } = options;
  const { registry = endpoints, onError = () => {} } = options;
  const { seed = () => demoSeed(Date.now(), downloads) } = options;
  const faults = new Faults(options.faults);
  const folder = await openDataFolder(dataDir, options.reset === true);
  let server: Server | undefined;
  try {
    const { database } = folder;
    if (folder.fresh) await fillDatabase(database, seed, () => database.exec(createTables));
    else if (options.seed) throw hasData(folder.path);
    const store = new RecordStore(database, options.maxPageBytes);
    const accounts = new Accounts(database);
    const log = new RequestLog();
    if (folder.fresh) restoreToken(folder.path, accounts);
    let requestStop = () => {};
    const stopRequested = new Promise<void>((resolve) => {
      requestStop = resolve;
    });
    const { email } = accounts.first();
    const sandbox = {
      email,
      password: demoPassword,
      faultSeed: faults.state().seed,
      dataDir: folder.path,
      examples: store.examples(),
      stopRequested,
      login: () => writeTokenFile(folder.path, accounts),
      async reset() {
        await fillDatabase(database, seed, () => {
          store.clear();
          accounts.clear();
        });
        log.clear();
        faults.reset();
        control.streams.send('reset', faults.state());
      },
    };
    const secret = randomBytes(24).toString('base64url');
    const commands = {
      'GET status': () => ({ pid, email, records: store.counts(), examples: store.examples() }),
      'GET find': (query: URLSearchParams) => findRecords(store, query.get('id') ?? ''),
      'GET export': (query: URLSearchParams) => exportPage(database, query.get('after') ?? ''),
      'POST login': async () => ({ email, tokenFile: await sandbox.login() }),
      'POST stop': () => {
        requestStop();
        return {};
      },
    };
    const { reset } = sandbox;
    const control = makeControlApi({ log, faults, store, accounts, reset, commands, secret });
    const handler = makeRequestHandler(store, accounts, registry);
    const running = createHttpServer({ handler, control: control.handle, faults, log, onError });
    server = running.server;
    await (options.port === undefined ? listenNear : listen)(running.server, port);
    running.server.on('error', onError);
    const address = running.server.address() as AddressInfo;
    const baseUrl = `http://${sandboxHost}:${address.port}${basePath}`;
    const state: SandboxState = { baseUrl, pid, secret };
    await writeDataFile(folder.path, stateFileName, `${JSON.stringify(state)}\n`);
    let closing: Promise<void> | undefined;
    return {
      baseUrl,
      ...sandbox,
      close: () => {
        control.streams.close();
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

const hasData = (folder: string) =>
  usageError(
    `the data folder ${folder} already has records`,
    'Use --reset to replace them with those of --seed, or start without --seed to keep them.',
  );

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
    server.listen(port, sandboxHost);
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

type RunningServer = ReturnType<typeof createHttpServer>;

async function shutDown({ server, idle }: RunningServer, folder: DataFolder): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), maxClosingMs);
  await closed;
  clearTimeout(timer);
  await idle();
  rmSync(join(folder.path, stateFileName), { force: true });
  folder.release();
}
