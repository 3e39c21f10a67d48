import { chmod, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { MarError, systemCode } from '../errors.ts';
import {
  adoptDatabase,
  type Database,
  databaseError,
  foreignDatabase,
  isForeign,
  openDatabase,
  settleDatabase,
} from './database.ts';

/** A data folder that belongs to this sandbox until it is released. */
export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  readonly databasePath: string;
  readonly database: Database;
  /** The database is new and to be filled. */
  readonly fresh: boolean;
  release(): void;
}

export async function openFolder(dataDir: string, reset: boolean): Promise<DataFolder> {
  const folder = resolve(dataDir);
  const path = join(folder, 'sandbox.db');
  const lockPath = join(folder, 'sandbox.lock');
  await makeFolder(folder);
  await makePrivateFile(lockPath, folder);
  const lock = await lockFolder(lockPath, folder);
  try {
    if (reset) await removeDatabase(path);
    await makePrivateFile(path, folder);
    const database = await openDatabase(path);
    const { fresh } = closingOnError(database, () => adoptDatabase(database, path));
    const release = () => {
      settleDatabase(database);
      database.close();
      unlock(lock);
    };
    return { path: folder, databasePath: path, database, fresh, release };
  } catch (error) {
    unlock(lock);
    throw databaseError(error, path);
  }
}

/** A folder that others filled keeps its mode: it may not be ours to close. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if ((await readdir(folder)).length === 0) await chmod(folder, 0o700);
  } catch (error) {
    throw folderError(error, folder);
  }
}

/** SQLite would make it readable to all that the folder lets in. */
async function makePrivateFile(path: string, folder: string): Promise<void> {
  try {
    const file = await open(path, 'a', 0o600);
    await file.close();
  } catch (error) {
    throw folderError(error, folder);
  }
}

/** An open exclusive transaction on a file of its own: the system ends it with the process. */
async function lockFolder(lockPath: string, folder: string): Promise<Database> {
  const lock = await openDatabase(lockPath);
  return closingOnError(lock, () => {
    try {
      lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
      return lock;
    } catch (error) {
      if (systemCode(error) !== 'SQLITE_BUSY') throw databaseError(error, lockPath);
      throw new MarError('usage', `another sandbox is using the data folder ${folder}`, {
        hint: 'stop it, or take another folder with --data DIR, or --ephemeral',
        cause: error,
      });
    }
  });
}

function unlock(lock: Database): void {
  // Closing alone would keep the lock until the connection is garbage.
  lock.exec('ROLLBACK');
  lock.close();
}

async function removeDatabase(path: string): Promise<void> {
  if (await isForeignFile(path)) throw foreignDatabase(path);
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    await rm(path + suffix, { force: true });
  }
}

async function isForeignFile(path: string): Promise<boolean> {
  const database = await openDatabase(path);
  try {
    return isForeign(database);
  } catch {
    // Damaged beyond reading: nothing is left there that could be someone's.
    return false;
  } finally {
    database.close();
  }
}

function closingOnError<T>(database: Database, work: () => T): T {
  try {
    return work();
  } catch (error) {
    database.close();
    throw error;
  }
}

const folderError = (error: unknown, folder: string) =>
  new MarError('usage', `cannot write the data folder ${folder} (${systemCode(error) ?? error})`, {
    hint: 'take another folder with --data DIR, or --ephemeral',
    cause: error,
  });
