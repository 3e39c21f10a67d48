import type Libsql from 'libsql';
import { MarError } from '../../errors.ts';

export type SqlValue = string | number | null;

/** A prepared statement. Rows are arrays of columns, because libsql's row objects have extra keys. */
export interface Statement {
  run(...values: SqlValue[]): void;
  get(...values: SqlValue[]): readonly SqlValue[] | undefined;
  all(...values: SqlValue[]): readonly (readonly SqlValue[])[];
}

/** An open database file. Its errors have SQLite's name as their code, such as `SQLITE_BUSY`. */
export interface Connection {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  readonly inTransaction: boolean;
  close(): void;
}

/** The one-file program uses src/binary/sqlite.ts instead of this file. */
export async function connect(path: string): Promise<Connection> {
  const Library = await loadLibsql();
  const connection = new Library(path, { timeout: 5000 });
  return {
    prepare: (sql) => {
      const statement = connection.prepare(sql);
      if (statement.reader) statement.raw();
      // One array of values: libsql mistakes a single null for an object of named parameters.
      return {
        run: (...values) => statement.run(values),
        get: (...values) => statement.get(values) as SqlValue[] | undefined,
        all: (...values) => statement.all(values) as SqlValue[][],
      };
    },
    exec: (sql) => connection.exec(sql),
    get inTransaction() {
      return connection.inTransaction;
    },
    close: () => connection.close(),
  };
}

/** Loaded on first use: libsql is an optional dependency that may not be installed. */
async function loadLibsql(): Promise<typeof Libsql> {
  try {
    return (await import('libsql')).default;
  } catch (cause) {
    throw new MarError('usage', 'the sandbox needs the package libsql, which is not installed', {
      hint: 'To install it, run: npm install -g libsql',
      cause,
    });
  }
}
