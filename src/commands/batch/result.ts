import { journalHolder } from '../../batch/journal/journalLock.ts';
import { parseShard, shardSize } from '../../batch/journal/journalPaths.ts';
import { replay } from '../../batch/journal/replay.ts';
import type { RowState, RowStates, Summary } from '../../batch/journal/rowStates.ts';
import type { StopReason } from '../../batch/runner.ts';
import type { Context } from '../../context.ts';
import { type ErrorKind, MarError, usageError } from '../../errors.ts';
import { formatSeconds } from '../../values/duration.ts';
import { groupDigits, plural } from '../../values/numbers.ts';
import type { Batch } from './batch.ts';
import { reportRows } from './report.ts';
import type { RunEnd } from './send.ts';
import type { BatchSettings } from './settings.ts';

const maxListed = 10;

/** Prints the state of all rows, and throws unless all of them are done. */
export async function printResult(context: Context, batch: Batch, end: RunEnd): Promise<void> {
  const { settings, journal, rows } = batch;
  const { states } = journal;
  const summary = states.summarise(shardSize(rows, settings.shard));
  const reportError = await report(batch);
  const isInterrupted = end.stop?.why === 'interrupted';
  if (isInterrupted) {
    context.reportOnce(
      `interrupted: ${describeSummary(summary)}; the same command goes on from here`,
    );
  } else if (end.isStatus || !settings.printsRecords) {
    await printSummary(context, summary, states, journal.path);
  } else context.reportOnce(describeSummary(summary));
  const failure = end.isStatus ? undefined : failureOf(summary, states, end);
  const outputErrors = [reportError, end.printError].filter((error) => error !== undefined);
  if (failure || isInterrupted) for (const { message } of outputErrors) context.reportOnce(message);
  if (isInterrupted) throw context.world.signal.reason;
  const [worst] = failure ? [failure] : outputErrors;
  if (worst) throw worst;
}

/** Returns the error of a failed report, so that the result is printed all the same. */
async function report({ settings, journal, rows, invalid }: Batch): Promise<MarError | undefined> {
  const { report: file, shard } = settings;
  if (file === undefined) return undefined;
  const { path, states } = journal;
  const problemOf = (row: number) => invalid.problemOf(row);
  try {
    await reportRows(file, { journal: path, states, rows, shard, problemOf });
    return undefined;
  } catch (error) {
    if (error instanceof MarError) return error;
    throw error;
  }
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

/** `4 rows: 3 done, 1 failed` */
function describeSummary(summary: Summary): string {
  const parts = (['done', 'failed', 'unknown', 'invalid', 'sending', 'pending'] as const)
    .filter((state) => state === 'done' || summary[state] > 0)
    .map((state) => `${groupDigits(summary[state])} ${stateWords[state] ?? state}`);
  return `${plural(summary.rows, 'row')}: ${parts.join(', ')}`;
}

function failureOf(summary: Summary, states: RowStates, end: RunEnd): MarError | undefined {
  const { stop, mismatch } = end;
  const { failed, unknown, invalid, pending } = summary;
  const hint = [...hintsAboutRows(summary, states), ...hintsToResume(stop, pending)].join('\n');
  const notDone = failed + unknown + invalid;
  const cause = describeStop(stop);
  if (notDone === 0 && stop && 'error' in stop) {
    return new MarError(kindOf(stop), cause ?? stop.error.message, { ...stop.error.details, hint });
  }
  if (notDone + pending > 0) {
    const message = `${groupDigits(notDone + pending)} of ${plural(summary.rows, 'row')} not done`;
    return new MarError('batch', [message, cause].filter(Boolean).join('; '), { hint });
  }
  return mismatch === undefined
    ? undefined
    : new MarError('service', mismatch, { hint: 'all rows were carried out' });
}

function* hintsAboutRows(
  { unknown, failed, invalid }: Summary,
  states: RowStates,
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
}

/** `3, 5, 8 and 120 more` */
function listRows(rows: Iterable<number>): string {
  const all = [...rows];
  const more = all.length > maxListed ? ` and ${groupDigits(all.length - maxListed)} more` : '';
  return `${all.slice(0, maxListed).join(', ')}${more}`;
}

function* hintsToResume(stop: StopReason | undefined, pending: number): Generator<string> {
  if (stop?.why === 'auth' && stop.error.details.hint) yield stop.error.details.hint;
  if (pending === 0) return;
  const how = stop?.why === 'input' ? 'with the input as it was, the' : 'the';
  yield `${plural(pending, 'row')} left: ${how} same command goes on from here`;
}

function kindOf({ why, error }: StopReason & { error: MarError }): ErrorKind {
  // Not a usage error: those promise that nothing was sent.
  if (why === 'input') return 'batch';
  return why === 'auth' ? 'auth' : error.kind;
}

function describeStop(stop: StopReason | undefined): string | undefined {
  switch (stop?.why) {
    case 'down':
      return `stopped, since the service ${stop.error.kind === 'network' ? 'does not answer' : 'is in trouble'}: ${stop.error.message}`;
    case 'auth':
    case 'input':
      return `stopped: ${stop.error.message}`;
    case 'wait':
      return `stopped, since the service asks to wait ${formatSeconds(stop.waitMs / 1000)}: ${stop.error.message}`;
    case 'error':
      return `stopped at the first one (--stop-on-error): ${stop.error.message}`;
    default:
      return undefined;
  }
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
  if (file !== undefined) await reportRows(file, { journal, states, rows, shard });
  await printSummary(context, states.summarise(shardSize(rows, shard)), states, journal);
  const [first] = states.rowsIn('unknown');
  if (first !== undefined) {
    context.reportOnce(
      `to decide an unknown row: --resolve ${first}=created or --resolve ${first}=retry`,
    );
  }
}
