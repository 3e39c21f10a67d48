import { MarError } from '../errors.ts';
import { flatten } from '../json/fields.ts';
import { JsonSyntaxError } from '../json/parse.ts';
import { parseRecord, ServiceRecord } from '../json/serviceRecord.ts';
import type { Json } from '../json/value.ts';
import { type Card, type CardText, renderCard, unbroken } from './card.ts';
import { cellText, columnReader, columnsOf, machineCell, pickColumns } from './columns.ts';
import type { JqFilter } from './jq.ts';
import {
  type ListOptions,
  type ListWriter,
  listWriter,
  machineCells,
  machineText,
} from './lists.ts';
import { sanitiseLines } from './sanitise.ts';
import { tsvRow } from './separatedValues.ts';
import { ClosedPipe } from './streams.ts';
import { formatDate, formatRelative, readTime, type TimeUnit } from './time.ts';
import { type CardTools, type Format, isMachineFormat, isWholeRecord, type View } from './view.ts';

/** Numbers that ordinary values may change: too many digits, fractions, exponents. */
const inexactNumber = /\d{16}|\d\.\d|\d[eE][-+\d]/;

/** Parses the record's text again as lossless JSON. The records of a list do not keep their trees. */
function losslessTree(record: ServiceRecord, isInList: boolean): Json {
  try {
    return isInList ? parseRecord(record.text) : record.tree;
  } catch (error) {
    if (!(error instanceof MarError && error.cause instanceof JsonSyntaxError)) throw error;
    throw new MarError('service', `cannot show the record: ${error.cause.message}`, {
      hint: 'To print it unchanged, use: --json --show-secrets',
    });
  }
}

interface PrinterOptions extends Omit<ListOptions, 'columns'> {
  columns?: readonly string[];
  filter?: JqFilter;
  secrets?: { mayHoldSecret(text: string): boolean; hideSecrets(json: Json): Json };
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
    const { stdout, format, filter } = this.#options;
    if (filter || format === 'csv') return this.records([record], view);
    await stdout.write(await this.#recordText(this.#present(record), view, format));
  }

  async #recordText(
    shown: ServiceRecord,
    view: View,
    format: Exclude<Format, 'csv'>,
  ): Promise<string> {
    const { stdout, style } = this.#options;
    switch (format) {
      case 'json':
      case 'jsonl':
        return `${machineText(shown.text, format, stdout)}\n`;
      case 'yaml': {
        const { printYaml } = await import('./yaml.ts');
        return this.#busyWith(shown, () => printYaml(shown.value as Json));
      }
      case 'table': {
        const card = await this.#card(shown, view);
        const lines = this.#busyWith(shown, () => renderCard(card, stdout.columns, style));
        return lines.map((line) => `${line}\n`).join('');
      }
      case 'tsv': {
        const { isTerminal } = stdout;
        const facts = await this.#rows(shown, view);
        const rows = this.#busyWith(shown, () => facts.map((row) => tsvRow(row, isTerminal)));
        return `${rows.join('\n')}\n`;
      }
    }
  }

  records(records: readonly ServiceRecord[], view: View): Promise<void> {
    return this.list([records], view);
  }

  async list(
    pages: AsyncIterable<readonly ServiceRecord[]> | Iterable<readonly ServiceRecord[]>,
    view: View,
  ): Promise<void> {
    let writer: ListWriter | undefined;
    try {
      for await (const page of pages) {
        if (page.length === 0) continue;
        const records = page.map((record) => this.#present(record, { isInList: true }));
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
    if (filter) return filter(stdout);
    const known = await pickColumns(view, picked);
    const columns = known.length > 0 ? known : columnsOf(records, await view.timeFields?.());
    return listWriter({ ...this.#options, columns });
  }

  /** A record without its secrets, and lossless if needed. Most records of a list need neither. */
  #present(record: ServiceRecord, { isInList = false } = {}): ServiceRecord {
    const { text } = record;
    const { secrets, format, filter } = this.#options;
    const hasOriginalText = filter !== undefined || isMachineFormat(format);
    return this.#busyWith(record, () => {
      const hasSecret = secrets?.mayHoldSecret(text) === true;
      const isLossless =
        !hasOriginalText && (!isInList || format === 'yaml' || inexactNumber.test(text));
      if (!hasSecret && !isLossless) return record;
      const tree = losslessTree(record, isInList);
      if (!hasSecret) return new ServiceRecord(tree, text);
      return ServiceRecord.fromTree(secrets.hideSecrets(tree));
    });
  }

  #busyWith<T>({ text }: ServiceRecord, work: () => T): T {
    return text.length < largeRecord ? work() : this.#options.interruptible(work);
  }

  async #card(shown: ServiceRecord, view: View): Promise<Card> {
    const { value } = shown;
    const { columns: picked, now, timeUnit, paintStatus, userName } = this.#options;
    const tools = cardTools(now, timeUnit, userName);
    if (!picked && view.card) return view.card(value, tools);
    if (!picked) {
      const rows = await this.#fields(shown, view, (field) => tools.time(field));
      return { title: '', sections: [{ rows }] };
    }
    const columns = await pickColumns(view, picked);
    const rows = columns.map((column): [string, CardText] => {
      const { path, kind } = column;
      const field = columnReader(column)(value);
      if (kind === 'time') return [path, tools.time(field)];
      if (kind === 'user') return [path, tools.user(cellText(field))];
      return [path, { text: cellText(field), paint: kind === 'status' ? paintStatus : undefined }];
    });
    return { title: '', sections: [{ rows }] };
  }

  /** All fields, by their paths. */
  async #fields(
    shown: ServiceRecord,
    { timeFields }: View,
    time: (value: unknown, date: Date) => string,
  ) {
    const isTime = await timeFields?.();
    const cell = (value: unknown, path: string) => {
      const date = isTime && readTime(value, this.#options.timeUnit);
      return date && isTime(path) ? time(value, date) : machineCell(value);
    };
    return this.#busyWith(shown, () => flatten(shown.value, cell));
  }

  async #rows(shown: ServiceRecord, view: View): Promise<(readonly [string, string])[]> {
    const { value } = shown;
    const { columns: picked, timeUnit } = this.#options;
    if (!picked) return this.#fields(shown, view, (_, date) => date.toISOString());
    const columns = await pickColumns(view, picked);
    const cells = machineCells({ columns, timeUnit })(value);
    return columns.map(({ path }, index) => [path, cells[index] ?? '']);
  }
}

export const factsView: View = { columns: [] };

function cardTools(
  now: Date,
  timeUnit: TimeUnit,
  userName: ListOptions['userName'] = () => undefined,
): CardTools {
  return {
    now,
    cell: cellText,
    date: (value) => readTime(value, timeUnit),
    user(id) {
      const name = userName(id);
      return name === undefined ? id : `${name} (${id})`;
    },
    time(value, zone) {
      const date = readTime(value, timeUnit);
      if (!date) return cellText(value);
      const shown = formatDate(date, typeof zone === 'string' ? zone : undefined);
      return `${shown} (${unbroken(formatRelative(date, now))})`;
    },
  };
}
