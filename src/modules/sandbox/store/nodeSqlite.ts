import type { connect as installed, SqlValue } from './libsql.ts';

/** The used part of `node:sqlite`; the types of the oldest supported Node do not have it. */
interface NodeSqlite {
  DatabaseSync: new (
    path: string,
    options: { timeout: number },
  ) => {
    prepare(sql: string): {
      setReturnArrays(on: boolean): void;
      run(...values: readonly SqlValue[]): unknown;
      get(...values: readonly SqlValue[]): SqlValue[] | undefined;
      all(...values: readonly SqlValue[]): SqlValue[][];
    };
    exec(sql: string): void;
    close(): void;
  };
}

/** Replaces sandbox/store/libsql.ts: Node's own SQLite, so that no library has to be embedded. */
export const connect: typeof installed = async (path) => {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite') as unknown as NodeSqlite;
  const database = withCode(() => new DatabaseSync(path, { timeout: 5000 }));
  return {
    prepare(sql) {
      const statement = withCode(() => database.prepare(sql));
      statement.setReturnArrays(true);
      return {
        run: (values) => withCode(() => statement.run(...values)),
        get: (values) => withCode(() => statement.get(...values)),
        all: (values) => withCode(() => statement.all(...values)),
      };
    },
    exec: (sql) => withCode(() => database.exec(sql)),
    close: () => database.close(),
  };
};

/** SQLite's names for failures of a file; all others are `SQLITE_ERROR`. */
const codes: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/** Node gives all SQLite failures the same code, so this sets the code by their number. */
function withCode<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'errcode' in error) {
      // The low byte is the failure; the rest are details.
      Object.assign(error, { code: codes[Number(error.errcode) & 0xff] ?? 'SQLITE_ERROR' });
    }
    throw error;
  }
}
