import { endpoints, repetitionOf } from '../../../core/api/endpoints.ts';
import { outcome, type Results } from '../../../core/output/result.ts';
import type { Context } from '../../../core/session/context.ts';
import { pluralNoun } from '../../../core/values/numbers.ts';
import { findJournals, readJournal } from '../journal/findJournals.ts';
import { endpointOf } from '../journal/format.ts';
import type { ReplayedJournal } from '../journal/replay.ts';
import { type Summary, summaryOf } from '../journal/rowStates.ts';
import { parseShard } from '../shards.ts';
import { describeSummary, namedRows, namedStates, resolveHints, rowsByState } from './result.ts';
import { type ReportLine, reportLines, rowsOf, rowsReport } from './rowsReport.ts';

/** How many rows of a batch are done, and what to do about the others. */
export async function* batchStatus(context: Context, file: string): Results {
  const { journals, summary } = await readBatch(context, file);
  const { reporter } = context;
  const [first] = journals;
  const endpoint = first && endpointOf(first.header.command);
  const isSentOnce = endpoint !== undefined && repetitionOf(endpoints[endpoint]) === 'once';
  const facts = () => factsOf(journals, summary, [...reportLines(journals)]);
  yield outcome(facts, describeSummary(summary, isSentOnce));
  for (const { path, header, states } of journals) {
    const own = states.summarise();
    const prefix = journals.length > 1 ? `Shard ${header.shard}: ` : '';
    for (const state of namedStates.filter((one) => own[one] > 0)) {
      reporter.reportOnce(`${prefix}${namedRows(states, state)}`);
      if (state !== 'unknown') continue;
      reporter.reportOnce(resolveHints(path, endpoint, states.rowsIn(state)));
    }
  }
}

/** The state of each row, its record and what went wrong. */
export async function* batchReport(context: Context, file: string): Results {
  const { journals } = await readBatch(context, file);
  yield* rowsReport(context, journals);
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
    ...rowsByState((state) =>
      results.filter((line) => line.state === state).flatMap(({ row }) => row ?? []),
    ),
    journal: journals[0]?.path,
    ...(shards.some(({ shard }) => shard !== '1/1') && { shards }),
    results,
  };
}
