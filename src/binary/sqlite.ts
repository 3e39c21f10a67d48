import type { Connection, connect as installed, SqlValue, Statement } from '../sandbox/libsql.ts';

/** What is used of `node:sqlite`, which the oldest Node that the rest runs on does not have. */
interface NodeSqlite {
  DatabaseSync: new (
    path: string,
    options: { timeout: number },
  ) => {
    prepare(sql: string): {
      setReturnArrays(on: boolean): void;
      run(...values: SqlValue[]): unknown;
      get(...values: SqlValue[]): SqlValue[] | undefined;
      all(...values: SqlValue[]): SqlValue[][];
    };
    exec(sql: string): void;
    readonly isTransaction: boolean;
    close(): void;
  };
}

/** In place of sandbox/libsql.ts: Node's own SQLite, so that nothing has to be carried along. */
export const connect: typeof installed = async (path): Promise<Connection> => {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite') as unknown as NodeSqlite;
  const database = named(() => new DatabaseSync(path, { timeout: 5000 }));
  return {
    prepare(sql): Statement {
      const statement = named(() => database.prepare(sql));
      statement.setReturnArrays(true);
      return {
        run: (...values) => {
          named(() => statement.run(...values));
        },
        get: (...values) => named(() => statement.get(...values)),
        all: (...values) => named(() => statement.all(...values)),
      };
    },
    exec: (sql) => named(() => database.exec(sql)),
    get inTransaction() {
      return database.isTransaction;
    },
    close: () => database.close(),
  };
};

/** SQLite's names for what can befall a file; all else is `SQLITE_ERROR`. */
const names: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/** Node gives all of SQLite's failures one code; their number tells them apart. */
function named<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'errcode' in error) {
      // The low byte is the failure; the rest says more about it.
      Object.assign(error, { code: names[Number(error.errcode) & 0xff] ?? 'SQLITE_ERROR' });
    }
    throw error;
  }
}
