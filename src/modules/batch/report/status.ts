import { hideSecrets } from '../../../core/api/secretFields.ts';
import { ServiceRecord } from '../../../core/json/serviceRecord.ts';
import { type ListResult, listResult, outcome, type Results } from '../../../core/output/result.ts';
import type { Column, View } from '../../../core/output/viewType.ts';
import { keyOf } from '../../../core/rows/rowKey.ts';
import type { Context } from '../../../core/session/context.ts';
import { groupBy } from '../../../core/values/groupBy.ts';
import { pluralNoun } from '../../../core/values/numbers.ts';
import { sanitise } from '../../../core/values/sanitise.ts';
import { findJournals, journaledRows, readJournal } from '../journal/findJournals.ts';
import { endpointOf } from '../journal/format.ts';
import { latestEvent, type ReplayedJournal } from '../journal/replay.ts';
import { type Summary, summaryOf } from '../journal/rowStates.ts';
import { parseShard } from '../shards.ts';
import { describeSummary, namedRows, namedStates, resolveHints, rowsByState } from './result.ts';

/** The outcome of a row. */
interface ReportLine {
  /** Not of an order that the input no longer has. */
  row?: number;
  state: string;
  id?: string;
  message?: string;
}

/** How many rows of a batch are done, and what to do about the others. */
export async function* batchStatus(context: Context, file: string): Results {
  const { journals, summary, lines } = await readBatch(context, file);
  const { reporter } = context;
  yield outcome(() => factsOf(journals, summary, [...lines()]), describeSummary(summary));
  for (const { path, header, states } of journals) {
    const own = states.summarise();
    const prefix = journals.length > 1 ? `Shard ${header.shard}: ` : '';
    for (const state of namedStates.filter((one) => own[one] > 0)) {
      reporter.reportOnce(`${prefix}${namedRows(states, state)}`);
      if (state !== 'unknown') continue;
      const endpoint = endpointOf(header.command);
      reporter.reportOnce(resolveHints(path, endpoint, states.rowsIn(state)));
    }
  }
}

const rowsInPage = 500;

/** The state of each row, its record and what went wrong. */
export async function* batchReport(
  context: Context,
  file: string,
  view: View,
  sheetColumns: readonly Column[],
): Results {
  const { lines, journals } = await readBatch(context, file);
  const [first] = journals;
  const isSheet = context.flags.format === 'xlsx' && first;
  const sheet = isSheet ? await sheetReport(context, first, lines(), sheetColumns) : undefined;
  if (sheet) {
    yield sheet;
    return;
  }
  function* pages(): Generator<ServiceRecord[]> {
    let page: ServiceRecord[] = [];
    for (const line of lines()) {
      // They quote the service, and people print reports to a terminal with cat.
      const id = line.id && sanitise(line.id);
      const message = line.message && sanitise(line.message);
      page.push(ServiceRecord.fromValue({ ...line, id, message }));
      if (page.length < rowsInPage) continue;
      yield page;
      page = [];
    }
    yield page;
  }
  yield listResult(pages(), view, { isOwn: true });
}

type SheetRow = Partial<ReportLine> & { cells: readonly unknown[] };

/** The columns of a table as they are in the input, then what became of each row. */
async function sheetReport(
  context: Context,
  journal: ReplayedJournal,
  lines: Iterable<ReportLine>,
  columns: readonly Column[],
): Promise<ListResult | undefined> {
  const byKey = groupBy(lines, ({ row = 0 }) => journal.keys[row - 1] ?? '');
  const rows: SheetRow[] = [];
  let names: readonly string[] | undefined;
  for await (const { original } of journaledRows(context, journal)) {
    if ('text' in original) return undefined;
    names = original.names;
    const line = byKey.get(keyOf(original))?.shift() ?? { state: 'new' };
    rows.push({ ...line, cells: original.values ?? original.cells });
  }
  if (!names) return undefined;
  for (const line of [...byKey.values()].flat()) {
    const message = line.message ?? `row ${line.row}, no longer in the file`;
    rows.push({ ...line, message, cells: [] });
  }
  const own = names.map(
    (title, at): Column => ({
      title,
      path: `#${at + 1}`,
      read: (row) => hideSecrets((row as SheetRow).cells[at] as string, title),
    }),
  );
  // Without a text: dates are no JSON.
  const records = rows.map((row) => new ServiceRecord(row, ''));
  return listResult([records], { columns: [...own, ...columns] }, { isOwn: true });
}

/** Replays the journals of a batch. Those of all shards together have all its rows, in their order. */
async function readBatch({ reporter, flags }: Context, file: string) {
  const journals: ReplayedJournal[] = [];
  for (const path of await findJournals(file, flags.outputFile)) {
    const journal = await readJournal(path);
    const { holder, header } = journal;
    const prefix = header.shard === '1/1' ? '' : `Shard ${header.shard}: `;
    if (holder) reporter.reportOnce(`${prefix}Running in process ${holder.pid}`);
    journals.push(journal);
  }
  const [first] = journals as [ReplayedJournal, ...ReplayedJournal[]];
  const { baseUrl, account, at } = first.header;
  reporter.reportOnce(`The batch was started ${at} as ${account} at ${baseUrl}`);
  const isOneInput = journals.every(({ hash }) => hash === first.hash);
  if (!isOneInput) {
    reporter.reportOnce(
      `The shards ran with different versions of ${file}. Row numbers are those of each shard's version.`,
    );
  }
  const { count } = parseShard(first.header.shard);
  const all = Array.from({ length: count }, (_, index) => `${index + 1}/${count}`);
  const isMissing = (shard: string) => !journals.some(({ header }) => header.shard === shard);
  // Somebody who names the journal of a shard wants only that one.
  const missing = first.path === file ? [] : all.filter(isMissing);
  if (missing.length > 0) {
    const noun = pluralNoun(missing.length, 'shard');
    reporter.reportOnce(`Not started, or not in this folder: ${noun} ${missing.join(', ')}`);
  }
  const rows = journals
    .flatMap((journal) => [...journal.states.rowsOfShard()].map((row) => ({ row, journal })))
    .sort((one, other) => one.row - other.row);
  const summary = summaryOf(rows.map(({ row, journal }) => journal.states.get(row)));
  function* lines(): Generator<ReportLine> {
    for (const { row, journal } of rows) {
      const { id, message } = latestEvent(journal, row);
      yield { row, state: journal.states.get(row), id, message };
    }
    for (const { id, message } of journals.flatMap(({ gone }) => gone)) {
      yield { state: 'gone', id, message };
    }
  }
  return { journals, summary, lines };
}

function factsOf(
  journals: readonly ReplayedJournal[],
  summary: Summary,
  results: readonly ReportLine[],
): Record<string, unknown> {
  const shards = journals.map(({ header: { shard }, path: journal, states }) => {
    return { shard, ...states.summarise(), journal };
  });
  return {
    ...summary,
    ...rowsByState((state) =>
      results.filter((line) => line.state === state).flatMap(({ row }) => row ?? []),
    ),
    journal: journals[0]?.path,
    ...(shards.some(({ shard }) => shard !== '1/1') && { shards }),
    results,
  };
}
