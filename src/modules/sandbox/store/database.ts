import { orUndefined, systemCode, usageError } from '../../../core/errors.ts';
import { connect, type SqlValue, type Statement } from './libsql.ts';

/** Marks a database file as one of the sandbox ("mars"). */
const applicationId = 0x6d617273;
/** Increase by one whenever tables.sql or the form of what is stored changes. */
const schemaVersion = 4;

/** Says what the file is, after tables.sql has made its tables. */
export const markDatabase = `
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`;

export type Database = Awaited<ReturnType<typeof openDatabase>>;

export async function openDatabase(path: string) {
  const connection = await connect(path);
  // Kept by their SQL, because parsing it costs more than most statements. Few are different.
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const statement = statements.get(sql) ?? connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    run: (sql: string, ...values: SqlValue[]) => prepare(sql).run(values),
    /** The first row; empty if there is none. */
    get: (sql: string, ...values: SqlValue[]) => prepare(sql).get(values) ?? [],
    all: (sql: string, ...values: SqlValue[]) => prepare(sql).all(values),
    /** Runs several statements that take no values. */
    exec: (sql: string) => connection.exec(sql),
    /** Commits everything that `work` writes, or nothing. */
    transaction: <T>(work: () => T): T => {
      prepare('BEGIN IMMEDIATE').run([]);
      try {
        const result = work();
        prepare('COMMIT').run([]);
        return result;
      } catch (error) {
        // A failed commit may already have ended the transaction, so that nothing can be rolled back.
        orUndefined(() => prepare('ROLLBACK').run([]));
        throw error;
      }
    },
    close: () => connection.close(),
  };
}

const startOverHint = 'Use --reset to delete it and start over, or --data DIR for another folder.';

/**
 * Checks a database and sets it up for use. Returns whether it is fresh: without tables. Throws if
 * another program or another version of mar made it.
 */
export function adoptDatabase(database: Database, path: string): boolean {
  const [application] = database.get('PRAGMA application_id');
  const [version] = database.get('PRAGMA user_version');
  const [tables] = database.get('SELECT count(*) FROM sqlite_master');
  const fresh = tables === 0 && application === 0 && version === 0;
  if (!fresh && (application !== applicationId || version !== schemaVersion)) {
    const message = `${path} was created by another version of mar, or by another program`;
    throw usageError(message, startOverHint);
  }
  // With a write-ahead log and NORMAL, a commit survives a crash of this process. Only a power
  // failure can lose the last commits. FULL prevents that too, but flushes the disk on every write.
  database.get('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = NORMAL');
  return fresh;
}

/**
 * Merges the write-ahead log into the database file. libsql deletes a leftover log by its name when
 * the closed connection is garbage collected, and could hit the log of the folder's next user.
 */
export function mergeLog(database: Database): void {
  // It fails if another program reads the file, or the disk is full. The file is valid with its log, too.
  orUndefined(() => {
    database.exec('PRAGMA busy_timeout = 0');
    database.get('PRAGMA journal_mode = DELETE');
  });
}

/** Turns a failure to open a database into an error for the user. */
export function databaseError(error: unknown, path: string): unknown {
  const code = systemCode(error) ?? '';
  if (!code.startsWith('SQLITE_')) return error;
  return usageError(`cannot use the database ${path} (${code})`, startOverHint, { cause: error });
}
