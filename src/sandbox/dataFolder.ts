import { constants } from 'node:fs';
import { chmod, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { MarError, systemCode } from '../errors.ts';
import { makeFolder } from '../files/makeFolder.ts';
import { withRegularFile } from '../files/regularFile.ts';
import {
  adoptDatabase,
  type Database,
  databaseError,
  foreignDatabase,
  isForeign,
  mergeLog,
  openDatabase,
} from './database.ts';

/** A data folder, locked by this sandbox until it is released. */
export interface DataFolder {
  /** An absolute path. */
  readonly path: string;
  readonly databasePath: string;
  readonly database: Database;
  /** The database has no tables yet. */
  readonly fresh: boolean;
  release(): void;
}

export async function openDataFolder(dataDir: string, reset: boolean): Promise<DataFolder> {
  const folder = resolve(dataDir);
  const path = join(folder, 'sandbox.db');
  const lockPath = join(folder, 'sandbox.lock');
  await makeDataFolder(folder);
  makePrivateFile(lockPath, folder);
  const lock = await lockFolder(lockPath, folder);
  try {
    makePrivateFile(path, folder);
    if (reset) {
      await removeDatabase(path);
      makePrivateFile(path, folder);
    }
    const database = await openDatabase(path);
    const { fresh } = closingOnError(database, () => adoptDatabase(database, path));
    const release = () => {
      mergeLog(database);
      database.close();
      unlock(lock);
    };
    return { path: folder, databasePath: path, database, fresh, release };
  } catch (error) {
    unlock(lock);
    throw databaseError(error, path);
  }
}

/** A folder that already has files keeps its mode: other users may need it. */
async function makeDataFolder(folder: string): Promise<void> {
  try {
    makeFolder(folder);
    if ((await readdir(folder)).length === 0) await chmod(folder, 0o700);
  } catch (error) {
    throw folderError(error, folder);
  }
}

/** Created here because SQLite would make it readable for other users. */
function makePrivateFile(path: string, folder: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT } = constants;
  try {
    withRegularFile(path, O_WRONLY | O_APPEND | O_CREAT, () => {});
  } catch (error) {
    if (error instanceof MarError) throw error;
    throw folderError(error, folder);
  }
}

/** Keeps an exclusive transaction open on a separate file. It ends when the process ends. */
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
  // Closing alone would keep the lock until the connection is garbage collected.
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
    // The file cannot be read, so no other program can use it either.
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
