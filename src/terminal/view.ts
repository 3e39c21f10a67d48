import type { SchemaName } from '../api/endpoints.ts';
import type { Card } from './card.ts';

/** One fact about a record, as a table's column. */
export interface Column {
  title: string;
  /** Where it stands in the record; also its name for `--columns`. */
  path: string;
  kind?: 'id' | 'time' | 'status' | 'number';
  /** The higher, the longer it keeps its width when the terminal is narrow. */
  importance?: number;
  /** For a fact that is made from several fields. */
  read?: (record: unknown) => unknown;
}

/** How a kind of record is shown to people. */
export interface View {
  /** The record's own, which tells the times among fields that are no columns here. */
  schema?: SchemaName;
  columns: readonly Column[];
  card(record: unknown, show: CardTools): Card;
}

/** What a card needs to know of the place it is shown in. */
export interface CardTools {
  now: Date;
  /** A date with its zone and how far away it is; the plain value when it does not read as one. */
  time(value: unknown, zone?: unknown): string;
  /** The point in time, when the value reads as one. */
  date(value: unknown): Date | undefined;
  cell(value: unknown): string;
}
