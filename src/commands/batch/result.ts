import { journalHolder } from '../../batch/journal/journalLock.ts';
import { parseShard, shardSize } from '../../batch/journal/journalPaths.ts';
import { replay } from '../../batch/journal/replay.ts';
import type { RowState, RowStates, Summary } from '../../batch/journal/rowStates.ts';
import type { StopReason } from '../../batch/runner.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { formatSeconds } from '../../values/duration.ts';
import { groupDigits, plural } from '../../values/numbers.ts';
import { reportLines, writeReport } from './report.ts';
import type { Batch, RunEnd } from './send.ts';
import type { BatchSettings } from './settings.ts';

const maxListed = 10;

/** Prints the state of all rows, and throws unless all of them are done. */
export async function printResult(context: Context, batch: Batch, end: RunEnd): Promise<void> {
  const { settings, journal, rows, invalid } = batch;
  const { path, states } = journal;
  const { report, shard } = settings;
  const summary = states.summarise(shardSize(rows, shard));
  // The result is printed even if the report fails.
  const reportError = await writeReport(
    report,
    reportLines({ journal: path, states, rows, shard, invalid }),
  ).catch((error: MarError) => error);
  const isInterrupted = end.stop?.why === 'interrupted';
  if (isInterrupted) {
    context.reportOnce(
      `interrupted: ${describeSummary(summary)}; the same command goes on from here`,
    );
  } else if (end.isStatus || !settings.printsRecords) {
    await printSummary(context, summary, states, path);
  } else context.reportOnce(describeSummary(summary));
  const failure = end.isStatus ? undefined : failureOf(summary, states, end);
  const outputErrors = [reportError, end.printError].filter((error) => error instanceof MarError);
  if (failure || isInterrupted) for (const { message } of outputErrors) context.reportOnce(message);
  if (isInterrupted) throw context.world.signal.reason;
  const worst = failure ?? outputErrors[0];
  if (worst) throw worst;
}

async function printSummary(
  context: Context,
  summary: Summary,
  states: RowStates,
  journal: string,
): Promise<void> {
  const { pending: left, ...counts } = summary;
  const unknownRows = [...states.rowsIn('unknown')];
  const failedRows = [...states.rowsIn('failed')];
  await context.printer.outcome(
    { ...counts, left, unknownRows, failedRows, journal },
    describeSummary(summary),
  );
}

const stateWords: Partial<Record<RowState, string>> = { sending: 'under way', pending: 'left' };

function describeSummary(summary: Summary): string {
  const parts = (['done', 'failed', 'unknown', 'invalid', 'sending', 'pending'] as const)
    .filter((state) => state === 'done' || summary[state] > 0)
    .map((state) => `${groupDigits(summary[state])} ${stateWords[state] ?? state}`);
  return `${plural(summary.rows, 'row')}: ${parts.join(', ')}`;
}

function failureOf(summary: Summary, states: RowStates, end: RunEnd): MarError | undefined {
  const { failed, unknown, invalid, pending } = summary;
  const stop = end.stop && 'error' in end.stop ? end.stop : undefined;
  const hint = [...hints(summary, states, stop)].join('\n');
  const notDone = failed + unknown + invalid;
  const cause = stop && `${describeStop(stop)}: ${stop.error.message}`;
  if (notDone === 0 && cause) {
    // Not a usage error: those promise that nothing was sent.
    const kind = stop.why === 'input' ? 'batch' : stop.error.kind;
    return new MarError(kind, cause, { ...stop.error.details, hint });
  }
  if (notDone + pending > 0) {
    const message = `${groupDigits(notDone + pending)} of ${plural(summary.rows, 'row')} not done`;
    return new MarError('batch', [message, cause].filter(Boolean).join('; '), { hint });
  }
  if (end.mismatch === undefined) return undefined;
  return new MarError('service', end.mismatch, { hint: 'all rows were carried out' });
}

function* hints(
  { unknown, failed, invalid, pending }: Summary,
  states: RowStates,
  stop: FailedStop | undefined,
): Generator<string> {
  if (unknown > 0) {
    const rows = [...states.rowsIn('unknown')];
    yield `unknown, and not sent again by itself: ${listRows(rows)}`;
    yield `look whether ${rows.length === 1 ? 'it is' : 'each is'} there, then --resolve ${rows[0]}=created or --resolve ${rows[0]}=retry`;
  }
  if (failed > 0) {
    yield `refused: ${listRows(states.rowsIn('failed'))}`;
    yield 'mended rows go into a file of their own; --retry-failed sends them again as they are';
  }
  if (invalid > 0) yield `not valid, so not sent: ${listRows(states.rowsIn('invalid'))}`;
  if (stop?.why === 'auth' && stop.error.details.hint) yield stop.error.details.hint;
  if (pending > 0) {
    const how = stop?.why === 'input' ? 'with the input as it was, the' : 'the';
    yield `${plural(pending, 'row')} left: ${how} same command goes on from here`;
  }
}

/** `3, 5, 8 and 120 more` */
function listRows(rows: Iterable<number>): string {
  const all = [...rows];
  const more = all.length > maxListed ? ` and ${groupDigits(all.length - maxListed)} more` : '';
  return `${all.slice(0, maxListed).join(', ')}${more}`;
}

type FailedStop = Exclude<StopReason, { why: 'interrupted' }>;

function describeStop(stop: FailedStop): string {
  if (stop.why === 'error') return 'stopped at the first one (--stop-on-error)';
  if (stop.why === 'auth' || stop.why === 'input') return 'stopped';
  if (stop.why === 'wait') {
    return `stopped, since the service asks to wait ${formatSeconds(stop.waitMs / 1000)}`;
  }
  const trouble = stop.error.kind === 'network' ? 'does not answer' : 'is in trouble';
  return `stopped, since the service ${trouble}`;
}

/** Prints the state of a batch from its journal, without a request. */
export async function printStatus(
  context: Context,
  { journal, report: file }: BatchSettings,
): Promise<void> {
  const replayed = await replay(journal);
  if (!replayed) {
    throw usageError(
      `this batch was not begun: there is no journal ${journal}`,
      'without --status it is; a journal in another place is named with --journal',
    );
  }
  const { header, states } = replayed;
  const shard = parseShard(header.shard);
  const holder = await journalHolder(journal, context.world.processes);
  if (holder) context.reportOnce(`it is being run by process ${holder.pid}`);
  else states.markInterrupted();
  const { rows, origin, account, at } = header;
  context.reportOnce(`begun ${at} as ${account} at ${origin}`);
  await writeReport(file, reportLines({ journal, states, rows, shard }));
  await printSummary(context, states.summarise(shardSize(rows, shard)), states, journal);
  const [first] = states.rowsIn('unknown');
  if (first !== undefined) {
    context.reportOnce(
      `to decide an unknown row: --resolve ${first}=created or --resolve ${first}=retry`,
    );
  }
}
