export type SqlValue = string | number | null;

/** A prepared statement. Rows are arrays of columns: their objects would carry extra keys. */
export interface Statement {
  run(...values: SqlValue[]): void;
  get(...values: SqlValue[]): readonly SqlValue[] | undefined;
  all(...values: SqlValue[]): readonly (readonly SqlValue[])[];
}

/** An open database file. What fails has a code with the name that SQLite gives it: `SQLITE_BUSY`. */
export interface Connection {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  readonly inTransaction: boolean;
  close(): void;
}
