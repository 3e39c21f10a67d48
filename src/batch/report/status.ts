import type { Context } from '../../session/context.ts';
import { pluralNoun } from '../../values/numbers.ts';
import { journalHolder } from '../journal/journalLock.ts';
import { parseShard } from '../journal/journalPaths.ts';
import { type ReplayedJournal, replay } from '../journal/replay.ts';
import { RowStates, type Summary } from '../journal/rowStates.ts';
import type { BatchSettings } from '../settings.ts';
import { type ReportLine, reportLines, writeReport } from './report.ts';
import {
  describeSummary,
  namedRows,
  namedStates,
  notStarted,
  resolveHint,
  rowsByState,
} from './result.ts';

/** Prints what the journals say: those of all shards, unless one was named. */
export async function printStatus(context: Context, settings: BatchSettings): Promise<void> {
  const { allShards, journal: only } = settings;
  const journals: ReplayedJournal[] = [];
  for (const path of allShards.length > 0 ? allShards : [only]) {
    journals.push(await readJournal(context, path));
  }
  const [first] = journals as [ReplayedJournal, ...ReplayedJournal[]];
  const { baseUrl, account, at } = first.header;
  context.reporter.reportOnce(`The batch was started ${at} as ${account} at ${baseUrl}`);
  const isOneInput = journals.every(({ hash }) => hash === first.hash);
  if (!isOneInput) {
    context.reporter.reportOnce(
      `The shards ran with different versions of ${settings.name}. Row numbers are those of each shard's version.`,
    );
  }
  const missing = allShards.length > 0 ? missingShards(journals) : [];
  if (missing.length > 0) {
    const noun = pluralNoun(missing.length, 'shard');
    context.reporter.reportOnce(
      `Not started, or not in this folder: ${noun} ${missing.join(', ')}`,
    );
  }
  const hasAll = isOneInput && missing.length > 0;
  const lines = () =>
    isOneInput
      ? reportLines(journals, { hasAll })
      : journals.flatMap((journal) => [...reportLines([journal])]);
  await writeReport(settings.report, lines());
  const summary = totalOf(journals);
  if (hasAll) {
    summary.pending += first.rows - summary.rows;
    summary.rows = first.rows;
  }
  const facts = context.output.printer.isForPrograms
    ? factsOf(journals, summary, [...lines()])
    : {};
  await context.output.printer.outcome(facts, describeSummary(summary));
  for (const { header, states } of journals) {
    const own = states.summarise();
    const isShard = journals.length > 1;
    const prefix = isShard ? `Shard ${header.shard}: ` : '';
    for (const state of namedStates.filter((one) => own[one] > 0)) {
      context.reporter.reportOnce(`${prefix}${namedRows(states, state)}`);
      if (state !== 'unknown') continue;
      context.reporter.reportOnce(
        resolveHint(states, isShard ? `--shard ${header.shard} and ` : ''),
      );
    }
  }
}

async function readJournal(context: Context, journal: string): Promise<ReplayedJournal> {
  const replayed = await replay(journal);
  if (!replayed) throw notStarted(journal);
  const holder = await journalHolder(journal, context.world.processes);
  const { shard } = replayed.header;
  const prefix = shard === '1/1' ? '' : `Shard ${shard}: `;
  if (holder) context.reporter.reportOnce(`${prefix}Running in process ${holder.pid}`);
  else replayed.states.markInterrupted();
  return replayed;
}

function missingShards(journals: readonly ReplayedJournal[]): string[] {
  const { count } = parseShard((journals[0] as ReplayedJournal).header.shard);
  const all = Array.from({ length: count }, (_, index) => `${index + 1}/${count}`);
  return all.filter((shard) => !journals.some(({ header }) => header.shard === shard));
}

function totalOf(journals: readonly ReplayedJournal[]): Summary {
  const total = new RowStates(0).summarise();
  for (const summary of journals.map(({ states }) => states.summarise())) {
    for (const key of Object.keys(total) as (keyof Summary)[]) total[key] += summary[key];
  }
  return total;
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
    ...rowsByState((state) => results.filter((line) => line.state === state).map(({ row }) => row)),
    journal: journals[0]?.path,
    ...(shards.some(({ shard }) => shard !== '1/1') && { shards }),
    results,
  };
}
