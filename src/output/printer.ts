import { MarError } from '../errors.ts';
import { flatten } from '../json/fields.ts';
import { JsonSyntaxError } from '../json/parse.ts';
import { extendPath, type PathStep } from '../json/path.ts';
import { parseRecord, ServiceRecord } from '../json/serviceRecord.ts';
import { isObject, type Json } from '../json/value.ts';
import { cellText, machineCell } from '../values/cell.ts';
import { type Format, isMachineFormat, isSheet, isWholeRecord } from '../values/formats.ts';
import { sanitiseLines } from '../values/sanitise.ts';
import { tsvRow } from '../values/separatedValues.ts';
import { type Clock, formatDate, formatRelative } from '../values/time.ts';
import { type Card, type CardText, renderCard, unbroken } from './card.ts';
import {
  columnReader,
  columnsError,
  columnsWithout,
  listColumns,
  pickColumns,
  pickedTime,
  pickFields,
} from './columns.ts';
import type { JqFilter } from './jq.ts';
import { listWriter, machineCells, machineText } from './lists.ts';
import type { OutcomeResult, Pages } from './result.ts';
import { ClosedPipe } from './streams.ts';
import type { CardTools, Column, KnownFields, ListOptions, ListWriter, View } from './view.ts';

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

export interface PrinterOptions extends Omit<ListOptions, 'columns'> {
  columns?: readonly string[];
  filter?: JqFilter;
  /** Refuses columns that are not documented, even if a record has them. */
  strict?: boolean;
  isoTimes: boolean;
  secrets?: { mayHoldSecret(text: string): boolean; hideSecrets(json: Json): Json };
  /** Takes the records as `--json` would print them. Nothing is printed then. */
  collect?(record: ServiceRecord): void;
}

/** Records that wait until one of them has an undocumented column. */
const maxHeldRecords = 1000;

/** A record of this length takes long enough to print that a user may press Ctrl-C. */
const largeRecord = 1_000_000;

export class Printer {
  readonly #options: PrinterOptions;

  constructor(options: PrinterOptions) {
    this.#options = options;
  }

  get isForPrograms(): boolean {
    return this.isWholeRecord || isSheet(this.#options.format);
  }

  get isWholeRecord(): boolean {
    const { filter, format } = this.#options;
    return filter !== undefined || isWholeRecord(format);
  }

  /**
   * One record: whole for programs, as a card for people, as rows of path and value for a pipe. After
   * a write, a missing column is no error, because the write succeeded.
   */
  async record(record: ServiceRecord, view: View, { isWritten = false } = {}): Promise<void> {
    const { stdout, format, filter } = this.#options;
    if (filter || isSheet(format)) return this.list([[record]], view, { isWritten });
    const shown = this.#present(record, { isTime: await this.#isoTimes(view) });
    const unseen = columnsWithout(await this.unknownColumns(view), [shown]);
    this.#reportUnseen(unseen, shown, isWritten);
    const pick = await this.#picker(view);
    await stdout.write(await this.#recordText(pick(shown), view, format));
  }

  /** The columns of `--columns` that are not documented. Only the records show whether they exist. */
  async unknownColumns(view: View): Promise<readonly Column[]> {
    const { columns: picked, strict, filter } = this.#options;
    if (!picked || filter) return [];
    const unknown = (await pickColumns(view, picked)).filter((column) => column.unknown);
    if (strict && view.knownFields && unknown.length > 0) throw columnsError(unknown);
    return unknown;
  }

  /** In formats with whole records, `--columns` picks fields. */
  async #picker(view: View): Promise<(record: ServiceRecord) => ServiceRecord> {
    const { columns: picked, format } = this.#options;
    if (!picked || !isWholeRecord(format)) return (record) => record;
    const columns = await pickColumns(view, picked);
    return ({ text }) => ServiceRecord.fromTree(pickFields(columns, parseRecord(text)));
  }

  /** Columns that no record has are a mistake. After a write it is too late for an error. */
  #reportUnseen(columns: readonly Column[], example: ServiceRecord, isWritten: boolean): void {
    if (columns.length === 0) return;
    const error = columnsError(columns, example);
    if (!isWritten) throw error;
    this.#options.warn('unknown-column', error.message, error.details.fields);
  }

  async #recordText(
    shown: ServiceRecord,
    view: View,
    format: Exclude<Format, 'csv' | 'xlsx'>,
  ): Promise<string> {
    const { stdout, style } = this.#options;
    switch (format) {
      case 'json':
      case 'jsonl':
        return `${machineText(shown.text, format, stdout)}\n`;
      case 'yaml': {
        const { printYaml } = await import('../values/yaml.ts');
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

  async list(pages: Pages, view: View, { isWritten = false } = {}): Promise<void> {
    const { filter, stdout } = this.#options;
    stdout.records ??= 0;
    const pick = await this.#picker(view);
    let writer: ListWriter | undefined;
    let unseen = filter
      ? filter.fields.map((path): Column => ({ title: path, path }))
      : await this.unknownColumns(view);
    let held: ServiceRecord[] = [];
    const isTime = await this.#isoTimes(view);
    let example: ServiceRecord | undefined;
    try {
      for await (const page of pages) {
        if (page.length === 0) continue;
        stdout.records += page.length;
        const records = page.map((record) => this.#present(record, { isInList: true, isTime }));
        example ??= records[0];
        unseen = columnsWithout(unseen, records);
        const picked = records.map(pick);
        held = held.length === 0 ? picked : [...held, ...picked];
        if (!filter && unseen.length > 0 && held.length < maxHeldRecords) continue;
        writer ??= await this.#writer(view, held);
        await writer.page(held.splice(0));
        if (writer.isDone?.()) break;
      }
    } catch (error) {
      stdout.isCutOff = true;
      if (!(error instanceof ClosedPipe)) await writer?.breakOff?.();
      throw error;
    }
    if (example && !filter) this.#reportUnseen(unseen, example, isWritten);
    writer ??= await this.#writer(view, held);
    if (held.length > 0) await writer.page(held);
    await writer.end();
    if (example && filter) await this.#warnOfFields(unseen, view, example);
  }

  /** Warns of fields of a filter that no record has and nothing documents: it printed only nulls. */
  async #warnOfFields(unseen: readonly Column[], view: View, example: ServiceRecord) {
    const known = unseen.length > 0 ? await view.knownFields?.() : undefined;
    const columns = unseen.flatMap((column): Column[] => {
      const unknown = known ? known.unknownColumn(column.path, []) : column;
      return unknown ? [{ ...column, unknown }] : [];
    });
    if (columns.length === 0) return;
    const { message, details } = columnsError(columns, example);
    const text = message.replace(/^unknown column/gm, 'no record has the field');
    this.#options.warn('unknown-field', text, details.fields);
  }

  async outcome({ facts, sentence, rows }: OutcomeResult): Promise<void> {
    const { stdout, format, filter, columns } = this.#options;
    if (!this.isForPrograms) return stdout.write(`${sanitiseLines(sentence).join('\n')}\n`);
    if (rows && !this.isWholeRecord) return this.list([rows.records], rows.view);
    const record = ServiceRecord.fromValue(typeof facts === 'function' ? facts() : facts);
    if (!filter && !columns && isMachineFormat(format)) {
      return stdout.write(`${machineText(record.text, 'jsonl', stdout)}\n`);
    }
    await this.record(record, factsView);
  }

  async #writer(view: View, records: readonly ServiceRecord[]): Promise<ListWriter> {
    const { filter, stdout, columns: picked, collect } = this.#options;
    if (collect) {
      return { page: async (page) => page.forEach(collect), end: async () => {} };
    }
    if (filter) return filter.writer(stdout);
    const columns = await listColumns(view, records, this.#options);
    const { address } = view;
    return listWriter({ ...this.#options, columns, address, isPicked: picked !== undefined });
  }

  /** A record without its secrets, and lossless if needed. Most records of a list need neither. */
  #present(
    record: ServiceRecord,
    { isInList = false, isTime }: { isInList?: boolean; isTime?: IsTime } = {},
  ): ServiceRecord {
    const { text } = record;
    const { secrets, format, filter, date } = this.#options;
    const hasOriginalText = filter !== undefined || isMachineFormat(format);
    return this.#busyWith(record, () => {
      const hasSecret = secrets?.mayHoldSecret(text) === true;
      const isLossless =
        !hasOriginalText && (!isInList || format === 'yaml' || inexactNumber.test(text));
      if (!hasSecret && !isLossless && !isTime) return record;
      const tree = losslessTree(record, isInList);
      if (!hasSecret && !isTime) return new ServiceRecord(tree, text);
      const safe = hasSecret ? secrets.hideSecrets(tree) : tree;
      const shown = ServiceRecord.fromTree(isTime ? withIsoTimes(safe, isTime, date) : safe);
      return record.row === undefined ? shown : Object.assign(shown, { row: record.row });
    });
  }

  /** For `--times iso`: tells times from other numbers by their paths. */
  async #isoTimes({ knownFields }: View): Promise<IsTime | undefined> {
    const isWanted = this.#options.isoTimes && this.isWholeRecord;
    return isWanted ? (await knownFields?.())?.isTime : undefined;
  }

  #busyWith<T>({ text }: ServiceRecord, work: () => T): T {
    return text.length < largeRecord ? work() : this.#options.interruptible(work);
  }

  async #card(shown: ServiceRecord, view: View): Promise<Card> {
    const { value } = shown;
    const { columns: picked, paintStatus } = this.#options;
    const tools = cardTools(this.#options);
    if (!picked && view.card) return view.card(value, tools);
    if (!picked) {
      const rows = await this.#fields(shown, view, (field) => tools.time(field));
      return { title: '', sections: [{ rows }] };
    }
    const columns = await pickColumns(view, picked);
    const rows = columns.map((column): [string, CardText] => {
      const { path, kind, paint } = column;
      const time = pickedTime(column)(value, tools);
      if (time !== '') return [path, { text: time, paint }];
      const field = columnReader(column)(value);
      if (kind === 'user') return [path, tools.user(cellText(field))];
      return [path, { text: cellText(field), paint: kind === 'status' ? paintStatus : undefined }];
    });
    return { title: '', sections: [{ rows }] };
  }

  /** All fields, by their paths. */
  async #fields(
    shown: ServiceRecord,
    { knownFields }: View,
    time: (value: unknown, date: Date) => string,
  ) {
    const isTime = (await knownFields?.())?.isTime;
    const cell = (value: unknown, path: string) => {
      const date = isTime && this.#options.date(value);
      return date && isTime(path) ? time(value, date) : machineCell(value);
    };
    return this.#busyWith(shown, () => flatten(shown.value, cell));
  }

  async #rows(shown: ServiceRecord, view: View): Promise<(readonly [string, string])[]> {
    const { value } = shown;
    const { columns: picked, date } = this.#options;
    if (!picked) return this.#fields(shown, view, (_, date) => date.toISOString());
    const columns = await listColumns(view, [shown], this.#options);
    const cells = machineCells({ columns, date })(value);
    return columns.map(({ path }, index) => [path, cells[index] ?? '']);
  }
}

type IsTime = KnownFields['isTime'];

function withIsoTimes(json: Json, isTime: IsTime, date: Clock['date'], path = ''): Json {
  const below = (value: Json, step: PathStep) =>
    withIsoTimes(value, isTime, date, extendPath(path, step));
  if (Array.isArray(json)) return json.map(below);
  if (isObject(json)) return new Map([...json].map(([key, value]) => [key, below(value, key)]));
  const time = date(json);
  // Whole seconds, because jq's fromdate takes no others.
  return time && isTime(path) ? time.toISOString().replace(/\.\d+Z/, 'Z') : json;
}

export const factsView: View = { columns: [] };

export function cardTools({
  now,
  date,
  userName,
}: Pick<ListOptions, 'now' | 'date' | 'userName'>): CardTools {
  return {
    now,
    date,
    cell: cellText,
    user(id) {
      const name = userName?.(id);
      return name === undefined ? id : `${name} (${id})`;
    },
    time(value, zone) {
      const time = date(value);
      if (!time) return cellText(value);
      return `${formatDate(time, zone)} (${unbroken(formatRelative(time, now))})`;
    },
  };
}
