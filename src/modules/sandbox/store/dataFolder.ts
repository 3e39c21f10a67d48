import { chmodSync, constants, existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { MarError } from '../../../core/errors.ts';
import { acquireLock } from '../../../core/files/lock.ts';
import { makeFolder } from '../../../core/files/makeFolder.ts';
import { readRegularFile, withRegularFile } from '../../../core/files/regularFile.ts';
import { replaceFile } from '../../../core/files/replaceFile.ts';
import { systemReason } from '../../../core/files/systemReason.ts';
import { stateFileOf } from '../constants.ts';
import type { Description } from './behaviour.ts';
import { adoptDatabase, type Database, databaseError, mergeLog, openDatabase } from './database.ts';

/** A sandbox that counts as stopped has the lock for a moment longer. */
const maxLockMs = 200;

export type DataFolder = Awaited<ReturnType<typeof openDataFolder>>;

/** The folder is locked until it is released. It is fresh if its database has no tables yet. */
export async function openDataFolder(dataDir: string, reset: boolean) {
  const path = resolve(dataDir);
  const databasePath = join(path, 'sandbox.db');
  await makeDataFolder(path);
  const problem = `another sandbox is using the data folder ${path} (to stop it, run: mar sandbox stop)`;
  const file = join(path, 'sandbox.lock');
  const lock = await writingTo(path, () => acquireLock(file, problem, { waitMs: maxLockMs }));
  let opened: Database | undefined;
  try {
    if (reset) {
      const files = ['', '-wal', '-shm', '-journal'].map((suffix) => databasePath + suffix);
      await writingTo(path, () => {
        for (const file of files) rmSync(file, { force: true });
      });
    }
    await makePrivateFile(databasePath);
    const database = await openDatabase(databasePath);
    opened = database;
    const fresh = adoptDatabase(database, databasePath);
    const release = () => {
      mergeLog(database);
      database.close();
      // From here on, it counts as stopped.
      rmSync(stateFileOf(path), { force: true });
      lock.release();
    };
    const serviceFile = join(path, 'service.json');
    /** The behaviour of the service that the records are of. */
    const service: Description = existsSync(serviceFile)
      ? JSON.parse(`${readRegularFile(serviceFile)}`)
      : {};
    const describe = (now: Description) => writeDataFile(serviceFile, JSON.stringify(now));
    return { path, databasePath, database, fresh, service, describe, release };
  } catch (error) {
    opened?.close();
    lock.release();
    throw databaseError(error, databasePath);
  }
}

/** A folder that already has files keeps its mode: other users may need it. */
export const makeDataFolder = (folder: string): Promise<void> =>
  writingTo(folder, () => {
    makeFolder(folder);
    if (readdirSync(folder).length === 0) chmodSync(folder, 0o700);
  });

/** Created here because SQLite would make it readable for other users. */
function makePrivateFile(file: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
  return writingTo(dirname(file), () => withRegularFile(file, flags, () => {}));
}

/** Writes a small file that only its owner can read. */
export const writeDataFile = (file: string, text: string): Promise<void> =>
  writingTo(dirname(file), () => replaceFile(file, text));

async function writingTo<T>(folder: string, write: () => T | Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (cause instanceof MarError) throw cause;
    const message = `cannot write to the data folder ${folder}: ${systemReason(cause)}`;
    const hint = 'Use another folder with --data DIR, or use --ephemeral.';
    throw new MarError('usage', message, { hint, cause });
  }
}
