import type { FieldFacts } from '../errors.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import type { ServiceClock } from '../records/status.ts';
import type { Format } from '../values/formats.ts';
import type { UnknownField } from '../values/nearest.ts';
import type { Card } from './card.ts';
import type { Output } from './streams.ts';
import type { Style } from './style.ts';

export interface Column {
  title: string;
  /** A shorter title for the header of a table: `Lang`. */
  short?: string;
  /** The field's path in the record, and the column's name for `--columns`. */
  path: string;
  /**
   * `user` is the id of a user, in place of which people see the name if it is known. A `duration` is in
   * milliseconds; sheets show days.
   */
  kind?: 'id' | 'time' | 'status' | 'number' | 'user' | 'duration' | 'link';
  /** At a given width, columns of low importance are left out. From 4 on, others go before this one is cut. */
  importance?: number;
  /** The path of the column whose text this one often begins with, such as the project's name. */
  within?: string;
  /** Continues on the next line, because half of it says nothing. */
  wraps?: boolean;
  /** Not in CSV and TSV, because it is no field of the record. */
  isForPeople?: boolean;
  /** Not in a table on a terminal, which other columns need. */
  isOffScreen?: boolean;
  /** For a column that is neither in the view nor documented. */
  unknown?: UnknownField;
  read?: (record: unknown) => unknown;
  /** Shown to people in place of the value. CSV and TSV have the value, so that CSV can be read back. */
  show?: (record: unknown) => unknown;
  /** Replaces the value for people: `overdue 5 d` for a due date. */
  words?: (record: unknown, clock: ServiceClock) => string;
  paint?: (text: string, style: Style, record: unknown, clock: ServiceClock) => string;
}

export interface KnownFields {
  isTime(path: string): boolean;
  /** For an undocumented path, with the closest documented one, or the closest title. */
  unknownColumn(path: string, titles: readonly string[]): UnknownField | undefined;
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

export interface CardTools extends ServiceClock {
  paintStatus(status: string, style: Style): string;
  /** A date with its zone and its distance from now; the plain value if it is no date. */
  time(value: unknown, zone?: unknown): string;
  cell(value: unknown): string;
  /** `Greta Lind (u-greta)` if the name of the user is known, otherwise the id. */
  user(id: string): string;
}

/** The pages of a list that is printed. None is empty. */
export type ShownPages = AsyncGenerator<readonly ServiceRecord[]>;

/** Counts of a list, for a second sheet of a workbook. The first table is also drawn as a chart. */
export type Summary = readonly { title: string; unit: string; rows: [string, number][] }[];

export interface ListOptions extends ServiceClock {
  stdout: Output;
  format: Format;
  /** The words of the command, after which a sheet is named. */
  listName?: string;
  style: Style;
  columns: readonly Column[];
  /** The user chose the columns, so none is left out, and a time is a date, as in a card. */
  isPicked?: boolean;
  /** For workbooks. */
  summary?: Summary;
  csvRaw?: boolean;
  csvBom?: boolean;
  names?: boolean;
  warn(code: string, message: string, fields?: readonly FieldFacts[]): void;
  paintStatus(status: string, style: Style): string;
  userName?(id: string): string | undefined;
}
