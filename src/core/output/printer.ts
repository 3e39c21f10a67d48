import { extendPath, type PathStep } from '../json/path.ts';
import { parseRecord, ServiceRecord } from '../json/serviceRecord.ts';
import { isObject, type Json } from '../json/value.ts';
import { readAhead } from '../values/concurrency.ts';
import { isMachineFormat, isSheet, isWholeRecord } from '../values/formats.ts';
import { sanitiseLines } from '../values/sanitise.ts';
import type { Clock } from '../values/time.ts';
import { columnsError, columnsWithout, listColumns, pickColumns, pickFields } from './columns.ts';
import type { JqFilter } from './jq.ts';
import { machineText, printList } from './lists.ts';
import { recordText } from './recordText.ts';
import type { OutcomeResult, Pages } from './result.ts';
import type { Column, KnownFields, ListOptions, ShownPages, Summary, View } from './viewType.ts';

/** Numbers that ordinary values may change: too many digits, fractions, exponents. */
const inexactNumber = /\d{16}|\d\.\d|\d[eE][-+\d]/;

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

export type Printer = ReturnType<typeof makePrinter>;

export function makePrinter(options: PrinterOptions) {
  const { stdout, format, filter, columns: picked, warn } = options;
  const isForWholeRecords = filter !== undefined || isWholeRecord(format);
  const isForPrograms = isForWholeRecords || isSheet(format);
  return { isForPrograms, isForWholeRecords, record, list, outcome, unknownColumns };

  /** Prints one record. After a write, a missing column is no error, because the write succeeded. */
  async function record(one: ServiceRecord, view: View, { isWritten = false } = {}): Promise<void> {
    if (filter || isSheet(format)) return list([[one]], view, { isWritten });
    const shown = present(one, options, { isInList: false, isTime: await isoTimes(view) });
    const unseen = columnsWithout(await unknownColumns(view, isWritten), [shown]);
    reportUnseen(unseen, shown, isWritten);
    const pick = await picker(view);
    await stdout.write(await recordText(pick(shown), view, format, options));
  }

  /** The columns of `--columns` that are not documented. Only the records show whether they exist. */
  async function unknownColumns(view: View, isWritten = false): Promise<readonly Column[]> {
    if (!picked || filter) return [];
    const unknown = (await pickColumns(view, picked)).filter((column) => column.unknown);
    const isRefused = options.strict && view.knownFields && !isWritten;
    if (isRefused && unknown.length > 0) throw columnsError(unknown);
    return unknown;
  }

  /** In formats with whole records, `--columns` picks fields. */
  async function picker(view: View): Promise<(record: ServiceRecord) => ServiceRecord> {
    if (!picked || !isWholeRecord(format)) return (one) => one;
    const columns = await pickColumns(view, picked);
    return ({ text }) => ServiceRecord.fromTree(pickFields(columns, parseRecord(text)));
  }

  /** Columns that no record has are a mistake. After a write it is too late for an error. */
  function reportUnseen(columns: readonly Column[], example: ServiceRecord, isWritten: boolean) {
    if (columns.length === 0) return;
    const error = columnsError(columns, example);
    if (!isWritten) throw error;
    warn('unknown-column', error.message, error.details.fields);
  }

  async function list(
    pages: Pages,
    view: View,
    { isWritten = false, summary }: { isWritten?: boolean; summary?: Summary } = {},
  ): Promise<void> {
    stdout.records ??= 0;
    const pick = await picker(view);
    let unseen = await unknownColumns(view, isWritten);
    const isTime = await isoTimes(view);
    let example: ServiceRecord | undefined;
    async function* shownPages(): ShownPages {
      const held: ServiceRecord[] = [];
      for await (const page of pages) {
        stdout.records = (stdout.records ?? 0) + page.length;
        const records = page.map((one) => present(one, options, { isInList: true, isTime }));
        example ??= records[0];
        unseen = columnsWithout(unseen, records);
        for (const one of records) held.push(pick(one));
        const mayWait = unseen.length > 0 && held.length < maxHeldRecords;
        if (held.length > 0 && !mayWait) yield held.splice(0);
      }
      if (example) reportUnseen(unseen, example, isWritten);
      if (held.length > 0) yield held;
    }
    const shown = shownPages();
    try {
      await printPages(shown, view, summary);
    } catch (error) {
      stdout.isCutOff = true;
      throw error;
    } finally {
      await shown.return(undefined);
    }
  }

  async function outcome({ facts, sentence, rows }: OutcomeResult): Promise<void> {
    if (!isForPrograms) return stdout.write(`${sanitiseLines(sentence).join('\n')}\n`);
    if (rows && !isForWholeRecords) return list([rows.records], rows.view);
    const all = ServiceRecord.fromValue(typeof facts === 'function' ? facts() : facts);
    if (!filter && !picked && isMachineFormat(format)) {
      return stdout.write(`${machineText(all.text, 'jsonl', stdout)}\n`);
    }
    await record(all, factsView);
  }

  async function printPages(pages: ShownPages, view: View, summary?: Summary): Promise<void> {
    const { collect } = options;
    if (collect) {
      for await (const page of pages) page.forEach(collect);
      return;
    }
    if (filter) return filter.print(pages, stdout);
    const { sample, all } = await readAhead(pages, 1);
    const columns = await listColumns(view, sample, options);
    await printList(all, { ...options, columns, isPicked: picked !== undefined, summary });
  }

  /** For `--times iso`: tells times from other numbers by their paths. */
  async function isoTimes({ knownFields }: View): Promise<IsTime | undefined> {
    return options.isoTimes && isForWholeRecords ? (await knownFields?.())?.isTime : undefined;
  }
}

/** A record without its secrets, and lossless if needed. Most records of a list need neither. */
function present(
  one: ServiceRecord,
  options: PrinterOptions,
  { isInList, isTime }: { isInList: boolean; isTime: IsTime | undefined },
): ServiceRecord {
  const { format, filter, secrets, date } = options;
  const { text } = one;
  const hasOriginalText = filter !== undefined || isMachineFormat(format);
  const hasSecret = secrets?.mayHoldSecret(text) === true;
  const isLossless =
    !hasOriginalText && (!isInList || format === 'yaml' || inexactNumber.test(text));
  if (!hasSecret && !isLossless && !isTime) return one;
  // The records of a list do not keep their trees.
  const tree = isInList ? parseRecord(text) : one.tree;
  if (!hasSecret && !isTime) return new ServiceRecord(tree, text);
  const safe = hasSecret ? secrets.hideSecrets(tree) : tree;
  const shown = ServiceRecord.fromTree(isTime ? withIsoTimes(safe, isTime, date) : safe);
  return one.row === undefined ? shown : Object.assign(shown, { row: one.row });
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
