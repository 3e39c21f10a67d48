import { journalHolder } from '../../batch/journal/journalLock.ts';
import { parseShard, shardSize } from '../../batch/journal/journalPaths.ts';
import { replay } from '../../batch/journal/replay.ts';
import type { RowState, RowStates, Summary } from '../../batch/journal/rowStates.ts';
import type { StopReason } from '../../batch/runner.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { formatSeconds } from '../../values/duration.ts';
import { groupDigits, plural, pluralNoun } from '../../values/numbers.ts';
import { listProblems, maxListedProblems, reportLines, writeReport } from './report.ts';
import { resolveFlags } from './resolve.ts';
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
      `Interrupted: ${describeSummary(summary)}. Run the same command again to resume.`,
      'essential',
    );
  } else if (end.isStatus || !settings.printsRecords) {
    await printSummary(context, summary, states, path);
  } else context.reportOnce(describeSummary(summary));
  const failure = end.isStatus ? undefined : failureOf(batch, summary, end);
  const outputErrors = [reportError, end.printError].filter((error) => error instanceof MarError);
  if (failure || isInterrupted) {
    for (const { message } of outputErrors) context.reportOnce(`warning: ${message}`);
  }
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

const stateWords: Partial<Record<RowState, string>> = { sending: 'in progress' };

function describeSummary(summary: Summary): string {
  const parts = (['done', 'failed', 'unknown', 'invalid', 'sending', 'pending'] as const)
    .filter((state) => state === 'done' || summary[state] > 0)
    .map((state) => `${groupDigits(summary[state])} ${stateWords[state] ?? state}`);
  return `${plural(summary.rows, 'row')}: ${parts.join(', ')}`;
}

function failureOf(batch: Batch, summary: Summary, end: RunEnd): MarError | undefined {
  const { states } = batch.journal;
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
    const rows = [...listProblems(batch.invalid), ...(end.failures ?? [])];
    return new MarError('batch', [message, cause].filter(Boolean).join('; '), {
      hint,
      ...(rows.length > 0 && { rows: rows.slice(0, maxListedProblems), rowCount: notDone }),
    });
  }
  if (end.mismatch === undefined) return undefined;
  return new MarError('service', end.mismatch, { hint: 'All rows are done.' });
}

function* hints(
  { unknown, failed, invalid, pending }: Summary,
  states: RowStates,
  stop: FailedStop | undefined,
): Generator<string> {
  if (unknown > 0) {
    const rows = [...states.rowsIn('unknown')];
    yield `Outcome unknown, not resent: ${listRows(rows)}.`;
    yield `Check whether the service has the record, then use ${resolveFlags(rows[0] as number)}`;
  }
  if (failed > 0) {
    yield `Refused: ${listRows(states.rowsIn('failed'))}.`;
    yield 'Put corrected rows in a new file. To send the same rows again, use --retry-failed.';
  }
  if (invalid > 0) yield `Invalid, not sent: ${listRows(states.rowsIn('invalid'))}.`;
  if (stop?.why === 'auth' && stop.error.details.hint) yield stop.error.details.hint;
  if (pending > 0) {
    const then = stop?.why === 'input' ? 'Restore the input, then run' : 'Run';
    yield `${plural(pending, 'row')} pending. ${then} the same command again to resume.`;
  }
}

/** `rows 3, 5, 8 and 120 more` */
function listRows(rows: Iterable<number>): string {
  const all = [...rows];
  const more = all.length > maxListed ? ` and ${groupDigits(all.length - maxListed)} more` : '';
  return `${pluralNoun(all.length, 'row')} ${all.slice(0, maxListed).join(', ')}${more}`;
}

type FailedStop = Exclude<StopReason, { why: 'interrupted' }>;

function describeStop(stop: FailedStop): string {
  if (stop.why === 'error') return 'stopped at the first failure (--stop-on-error)';
  if (stop.why === 'auth' || stop.why === 'input') return 'stopped';
  if (stop.why === 'wait') {
    return `stopped because the service asks to wait ${formatSeconds(stop.waitMs / 1000)}`;
  }
  const trouble = stop.error.kind === 'network' ? 'does not respond' : 'keeps failing';
  return `stopped because the service ${trouble}`;
}

export async function printStatus(
  context: Context,
  { journal, report: file }: BatchSettings,
): Promise<void> {
  const replayed = await replay(journal);
  if (!replayed) {
    throw usageError(
      `this batch has not been started: ${journal} not found`,
      'Run it without --status to start it. If its journal is somewhere else, use --journal FILE.',
    );
  }
  const { header, states } = replayed;
  const shard = parseShard(header.shard);
  const holder = await journalHolder(journal, context.world.processes);
  if (holder) context.reportOnce(`Running in process ${holder.pid}`);
  else states.markInterrupted();
  const { rows, origin, account, at } = header;
  context.reportOnce(`Started ${at} as ${account} at ${origin}`);
  await writeReport(file, reportLines({ journal, states, rows, shard }));
  await printSummary(context, states.summarise(shardSize(rows, shard)), states, journal);
  const [first] = states.rowsIn('unknown');
  if (first !== undefined) {
    context.reportOnce(`To decide a row whose outcome is unknown, use ${resolveFlags(first)}`);
  }
}
