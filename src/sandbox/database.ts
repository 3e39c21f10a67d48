import { MarError, systemCode } from '../errors.ts';
import type { Connection, Statement } from './connection.ts';
import { connect } from './libsql.ts';
import { applicationId, schemaVersion } from './schema.ts';

export interface Database extends Omit<Connection, 'inTransaction'> {
  /** Everything `work` writes, or nothing of it. */
  transaction<T>(work: () => T): T;
}

/** Opens a database file, making it if need be. */
export async function openDatabase(path: string): Promise<Database> {
  const connection = await connect(path);
  // Prepared: libsql's own transactions parse these words again for every write.
  const [begin, commit, rollback] = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'].map((sql) =>
    connection.prepare(sql),
  ) as [Statement, Statement, Statement];
  return {
    prepare: (sql) => connection.prepare(sql),
    exec: (sql) => connection.exec(sql),
    transaction: (work) => {
      begin.run();
      try {
        const result = work();
        commit.run();
        return result;
      } catch (error) {
        // A commit that failed may have ended the transaction itself.
        if (connection.inTransaction) rollback.run();
        throw error;
      }
    },
    close: () => connection.close(),
  };
}

/**
 * Makes a database ready for use: whether it is new and to be filled. Throws if it is someone
 * else's, newer or damaged.
 */
export function adoptDatabase(database: Database, path: string): { fresh: boolean } {
  const pragma = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[0];
  const application = pragma('application_id');
  const version = pragma('user_version');
  const made = database.prepare('SELECT count(*) FROM sqlite_master').get()?.[0] !== 0;
  const fresh = application === 0 && version === 0 && !made;
  if (!fresh && application !== applicationId) throw foreignDatabase(path);
  if (!fresh && version !== schemaVersion) {
    throw new MarError('usage', `${path} was made by another version of mar`, {
      hint: '--reset deletes it and starts anew; --data DIR takes another folder',
    });
  }
  if (pragma('quick_check(1)') !== 'ok') throw damagedDatabase(path);
  // Write-ahead logging with NORMAL: a commit is in the operating system's hands when it returns,
  // so it survives the death of this process. Only a power cut can lose the last commits, and
  // FULL would pay for that with a disk flush a write, which demo data is not worth.
  database.prepare('PRAGMA journal_mode = WAL').get();
  database.exec('PRAGMA synchronous = NORMAL');
  return { fresh };
}

/**
 * Takes a database back to a single file. libsql lets go of a closed one only when it is garbage;
 * were its log still there, it would delete it then, by its name, and hit the log of whoever has
 * opened the folder since.
 */
export function settleDatabase(database: Database): void {
  try {
    database.exec('PRAGMA busy_timeout = 0');
    database.prepare('PRAGMA journal_mode = DELETE').get();
  } catch (error) {
    // Someone is looking into the file, or the disk is full. It is sound with its log, too.
    if (systemCode(error) !== 'SQLITE_BUSY' && !isDiskFailure(error)) throw error;
  }
}

/** Whether the file system refused a write: a full disk, a limit, a folder that became read-only. */
export const isDiskFailure = (error: unknown): boolean =>
  /^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)/.test(systemCode(error) ?? '');

/** Whether a file is a database that belongs to some other program. */
export function isForeign(database: Database): boolean {
  const application = database.prepare('PRAGMA application_id').get()?.[0];
  const tables = database.prepare('SELECT count(*) FROM sqlite_master').get()?.[0];
  return application !== applicationId && tables !== 0;
}

export const foreignDatabase = (path: string) =>
  new MarError('usage', `${path} is a database of another program`, {
    hint: 'nothing was changed; --data DIR takes another folder',
  });

const damagedDatabase = (path: string, cause?: unknown) =>
  new MarError('usage', `${path} is damaged, or is not a database`, {
    hint: '--reset deletes it and starts anew; --data DIR takes another folder',
    cause,
  });

/** What a failure to open or adopt a database means to the user. */
export function databaseError(error: unknown, path: string): unknown {
  if (error instanceof MarError) return error;
  const code = systemCode(error) ?? '';
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return damagedDatabase(path, error);
  }
  if (!code.startsWith('SQLITE_')) return error;
  return new MarError('usage', `cannot use the database ${path} (${code})`, {
    hint: 'see that it can be written and the disk is not full, or take another folder with --data DIR',
    cause: error,
  });
}
