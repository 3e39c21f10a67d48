import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MarError, systemCode, usageError } from '../errors.ts';
import { databaseError } from './database.ts';
import { fillDatabase } from './fill.ts';
import { type DataFolder, openFolder } from './folder.ts';
import { demoEmail, demoPassword } from './seed/users.ts';
import { type RunningServer, serve } from './server.ts';
import { makeService } from './service.ts';
import { basePath } from './target.ts';

export interface SandboxOptions {
  /** Where the database is kept; made if it is not there. */
  dataDir: string;
  /** 0 or absent: a free one. */
  port?: number;
  /** Deletes what is stored and starts anew. */
  reset?: boolean;
  /** How many downloads a new database gets; a few thousand unless told. */
  downloads?: number;
  /** Told of failures that are the sandbox's own; the client gets a plain 500. */
  onError?: (error: unknown) => void;
}

export interface Sandbox {
  /** http://127.0.0.1:PORT/api */
  baseUrl: string;
  email: string;
  password: string;
  /** Absolute. */
  dataDir: string;
  /** Finishes what is under way, then lets go of the port and the folder. */
  close(): Promise<void>;
}

const host = '127.0.0.1';
/** How long requests that are under way may take once the sandbox is to close. */
const closingMs = 1000;

/** Serves the whole API on loopback, stored in one folder. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataDir, port = 0, reset = false, downloads, onError = () => {} } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw usageError(
      `${port} is not a port`,
      'a port is a number from 0 to 65535; 0 is a free one',
    );
  }
  const folder = await openFolder(dataDir, reset);
  try {
    if (folder.fresh) await fillDatabase(folder.database, Date.now(), downloads);
    const running = serve(makeService(folder.database), onError);
    await listen(running.server, port);
    running.server.on('error', onError);
    const address = running.server.address() as AddressInfo;
    let closing: Promise<void> | undefined;
    return {
      baseUrl: `http://${host}:${address.port}${basePath}`,
      email: demoEmail,
      password: demoPassword,
      dataDir: folder.path,
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

async function listen(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (cause) {
    const code = systemCode(cause);
    const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`;
    throw new MarError('usage', `port ${port} ${reason}`, {
      hint: 'take another with --port N, or leave it out for a free one',
      cause,
    });
  }
}

async function shutDown({ server, settled }: RunningServer, folder: DataFolder): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), closingMs);
  await closed;
  clearTimeout(timer);
  await settled();
  folder.release();
}
