import type { Card } from './card.ts';

export const formats = ['table', 'json', 'jsonl', 'csv', 'tsv', 'yaml'] as const;
export type Format = (typeof formats)[number];

/** With these formats, errors are printed as JSON too. */
export const isMachineFormat = (format: Format) => format === 'json' || format === 'jsonl';

/** These formats print the whole record, so `--columns` does not apply. */
export const isWholeRecord = (format: Format) => isMachineFormat(format) || format === 'yaml';

export interface Column {
  title: string;
  /** The field's path in the record, and the column's name for `--columns`. */
  path: string;
  /** `user` is the id of a user, in place of which people see the name if it is known. */
  kind?: 'id' | 'time' | 'status' | 'number' | 'user';
  importance?: number;
  read?: (record: unknown) => unknown;
}

export interface View {
  columns: readonly Column[];
  /** Loads the test for fields that hold a time, for fields that have no column in this view. */
  timeFields?: () => Promise<(path: string) => boolean>;
  /** Fields without a column that hold the id of a user. */
  userFields?: readonly string[];
  /** Without it, the card lists all fields. */
  card?(record: unknown, show: CardTools): Card;
}

export interface CardTools {
  now: Date;
  /** A date with its zone and its distance from now; the plain value if it is no date. */
  time(value: unknown, zone?: unknown): string;
  date(value: unknown): Date | undefined;
  cell(value: unknown): string;
  /** `Greta Lind (u-greta)` if the name of the user is known, otherwise the id. */
  user(id: string): string;
}
