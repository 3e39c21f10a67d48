import type Libsql from 'libsql';
import { MarError } from '../errors.ts';
import type { Connection, SqlValue, Statement } from './connection.ts';

export async function connect(path: string): Promise<Connection> {
  const Library = await loadLibsql();
  const connection = new Library(path, { timeout: 5000 });
  return {
    prepare: (sql) => prepare(connection, sql),
    exec: (sql) => {
      connection.exec(sql);
    },
    get inTransaction() {
      return connection.inTransaction;
    },
    close: () => {
      connection.close();
    },
  };
}

function prepare(connection: Libsql.Database, sql: string): Statement {
  const statement = connection.prepare(sql);
  if (statement.reader) statement.raw();
  // The values go as one array: libsql takes a lone null for an object of named parameters.
  return {
    run: (...values) => {
      statement.run(values);
    },
    get: (...values) => statement.get(values) as SqlValue[] | undefined,
    all: (...values) => statement.all(values) as SqlValue[][],
  };
}

/** Late, and only here: it is an optional dependency that not every installation has. */
async function loadLibsql(): Promise<typeof Libsql> {
  try {
    return (await import('libsql')).default;
  } catch (cause) {
    throw new MarError('usage', 'the sandbox needs the package libsql, which is not installed', {
      hint: 'npm install -g libsql',
      cause,
    });
  }
}
