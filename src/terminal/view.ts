import type { Card } from './card.ts';

export const textFormats = ['table', 'json', 'jsonl', 'csv', 'tsv', 'yaml'] as const;
export const formats = [...textFormats, 'xlsx'] as const;
export type Format = (typeof formats)[number];

/** With these formats, errors are printed as JSON too. */
export const isMachineFormat = (format: Format) => format === 'json' || format === 'jsonl';

/** These formats print the whole record, so `--columns` does not apply. */
export const isWholeRecord = (format: Format) => isMachineFormat(format) || format === 'yaml';

/** A single record is a list of one in these formats, because they have a header. */
export const isSheet = (format: Format): format is 'csv' | 'xlsx' =>
  format === 'csv' || format === 'xlsx';

export interface Column {
  title: string;
  /** The field's path in the record, and the column's name for `--columns`. */
  path: string;
  /** `user` is the id of a user, in place of which people see the name if it is known. */
  kind?: 'id' | 'time' | 'status' | 'number' | 'user';
  importance?: number;
  /** For a column that is neither in the view nor documented: a message about it. */
  unknown?: string;
  read?: (record: unknown) => unknown;
  /** Shown to people in place of the value. CSV and TSV have the value, so that CSV can be read back. */
  show?: (record: unknown) => unknown;
}

export interface KnownFields {
  isTime(path: string): boolean;
  /** For an undocumented path: a message with the closest documented one. */
  unknownColumn(path: string): string | undefined;
}

export interface View {
  columns: readonly Column[];
  /** Loads the documented fields, for those that have no column in this view. */
  knownFields?: () => Promise<KnownFields>;
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
