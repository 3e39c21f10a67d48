import { MarError, systemCode } from '../errors.ts';
import { type Connection, connect, type Statement } from './libsql.ts';

/** Marks a database file as one of the sandbox ("mars"). */
const applicationId = 0x6d617273;
/** Increase by one whenever the tables change. */
const schemaVersion = 1;

/**
 * A record is stored as its JSON text. The other columns repeat the values that lists filter and
 * sort by, because parsing the text of every row would be slow.
 */
export const createTables = `
  CREATE TABLE records (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    created REAL NOT NULL,
    /* 1 for an asset whose workflow phase is not the last one. */
    open INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (kind, id)
  );
  CREATE INDEX records_newest ON records (kind, created, seq);
  CREATE INDEX records_open ON records (kind, created, seq) WHERE open;

  CREATE TABLE downloads (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    created REAL NOT NULL,
    studio TEXT,
    project TEXT,
    project_name TEXT,
    asset_name TEXT,
    asset_type TEXT,
    file_name TEXT,
    user TEXT,
    /* The names, normalised for searching. */
    search TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX downloads_newest ON downloads (created, seq);

  CREATE TABLE accounts (
    user_id TEXT PRIMARY KEY,
    /* In lower case. */
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE tokens (
    hash TEXT PRIMARY KEY,
    user_id TEXT NOT NULL
  ) WITHOUT ROWID;

  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`;

export interface Database extends Omit<Connection, 'inTransaction'> {
  /** Commits everything that `work` writes, or nothing. */
  transaction<T>(work: () => T): T;
}

/** Opens a database file, and creates it if it does not exist. */
export async function openDatabase(path: string): Promise<Database> {
  const connection = await connect(path);
  // Prepared once, because libsql's own transactions parse these statements for every write.
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
        // A failed commit may already have ended the transaction.
        if (connection.inTransaction) rollback.run();
        throw error;
      }
    },
    close: () => connection.close(),
  };
}

/**
 * Checks a database and sets it up for use. `fresh` means that it has no tables yet. Throws if the
 * database belongs to another program, was made by another version of mar, or is damaged.
 */
export function adoptDatabase(database: Database, path: string): { fresh: boolean } {
  const pragma = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[0];
  const application = pragma('application_id');
  const version = pragma('user_version');
  const hasTables = database.prepare('SELECT count(*) FROM sqlite_master').get()?.[0] !== 0;
  const fresh = application === 0 && version === 0 && !hasTables;
  if (!fresh && application !== applicationId) throw foreignDatabase(path);
  if (!fresh && version !== schemaVersion) {
    throw new MarError('usage', `${path} was made by another version of mar`, {
      hint: '--reset deletes it and starts anew; --data DIR takes another folder',
    });
  }
  if (pragma('quick_check(1)') !== 'ok') throw damagedDatabase(path);
  // With a write-ahead log and NORMAL, a commit survives a crash of this process. Only a power
  // failure can lose the last commits. FULL prevents that too, but flushes the disk on every write.
  database.prepare('PRAGMA journal_mode = WAL').get();
  database.exec('PRAGMA synchronous = NORMAL');
  return { fresh };
}

/**
 * Merges the write-ahead log into the database file. libsql deletes a leftover log by its name when
 * the closed connection is garbage collected, and could hit the log of the folder's next user.
 */
export function mergeLog(database: Database): void {
  try {
    database.exec('PRAGMA busy_timeout = 0');
    database.prepare('PRAGMA journal_mode = DELETE').get();
  } catch (error) {
    // Another program reads the file, or the disk is full. It is also valid together with its log.
    if (systemCode(error) !== 'SQLITE_BUSY' && !isDiskFailure(error)) throw error;
  }
}

/** Whether the file system refused a write: a full disk, a limit, a folder that became read-only. */
export const isDiskFailure = (error: unknown): boolean =>
  /^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)/.test(systemCode(error) ?? '');

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

/** Turns a failure to open or check a database into an error for the user. */
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
