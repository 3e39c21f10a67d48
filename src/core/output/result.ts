import { ServiceRecord } from '../json/serviceRecord.ts';
import type { Format } from '../values/formats.ts';
import type { Style } from './style.ts';
import type { CardTools, Summary, View } from './viewType.ts';

/*
 * The results of commands. A command yields them and prints nothing: `printResults.ts` prints them for
 * people, pipes and files, and an agent gets them as data.
 */

export type Pages = AsyncIterable<readonly ServiceRecord[]> | Iterable<readonly ServiceRecord[]>;

/** Standard output, for drawings and for text that depends on it. */
export interface Canvas {
  isTerminal: boolean;
  columns: number;
  rows: number;
  /** Output that is longer than the screen goes through a pager. */
  isPaged: boolean;
  style: Style;
  tools: CardTools;
}

export interface ResultOptions {
  /**
   * Printed only for these readers. Programs are the formats of whole records and of sheets; all other
   * output is for people, also in a pipe.
   */
  onlyFor?: 'people' | 'programs';
  /** The program made it itself: it holds no secrets to hide. */
  isOwn?: boolean;
  /** Replaces the default format and the setting, but not the format of a flag. */
  defaultFormat?: Format;
}

export interface RecordOptions extends ResultOptions {
  view: View;
  /** The record was just written, so a missing column is no error. */
  isWritten?: boolean;
  /** Lines for a person at a terminal, in place of a card or table. */
  drawing?(canvas: Canvas): readonly string[];
  /** A drawing replaces the table of `-o table` in a pipe, too. */
  isDrawnInPipes?: boolean;
}

export interface RecordResult extends RecordOptions {
  kind: 'record';
  record: ServiceRecord;
  /** For tables, CSV and sheets: the rows that the record consists of. */
  rows?: readonly ServiceRecord[];
  /** The write that the record describes, for a caller that may carry it out later. */
  plan?: unknown;
}

export interface ListResult extends RecordOptions {
  kind: 'list';
  pages: Pages;
  summary?: Summary;
  /** Reported after it, for people alone. */
  notes?: readonly string[];
}

type Facts = Record<string, unknown>;

/** A result of the program's own: a sentence for people, the facts for programs. */
export interface OutcomeResult extends ResultOptions {
  kind: 'outcome';
  /** A function where it takes time to collect them. */
  facts: Facts | (() => Facts);
  sentence: string;
  /** For CSV and sheets: the rows that it consists of. */
  rows?: { records: readonly ServiceRecord[]; view: View };
}

type Text = string | Uint8Array;

/** Printed as it is, whatever the format. */
export interface TextResult extends ResultOptions {
  kind: 'text';
  text: Text | ((canvas: Canvas) => Text);
}

export type Result = RecordResult | ListResult | OutcomeResult | TextResult;

export type Results = AsyncGenerator<Result, void>;

export const recordResult = (
  record: ServiceRecord,
  view: View,
  options: Omit<RecordResult, 'kind' | 'record' | 'view'> = {},
): RecordResult => ({ kind: 'record', record, view, ...options });

export const listResult = (
  pages: Pages,
  view: View,
  options: Omit<ListResult, 'kind' | 'pages' | 'view'> = {},
): ListResult => ({ kind: 'list', pages, view, ...options });

/** A list of the program's own rows. */
export const rowsResult = (
  rows: readonly object[],
  columns: View['columns'],
  options: Parameters<typeof listResult>[2] = {},
) => listResult([rows.map(ServiceRecord.fromValue)], { columns }, options);

export const outcome = (
  facts: OutcomeResult['facts'],
  sentence: string,
  options: Pick<OutcomeResult, 'onlyFor' | 'rows'> = {},
): OutcomeResult => ({ kind: 'outcome', isOwn: true, facts, sentence, ...options });

export const textResult = (text: TextResult['text'], options: ResultOptions = {}): TextResult => ({
  kind: 'text',
  text,
  ...options,
});
