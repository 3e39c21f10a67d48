import { MarError } from '../errors.ts';
import { flatten } from '../json/fields.ts';
import { JsonSyntaxError } from '../json/parse.ts';
import { parseRecord, ServiceRecord } from '../json/serviceRecord.ts';
import { compact, pretty } from '../json/text.ts';
import type { Json } from '../json/value.ts';
import { type Card, type CardText, renderCard, unbroken } from './card.ts';
import { cellText, columnReader, columnsOf, machineCell, pickColumns } from './columns.ts';
import type { JqFilter } from './jq.ts';
import { type ListWriter, listWriter, machineCells } from './lists.ts';
import { sanitiseLines, visibleJson } from './sanitise.ts';
import { tsvRow } from './separatedValues.ts';
import { ClosedPipe, type Output } from './streams.ts';
import type { Style } from './style.ts';
import { formatDate, formatRelative, readTime, type TimeUnit } from './time.ts';
import {
  type CardTools,
  type Column,
  type Format,
  isMachineFormat,
  isWholeRecord,
  type View,
} from './view.ts';

/** Whether numbers and key order must be printed as the service wrote them. */
type Exactness = 'always' | 'if-numbers-need-it' | 'never';

/** Numbers that ordinary values may change: too many digits, fractions, exponents. */
const inexactNumber = /\d{16}|\d\.\d|\d[eE][-+\d]/;

/** Parses the record's text again as lossless JSON. The records of a list do not keep their trees. */
function losslessTree(record: ServiceRecord, isInList: boolean): Json {
  try {
    return isInList ? parseRecord(record.text) : record.tree;
  } catch (error) {
    if (!(error instanceof MarError && error.cause instanceof JsonSyntaxError)) throw error;
    throw new MarError('service', `the record cannot be shown: ${error.cause.message}`, {
      hint: 'print it as it is: --json --show-secrets',
    });
  }
}

interface SecretFilter {
  mayHoldSecret(text: string): boolean;
  hideSecrets(json: Json): Json;
}

export interface PrinterOptions {
  stdout: Output;
  format: Format;
  style: Style;
  now: Date;
  timeUnit: TimeUnit;
  columns?: readonly string[];
  filter?: JqFilter;
  csvRaw: boolean;
  secrets?: SecretFilter | undefined;
  paintStatus(status: string, style: Style): string;
  /** Lets Ctrl-C end the process while JavaScript is busy with a large record. */
  interruptible<T>(work: () => T): T;
}

/** A record of this length takes long enough to print that a user may press Ctrl-C. */
const largeRecord = 1_000_000;

export class Printer {
  readonly #options: PrinterOptions;

  constructor(options: PrinterOptions) {
    this.#options = options;
  }

  as(format: Format): Printer {
    return new Printer({ ...this.#options, format });
  }

  /** A printer for records that the program makes itself, which hold no secrets. */
  get forOwnRecords(): Printer {
    return new Printer({ ...this.#options, secrets: undefined });
  }

  get isForPrograms(): boolean {
    return this.isWholeRecord || this.#options.format === 'csv';
  }

  get isWholeRecord(): boolean {
    const { filter, format } = this.#options;
    return filter !== undefined || isWholeRecord(format);
  }

  get isForPeople(): boolean {
    return this.#options.format === 'table' && this.#options.stdout.isTerminal;
  }

  /** One record: whole for programs, as a card for people, as rows of path and value for a pipe. */
  async record(record: ServiceRecord, view: View): Promise<void> {
    const { stdout, format, style, filter } = this.#options;
    if (filter || format === 'csv') return this.records([record], view);
    const shown = this.#present(record, isMachineFormat(format) ? 'never' : 'always', false);
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

  records(records: readonly ServiceRecord[], view: View): Promise<void> {
    return this.list([records], view);
  }

  async list(
    pages: AsyncIterable<readonly ServiceRecord[]> | Iterable<readonly ServiceRecord[]>,
    view: View,
  ): Promise<void> {
    const exactness = this.#listExactness();
    let writer: ListWriter | undefined;
    try {
      for await (const page of pages) {
        if (page.length === 0) continue;
        const records = page.map((record) => this.#present(record, exactness, true));
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
    if (!this.isForPrograms) return stdout.write(`${sanitiseLines(sentence).join('\n')}\n`);
    const record = ServiceRecord.fromValue(facts);
    if (!filter && isMachineFormat(format)) {
      return stdout.write(`${machineText(record.text, 'jsonl', stdout)}\n`);
    }
    await this.forOwnRecords.record(record, factsView);
  }

  async #writer(view: View, records: readonly ServiceRecord[]): Promise<ListWriter> {
    const { filter, stdout, columns: picked } = this.#options;
    if (filter) return filter.writer(stdout);
    const known = await pickColumns(view, picked);
    const columns = known.length > 0 ? known : columnsOf(records);
    return listWriter({ ...this.#options, columns });
  }

  #listExactness(): Exactness {
    const { format, filter } = this.#options;
    if (filter || isMachineFormat(format)) return 'never';
    return format === 'yaml' ? 'always' : 'if-numbers-need-it';
  }

  /** A record without its secrets, and lossless if needed. Most records of a list need neither. */
  #present(record: ServiceRecord, exactness: Exactness, isInList: boolean): ServiceRecord {
    const { text } = record;
    const { secrets } = this.#options;
    return this.#busyWith(record, () => {
      const hasSecret = secrets?.mayHoldSecret(text) === true;
      const isInexact =
        exactness === 'always' || (exactness === 'if-numbers-need-it' && inexactNumber.test(text));
      if (!hasSecret && !isInexact) return record;
      const tree = losslessTree(record, isInList);
      if (!hasSecret) return new ServiceRecord(tree, text);
      return ServiceRecord.fromTree(secrets.hideSecrets(tree));
    });
  }

  #busyWith<T>({ text }: ServiceRecord, work: () => T): T {
    return text.length < largeRecord ? work() : this.#options.interruptible(work);
  }

  async #card(value: unknown, view: View): Promise<Card> {
    const { columns: picked, now, timeUnit } = this.#options;
    const tools = cardTools(now, timeUnit);
    if (!picked) return view.card?.(value, tools) ?? { title: '', sections: [] };
    const columns = await pickColumns(view, picked);
    const rows = columns.map(
      (column) => [column.path, this.#cardText(column, value, tools)] as const,
    );
    return { title: '', sections: [{ rows }] };
  }

  #cardText(column: Column, record: unknown, { cell, time }: CardTools): CardText {
    const value = columnReader(column)(record);
    if (column.kind === 'time') return time(value);
    const paint = column.kind === 'status' ? this.#options.paintStatus : undefined;
    return { text: cell(value), paint };
  }

  async #rows(shown: ServiceRecord, view: View): Promise<(readonly [string, string])[]> {
    const { value } = shown;
    const { columns: picked, timeUnit } = this.#options;
    if (!picked) return this.#busyWith(shown, () => flatten(value, machineCell));
    const columns = await pickColumns(view, picked);
    const cells = machineCells({ columns, timeUnit })(value);
    return columns.map(({ path }, index) => [path, cells[index] ?? '']);
  }
}

/** Programs get the text unchanged. On a terminal it is indented, with invisible characters escaped. */
function machineText(text: string, format: Format, { isTerminal }: Output): string {
  if (!isTerminal) return compact(text);
  return visibleJson(format === 'json' ? pretty(text) : compact(text));
}

export const factsView: View = { columns: [] };

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
