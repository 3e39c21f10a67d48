import { chmodSync, constants, readdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { MarError, systemCode } from '../../errors.ts';
import { makeFolder } from '../../files/makeFolder.ts';
import { withRegularFile } from '../../files/regularFile.ts';
import { replaceFile } from '../../files/replaceFile.ts';
import { systemReason } from '../../files/systemReason.ts';
import {
  adoptDatabase,
  type Database,
  databaseError,
  foreignDatabase,
  isForeign,
  mergeLog,
  openDatabase,
} from './database.ts';

export type DataFolder = Awaited<ReturnType<typeof openDataFolder>>;

/** A running sandbox has the folder. */
export class FolderInUse extends MarError {}

/** The folder is locked until it is released. It is fresh if its database has no tables yet. */
export async function openDataFolder(dataDir: string, reset: boolean) {
  const path = resolve(dataDir);
  const databasePath = join(path, 'sandbox.db');
  makeDataFolder(path);
  const lock = await lockFolder(path);
  try {
    makePrivateFile(databasePath);
    if (reset) {
      await removeDatabase(databasePath);
      makePrivateFile(databasePath);
    }
    const database = await openDatabase(databasePath);
    const fresh = closingOnError(database, () => adoptDatabase(database, databasePath));
    const release = () => {
      mergeLog(database);
      database.close();
      unlock(lock);
    };
    return { path, databasePath, database, fresh, release };
  } catch (error) {
    unlock(lock);
    throw databaseError(error, databasePath);
  }
}

/** A folder that already has files keeps its mode: other users may need it. */
export const makeDataFolder = (folder: string): void =>
  writingTo(folder, () => {
    makeFolder(folder);
    if (readdirSync(folder).length === 0) chmodSync(folder, 0o700);
  });

/** Created here because SQLite would make it readable for other users. */
function makePrivateFile(file: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT } = constants;
  writingTo(dirname(file), () => withRegularFile(file, O_WRONLY | O_APPEND | O_CREAT, () => {}));
}

/** Writes a small file that only its owner can read. */
export const writeDataFile = (folder: string, name: string, text: string): Promise<void> =>
  replaceFile(join(folder, name), text).catch((error) => {
    throw folderError(error, folder);
  });

function writingTo(folder: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw folderError(error, folder);
  }
}

function folderError(error: unknown, folder: string): MarError {
  if (error instanceof MarError) return error;
  const reason = systemReason(error);
  return new MarError('usage', `cannot write to the data folder ${folder}: ${reason}`, {
    hint: 'Use another folder with --data DIR, or use --ephemeral.',
    cause: error,
  });
}

/** Keeps an exclusive transaction open on a separate file. It ends when the process ends. */
async function lockFolder(folder: string): Promise<Database> {
  const lockPath = join(folder, 'sandbox.lock');
  makePrivateFile(lockPath);
  const lock = await openDatabase(lockPath);
  return closingOnError(lock, () => {
    try {
      lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
      return lock;
    } catch (error) {
      if (systemCode(error) !== 'SQLITE_BUSY') throw databaseError(error, lockPath);
      throw new FolderInUse('usage', `another sandbox is using the data folder ${folder}`, {
        hint: 'To stop it, run: mar sandbox stop\nTo run a second one, use --data DIR or --ephemeral.',
        cause: error,
      });
    }
  });
}

function unlock(lock: Database): void {
  // Closing alone would keep the lock until the connection is garbage collected.
  lock.exec('ROLLBACK');
  lock.close();
}

async function removeDatabase(path: string): Promise<void> {
  const database = await openDatabase(path);
  try {
    if (isForeign(database)) throw foreignDatabase(path);
  } catch (error) {
    // A file that SQLite cannot read is of no use to another program either.
    if (error instanceof MarError) throw error;
  } finally {
    database.close();
  }
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
}

function closingOnError<T>(database: Database, work: () => T): T {
  try {
    return work();
  } catch (error) {
    database.close();
    throw error;
  }
}
