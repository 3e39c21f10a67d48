import type { FieldFacts } from '../errors.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import type { Format } from '../values/formats.ts';
import type { TimeUnit } from '../values/time.ts';
import type { Output } from './streams.ts';
import type { Style } from './style.ts';
import type { Column, View } from './view.ts';

/** Prints a list page by page. Nothing is printed before the first page, in case it fails. */
export interface ListWriter {
  page(records: readonly ServiceRecord[]): Promise<void>;
  end(): Promise<void>;
  isDone?(): boolean;
  /** Ends the output after a failure, without making it look complete. */
  breakOff?(): Promise<void>;
}

export interface ListOptions {
  stdout: Output;
  format: Format;
  style: Style;
  now: Date;
  timeUnit: TimeUnit;
  columns: readonly Column[];
  /** The user chose the columns, so none is left out, and a time is a date, as in a card. */
  isPicked?: boolean;
  address?: View['address'];
  csvRaw: boolean;
  csvBom: boolean;
  names: boolean;
  warn(code: string, message: string, fields?: readonly FieldFacts[]): void;
  paintStatus(status: string, style: Style): string;
  /** The name of a user, if it is known. */
  userName?(id: string): string | undefined;
  /** Lets Ctrl-C end the process while JavaScript is busy with a large record. */
  interruptible<T>(work: () => T): T;
}
