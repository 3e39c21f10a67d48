import { hideSecrets } from '../../../core/api/secretFields.ts';
import { webAddress } from '../../../core/commands/wr/webPage.ts';
import { orUndefined, runHint } from '../../../core/errors.ts';
import { valueAt } from '../../../core/json/fields.ts';
import { ServiceRecord } from '../../../core/json/serviceRecord.ts';
import { type ListResult, listResult, outcome, type Results } from '../../../core/output/result.ts';
import type { Column, View } from '../../../core/output/viewType.ts';
import { keyOf } from '../../../core/rows/rowKey.ts';
import type { Context } from '../../../core/session/context.ts';
import { pageTemplate } from '../../../core/session/remember.ts';
import { words } from '../../../core/values/commandLine.ts';
import { groupBy } from '../../../core/values/groupBy.ts';
import { plural, pluralNoun, rowRanges } from '../../../core/values/numbers.ts';
import { sanitise } from '../../../core/values/sanitise.ts';
import { commands } from '../../../core/writes/recordIntent.ts';
import { batchName, findJournals, journaledRows, readJournal } from '../journal/findJournals.ts';
import { endpointOf, goneText, type JournalHeader } from '../journal/format.ts';
import { latestEvent, type ReplayedJournal } from '../journal/replay.ts';
import { isInShard } from '../journal/rowMatcher.ts';
import { type Summary, summaryOf } from '../journal/rowStates.ts';
import { parseShard } from '../shards.ts';
import { describeSummary, namedRows, namedStates, resolveHints, rowsByState } from './result.ts';

interface ReportLine {
  /** Not of an order that the input no longer has. */
  row?: number;
  state: string;
  id?: string;
  message?: string;
}

const state: Column = { title: 'State', path: 'state', importance: 4 };
const id: Column = { title: 'Id', path: 'id', kind: 'id' };
const message: Column = { title: 'Message', path: 'message', importance: 3 };
export const reportView: View = {
  columns: [{ title: 'Row', path: 'row', kind: 'number' }, state, id, message],
};

/** The rows of the shards that the journals are of, in their order. */
const rowsOf = (journals: readonly ReplayedJournal[]) =>
  journals
    .flatMap((journal) => [...journal.states.rowsOfShard()].map((row) => ({ row, journal })))
    .sort((one, other) => one.row - other.row);

function* reportLines(journals: readonly ReplayedJournal[]): Generator<ReportLine> {
  for (const { row, journal } of rowsOf(journals)) {
    const { states } = journal;
    const { id, message } = latestEvent(journal, row);
    const again = states.isResent(row) ? 'sent again; the first one may have arrived too' : '';
    const texts = [message, again].filter(Boolean);
    yield { row, state: states.get(row), id, message: texts.join('; ') || undefined };
  }
  for (const { id, message } of journals.flatMap(({ gone }) => gone)) {
    yield { state: 'gone', id, message: `${goneText}: ${message}` };
  }
}

const rowsInPage = 500;

/** The state of each row, its record and what went wrong. */
export async function* rowsReport(context: Context, journals: readonly ReplayedJournal[]): Results {
  const [first] = journals;
  const { format = '', outputFile } = context.flags;
  const isSheet = format === 'xlsx' || (outputFile !== undefined && /^[ct]sv$/.test(format));
  const sheet = isSheet && first && (await sheetReport(context, first, reportLines(journals)));
  if (sheet) {
    yield sheet;
    return;
  }
  function* pages(): Generator<ServiceRecord[]> {
    let page: ServiceRecord[] = [];
    for (const line of reportLines(journals)) {
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
  yield listResult(pages(), reportView, { isOwn: true });
}

type SheetRow = Partial<ReportLine> & { cells: readonly unknown[] };

/** The columns of a table that have a title, as in the input, then what became of each row. */
async function sheetReport(
  context: Context,
  journal: ReplayedJournal,
  lines: Iterable<ReportLine>,
): Promise<ListResult | undefined> {
  const shard = parseShard(journal.header.shard);
  const byKey = groupBy(lines, ({ row = 0 }) => journal.keys[row - 1] ?? '');
  const rows: SheetRow[] = [];
  let names: readonly string[] | undefined;
  for await (const { original } of journaledRows(context, journal)) {
    if ('text' in original) return undefined;
    names = original.names;
    const key = keyOf(original);
    const missing = isInShard(shard, key) ? { state: 'new' } : { message: 'in another shard' };
    const line = byKey.get(key)?.shift() ?? missing;
    const values = context.flags.format === 'xlsx' ? original.values : undefined;
    rows.push({ ...line, cells: values ?? original.cells });
  }
  if (!names) return undefined;
  for (const line of [...byKey.values()].flat()) {
    const message = line.message ?? `row ${line.row}, no longer in the file`;
    rows.push({ ...line, message, cells: [] });
  }
  const own = names.map(
    (title, at): Column => ({
      title,
      path: title,
      read: (row) => hideSecrets((row as SheetRow).cells[at] as string, title),
    }),
  );
  const page = orUndefined(() => pageTemplate(context.session));
  const isOrder = endpointOf(journal.header.command) === 'workRequestCreate';
  const view = isOrder ? page : undefined;
  const read = (row: unknown) => webAddress({ _id: valueAt(row, 'id'), urls: { view } });
  const link: Column = { title: 'Web page', path: 'page', kind: 'link', read };
  const columns = [...own, id, state, message, link].filter(({ title }) => title !== '');
  // Without a text: dates are no JSON.
  const records = rows.map((row) => new ServiceRecord(row, ''));
  return listResult([records], { columns }, { isOwn: true });
}

/** How many rows of a batch are done, and what to do about the others. */
export async function* batchStatus(context: Context, file: string): Results {
  const { journals, summary } = await readBatch(context, file);
  const { reporter } = context;
  const [first] = journals;
  const endpoint = first && endpointOf(first.header.command);
  const facts = () => factsOf(journals, summary, [...reportLines(journals)]);
  yield outcome(facts, describeSummary(summary, journals.flatMap(({ gone }) => gone).length));
  for (const { path, header, states, holder } of journals) {
    const own = states.summarise();
    const prefix = journals.length > 1 ? `Shard ${header.shard}: ` : '';
    for (const state of namedStates.filter((one) => own[one] > 0)) {
      reporter.reportOnce(`${prefix}${namedRows(states, state)}`);
      if (state !== 'unknown') continue;
      reporter.reportOnce(resolveHints(path, endpoint, states.rowsIn(state)));
    }
    const resent = states.resent();
    if (resent.length > 0) {
      const text = `${prefix}Sent again, may be there twice: ${rowRanges(resent)}. If you find only one`;
      const decision = `${resent[0]}=created:ID`;
      reporter.reportOnce(runHint(text, words`mar batch resolve ${batchName(path)} ${decision}`));
    }
    if (own.pending > 0 && !holder) reporter.reportOnce(resumeText(header, own.pending));
  }
}

/** The journal does not have all flags of the command. */
function resumeText({ command, undoOf, input }: JournalHeader, pending: number): string {
  const by = undoOf ? 'mar batch undo' : commands[endpointOf(command) ?? 'workRequestCreate'];
  return `${plural(pending, 'row')} pending. To resume, run ${by} again, with ${input} and the flags that it had.`;
}

/** Replays the journals of a batch. Those of all shards together have all its rows, in their order. */
export async function readBatch({ reporter, flags }: Context, file: string) {
  const journals: Awaited<ReturnType<typeof readJournal>>[] = [];
  for (const path of await findJournals(file, flags.outputFile)) {
    const journal = await readJournal(path);
    const { holder, header } = journal;
    const prefix = header.shard === '1/1' ? '' : `Shard ${header.shard}: `;
    if (holder) reporter.reportOnce(`${prefix}Running in process ${holder.pid}`);
    journals.push(journal);
  }
  const first = journals[0] as ReplayedJournal;
  const { baseUrl, account, at } = first.header;
  reporter.reportOnce(`The batch was started ${at} as ${account} at ${baseUrl}`);
  const { count } = parseShard(first.header.shard);
  const all = Array.from({ length: count }, (_, index) => `${index + 1}/${count}`);
  const isMissing = (shard: string) => !journals.some(({ header }) => header.shard === shard);
  // Somebody who names the journal of a shard wants only that one.
  const missing = first.path === file ? [] : all.filter(isMissing);
  if (missing.length > 0) {
    const noun = pluralNoun(missing.length, 'shard');
    reporter.reportOnce(`Not started, or not in this folder: ${noun} ${missing.join(', ')}`);
  }
  const summary = summaryOf(rowsOf(journals).map(({ row, journal }) => journal.states.get(row)));
  return { journals, summary };
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
    gone: results.filter((line) => line.state === 'gone').length,
    ...rowsByState((state) =>
      results.filter((line) => line.state === state).flatMap(({ row }) => row ?? []),
    ),
    journal: journals[0]?.path,
    ...(shards.some(({ shard }) => shard !== '1/1') && { shards }),
    results,
  };
}
