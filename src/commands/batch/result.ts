import { JournalDetails, replay } from '../../batch/journal/replay.ts';
import type { RowStates } from '../../batch/journal/states.ts';
import { holderOfJournal } from '../../batch/journalLock.ts';
import { isInShard, parseShard, type Shard, shardSize } from '../../batch/journalPaths.ts';
import { type ReportLine, writeReport } from '../../batch/report.ts';
import type { Stop } from '../../batch/runner.ts';
import { describe, listRows, rowCount, type Summary, summarise } from '../../batch/summary.ts';
import type { Context } from '../../context.ts';
import { type ErrorKind, MarError, usageError } from '../../errors.ts';
import { groupDigits } from '../../values/counts.ts';
import { formatSeconds } from '../../values/duration.ts';
import { printsRecords } from './progress.ts';
import type { Batch } from './send.ts';
import type { BatchSettings } from './settings.ts';

/** How a run came to its end. */
export interface Ending {
  stop?: Stop;
  /** An answer that does not fit, where that is an error. */
  misfit?: string;
  /** Why records that were made are not on standard output. */
  unprinted?: MarError;
  /** Nothing was to be sent. */
  isStatus?: true;
}

/** Tells what became of all rows, and fails if not all of them are done. */
export async function endBatch(context: Context, batch: Batch, ending: Ending): Promise<void> {
  const { settings, journal, rows } = batch;
  const { states } = journal;
  const summary = summarise(shardSize(rows, settings.shard), states);
  const unreported = await report(batch);
  const isInterrupted = ending.stop?.why === 'interrupted';
  if (isInterrupted) {
    context.note(`interrupted: ${sentenceOf(summary)}; the same command goes on from here`);
  } else if (ending.isStatus || !printsRecords(context)) {
    await tell(context, summary, states, journal.path);
  } else context.note(sentenceOf(summary));
  const failure = ending.isStatus ? undefined : failureOf(summary, states, ending);
  const untold = [unreported, ending.unprinted].filter((error) => error !== undefined);
  if (failure || isInterrupted) for (const { message } of untold) context.note(message);
  if (isInterrupted) throw context.world.signal.reason;
  const [worst] = failure ? [failure] : untold;
  if (worst) throw worst;
}

/** A report that cannot be written does not keep what became of the rows from being told. */
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

/** The summary is the result, where no records are. */
async function tell(
  context: Context,
  summary: Summary,
  states: RowStates,
  journal: string,
): Promise<void> {
  const unknownRows = [...states.rowsIn('unknown')];
  const failedRows = [...states.rowsIn('failed')];
  await context.printer.outcome(
    { ...summary, unknownRows, failedRows, journal },
    sentenceOf(summary),
  );
}

const sentenceOf = (summary: Summary) => `${rowCount(summary.rows)}: ${describe(summary)}`;

function failureOf(summary: Summary, states: RowStates, ending: Ending): MarError | undefined {
  const { stop, misfit } = ending;
  const { failed, unknown, invalid, left } = summary;
  const hints = [...hintsFor(summary, states)];
  hints.push(...hintsAfter(stop, left));
  const hint = hints.join('\n');
  const bad = failed + unknown + invalid;
  const cause = stopMessage(stop);
  if (bad === 0 && stop && 'error' in stop) {
    return new MarError(kindOf(stop), cause ?? stop.error.message, { ...stop.error.details, hint });
  }
  if (bad + left > 0) {
    const message = `${groupDigits(bad + left)} of ${rowCount(summary.rows)} not done`;
    return new MarError('batch', [message, cause].filter(Boolean).join('; '), { hint });
  }
  return misfit === undefined
    ? undefined
    : new MarError('service', misfit, { hint: 'all rows were carried out' });
}

function* hintsFor({ unknown, failed, invalid }: Summary, states: RowStates): Generator<string> {
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

/** How to go on. */
function* hintsAfter(stop: Stop | undefined, left: number): Generator<string> {
  if (stop?.why === 'auth' && stop.error.details.hint) yield stop.error.details.hint;
  if (left === 0) return;
  const how = stop?.why === 'input' ? 'with the input as it was, the' : 'the';
  yield `${rowCount(left)} left: ${how} same command goes on from here`;
}

function kindOf({ why, error }: Stop & { error: MarError }): ErrorKind {
  // Rows were sent: it is not bad usage, with which nothing is.
  if (why === 'input') return 'batch';
  return why === 'auth' ? 'auth' : error.kind;
}

function stopMessage(stop: Stop | undefined): string | undefined {
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

interface Reported {
  journal: string;
  states: RowStates;
  rows: number;
  shard: Shard;
  problemOf?(row: number): string | undefined;
}

/** Writes what became of each row, in the order of the input. */
async function reportRows(file: string, reported: Reported): Promise<void> {
  const details = new JournalDetails(reported.journal, reported.states);
  try {
    await writeReport(file, linesOf(reported, details));
  } finally {
    await details.close();
  }
}

async function* linesOf(
  { states, rows, shard, problemOf }: Reported,
  details: JournalDetails,
): AsyncGenerator<ReportLine> {
  for (let row = 1; row <= rows; row += 1) {
    if (!isInShard(row, shard)) continue;
    const { id, message } = await details.of(row);
    yield { row, state: states.get(row), id, message: problemOf?.(row) ?? message };
  }
}

/** Tells how far a batch came, from its journal alone: the service is not asked. */
export async function tellStatus(context: Context, settings: BatchSettings): Promise<void> {
  const { journal, report } = settings;
  const replayed = await replay(journal);
  if (!replayed) {
    throw usageError(
      `this batch was not begun: there is no journal ${journal}`,
      'without --status it is; a journal in another place is named with --journal',
    );
  }
  const { header, states } = replayed;
  const shard = parseShard(header.shard);
  const holder = await holderOfJournal(journal, context.world.processes);
  if (holder) context.note(`it is being run by process ${holder.pid}`);
  // Without anybody at it, nobody knows what became of what was under way.
  else {
    for (const row of [...states.rowsIn('sending')]) {
      states.set(row, 'unknown', states.placeOf(row));
    }
  }
  const { rows, origin, account, at } = header;
  context.note(`begun ${at} as ${account} at ${origin}`);
  if (report !== undefined) await reportRows(report, { journal, states, rows, shard });
  await tell(context, summarise(shardSize(rows, shard), states), states, journal);
  const [first] = states.rowsIn('unknown');
  if (first !== undefined) {
    context.note(
      `to decide an unknown row: --resolve ${first}=created or --resolve ${first}=retry`,
    );
  }
}
