import { hideSecrets } from '../api/secrets.ts';
import { MarError } from '../errors.ts';
import { flatten } from '../json/fields.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { compact, pretty } from '../json/text.ts';
import { type Json, printJson } from '../json/value.ts';
import { type Card, type CardText, renderCard, unbroken } from './card.ts';
import { cellText, columnReader, columnsOf, machineCell, pickColumns } from './columns.ts';
import type { JqFilter } from './jq.ts';
import { type ListWriter, listWriter, machineCells } from './lists.ts';
import { sanitiseLines, visibleJson } from './sanitise.ts';
import { tsvRow } from './separatedValues.ts';
import { paintStatus } from './status.ts';
import { ClosedPipe, type Output } from './streams.ts';
import type { Style } from './style.ts';
import { formatDate, formatRelative, readTime, type TimeUnit } from './time.ts';
import type { CardTools, Column, Shown, View } from './view.ts';

/** The forms that a result can be printed in. */
export const formats = ['table', 'json', 'jsonl', 'csv', 'tsv', 'yaml'] as const;
export type Format = (typeof formats)[number];

/** Forms that are read by programs: errors are then written for programs as well. */
export const isMachineFormat = (format: Format) => format === 'json' || format === 'jsonl';

/** Forms that are the whole record, whose fields cannot be picked. */
export const isWholeRecord = (format: Format) => isMachineFormat(format) || format === 'yaml';

export interface Presentation {
  showSecrets: boolean;
  /** Whether the values are shown: then big integers and key order must come out as they were. */
  exactValues: 'always' | 'if-numbers-need-it' | 'never';
}

/** Numbers that ordinary values may change: more digits than they hold, fractions, exponents. */
const delicateNumber = /\d{16}|\d\.\d|\d[eE][-+\d]/;

/**
 * A record as it may be shown: with its secrets hidden and, where its values are shown, as lossless
 * JSON. Most records of a list are neither secret nor delicate, and are not worth a second parse.
 */
function presentable(record: Shown, { showSecrets, exactValues }: Presentation): Shown {
  const { text } = record;
  const hasSecret = !showSecrets && /password|\\u/.test(text);
  const isDelicate =
    exactValues === 'always' || (exactValues === 'if-numbers-need-it' && delicateNumber.test(text));
  if (!hasSecret && !isDelicate) return record;
  const json = read(text);
  if (!hasSecret) return { value: json, text };
  const hidden = hideSecrets(json);
  return { value: hidden, text: printJson(hidden) };
}

function read(text: string): Json {
  try {
    return parseJson(text, { lastKeyCounts: true });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new MarError('service', `the record cannot be shown: ${error.message}`, {
      hint: 'print it as it is: --json --show-secrets',
    });
  }
}

export interface PrinterOptions {
  stdout: Output;
  format: Format;
  style: Style;
  now: Date;
  timeUnit: TimeUnit;
  /** The paths picked with `--columns`. */
  columns?: readonly string[];
  /** What the records go through; its results are printed instead, whatever the format. */
  filter?: JqFilter;
  csvRaw: boolean;
  showSecrets: boolean;
  /** Lets a signal end the process while JavaScript is busy with a large record. */
  interruptible<T>(work: () => T): T;
}

/** From here on, making a record ready to print takes long enough to press Ctrl-C. */
const largeRecord = 1_000_000;

/** Prints results on standard output in the form that was asked for. */
export class Printer {
  readonly #options: PrinterOptions;

  constructor(options: PrinterOptions) {
    this.#options = options;
  }

  /** The same, in another form. */
  as(format: Format): Printer {
    return new Printer({ ...this.#options, format });
  }

  /** The same, for what the program itself makes: nothing in it is a secret. */
  get forOwnRecords(): Printer {
    return new Printer({ ...this.#options, showSecrets: true });
  }

  /** Whether facts are printed rather than sentences. */
  get isForPrograms(): boolean {
    return this.isWholeRecord || this.#options.format === 'csv';
  }

  /** Whether all of a record is printed, known or not. */
  get isWholeRecord(): boolean {
    const { filter, format } = this.#options;
    return filter !== undefined || isWholeRecord(format);
  }

  /** Whether results are drawn for somebody who looks at them. */
  get isForPeople(): boolean {
    return this.#options.format === 'table' && this.#options.stdout.isTerminal;
  }

  /** One record: whole, as a card for people, as key and value rows for a pipe. */
  async record(record: Shown, view: View): Promise<void> {
    const { stdout, format, style, filter } = this.#options;
    // To a spreadsheet and to a filter, one record is a list of one.
    if (filter || format === 'csv') return this.list(one(record), view);
    const shown = this.#present(record, isMachineFormat(format) ? 'never' : 'always');
    if (isMachineFormat(format)) {
      await stdout.write(`${machineText(shown.text, format, stdout)}\n`);
    } else if (format === 'yaml') {
      const { printYaml } = await import('./yaml.ts');
      await stdout.write(this.#busyWith(shown, () => printYaml(shown.value as Json)));
    } else if (format === 'table') {
      const card = await this.#card(shown.value, view);
      const lines = this.#busyWith(shown, () => renderCard(card, stdout.columns, style));
      await stdout.write(lines.map((line) => `${line}\n`).join(''));
    } else {
      const facts = await this.#rows(shown, view);
      const rows = this.#busyWith(shown, () => facts.map((row) => tsvRow(row, stdout.isTerminal)));
      await stdout.write(`${rows.join('\n')}\n`);
    }
  }

  /** Many records, printed as they come. */
  async list(pages: AsyncIterable<readonly Shown[]>, view: View): Promise<void> {
    const exactValues = this.#exactValues();
    let writer: ListWriter | undefined;
    try {
      for await (const page of pages) {
        if (page.length === 0) continue;
        const records = page.map((record) => this.#present(record, exactValues));
        writer ??= await this.#writer(view, records);
        await writer.page(records);
        if (writer.isDone?.()) break;
      }
    } catch (error) {
      if (!(error instanceof ClosedPipe)) await writer?.breakOff?.();
      throw error;
    }
    writer ??= await this.#writer(view, []);
    await writer.end();
  }

  /** A result of the program's own: a sentence for people, the facts for programs. */
  async outcome(facts: Record<string, unknown>, sentence: string): Promise<void> {
    const { stdout, format, filter } = this.#options;
    const text = JSON.stringify(facts);
    if (!this.isForPrograms) return stdout.write(`${sanitiseLines(sentence).join('\n')}\n`);
    if (!filter && isMachineFormat(format)) {
      return stdout.write(`${machineText(text, 'jsonl', stdout)}\n`);
    }
    // Nothing that the program itself says is to be hidden.
    const printer = new Printer({ ...this.#options, showSecrets: true });
    await printer.record({ value: facts, text }, factsView);
  }

  async #writer(view: View, records: readonly Shown[]): Promise<ListWriter> {
    const { filter, stdout, columns: picked } = this.#options;
    if (filter) return filter.writer(stdout);
    const known = await pickColumns(view, picked);
    const columns = known.length > 0 ? known : columnsOf(records);
    return listWriter({ ...this.#options, columns });
  }

  #exactValues(): Presentation['exactValues'] {
    const { format, filter } = this.#options;
    if (filter || isMachineFormat(format)) return 'never';
    return format === 'yaml' ? 'always' : 'if-numbers-need-it';
  }

  #present(record: Shown, exactValues: Presentation['exactValues']): Shown {
    const { showSecrets } = this.#options;
    return this.#busyWith(record, () => presentable(record, { showSecrets, exactValues }));
  }

  #busyWith<T>({ text }: Shown, work: () => T): T {
    return text.length < largeRecord ? work() : this.#options.interruptible(work);
  }

  async #card(value: unknown, view: View): Promise<Card> {
    const { columns: picked, now, timeUnit } = this.#options;
    const tools = cardTools(now, timeUnit);
    if (!picked) return view.card(value, tools);
    const columns = await pickColumns(view, picked);
    const rows = columns.map((column) => [column.path, cardText(column, value, tools)] as const);
    return { title: '', sections: [{ rows }] };
  }

  async #rows(shown: Shown, view: View): Promise<(readonly [string, string])[]> {
    const { value } = shown;
    const { columns: picked, timeUnit } = this.#options;
    if (!picked) return this.#busyWith(shown, () => flatten(value, machineCell));
    const columns = await pickColumns(view, picked);
    const cells = machineCells({ columns, timeUnit })(value);
    return columns.map(({ path }, index) => [path, cells[index] ?? '']);
  }
}

/** Programs get the text as it came; on a terminal it is indented, and shows what it hides. */
function machineText(text: string, format: Format, { isTerminal }: Output): string {
  if (!isTerminal) return compact(text);
  return visibleJson(format === 'json' ? pretty(text) : compact(text));
}

/** Of what has no columns and no card of its own. */
export const factsView: View = { columns: [], card: () => ({ title: '', sections: [] }) };

async function* one(record: Shown): AsyncGenerator<Shown[]> {
  yield [record];
}

function cardText(column: Column, record: unknown, { cell, time }: CardTools): CardText {
  const value = columnReader(column)(record);
  if (column.kind === 'time') return time(value);
  return { text: cell(value), paint: column.kind === 'status' ? paintStatus : undefined };
}

function cardTools(now: Date, timeUnit: TimeUnit): CardTools {
  return {
    now,
    cell: cellText,
    date: (value) => readTime(value, timeUnit),
    time(value, zone) {
      const date = readTime(value, timeUnit);
      if (!date) return cellText(value);
      const place = typeof zone === 'string' ? zone : undefined;
      return `${formatDate(date, place)} (${unbroken(formatRelative(date, now))})`;
    },
  };
}
