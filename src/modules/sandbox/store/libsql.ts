import type Libsql from 'libsql';
import { MarError, runHint } from '../../../core/errors.ts';
import { words } from '../../../core/values/commandLine.ts';

export type SqlValue = string | number | null;

/**
 * A prepared statement. Rows are arrays of columns, because libsql's row objects have extra keys.
 * Values are in one array, because libsql mistakes a single null for an object of named parameters.
 */
export interface Statement {
  run(values: readonly SqlValue[]): unknown;
  get(values: readonly SqlValue[]): readonly SqlValue[] | undefined;
  all(values: readonly SqlValue[]): readonly (readonly SqlValue[])[];
}

/** An open database file. Its errors have SQLite's name as their code, such as `SQLITE_BUSY`. */
export interface Connection {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

/** The one-file program uses src/modules/sandbox/store/nodeSqlite.ts instead of this file. */
export async function connect(path: string): Promise<Connection> {
  const Library = await loadLibsql();
  const connection = new Library(path, { timeout: 5000 });
  return {
    prepare: (sql) => {
      const statement = connection.prepare(sql);
      return (statement.reader ? statement.raw() : statement) as Statement;
    },
    exec: (sql) => connection.exec(sql),
    close: () => connection.close(),
  };
}

/** Loaded on first use: libsql is an optional dependency that may not be installed. */
async function loadLibsql(): Promise<typeof Libsql> {
  try {
    return (await import('libsql')).default;
  } catch (cause) {
    throw new MarError('usage', 'the sandbox needs the package libsql, which is not installed', {
      hint: runHint('To install it', words`npm install -g libsql`),
      cause,
    });
  }
}
