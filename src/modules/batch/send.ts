import { loginHint } from '../../core/credentials/identity.ts';
import {
  asMarError,
  type ErrorKind,
  MarError,
  messageOf,
  type RowProblem,
  runHint,
} from '../../core/errors.ts';
import { ServiceRecord } from '../../core/json/serviceRecord.ts';
import { factsView } from '../../core/output/printer.ts';
import { Progress } from '../../core/output/progress.ts';
import { listResult, type Result } from '../../core/output/result.ts';
import { ClosedPipe } from '../../core/output/streams.ts';
import type { Row } from '../../core/rows/row.ts';
import { readRows } from '../../core/rows/rows.ts';
import type { Context } from '../../core/session/context.ts';
import { remember } from '../../core/session/remember.ts';
import { batchKey, track } from '../../core/session/tracked.ts';
import { words } from '../../core/values/commandLine.ts';
import { settle } from '../../core/values/concurrency.ts';
import { formatSeconds } from '../../core/values/duration.ts';
import { groupDigits, plural } from '../../core/values/numbers.ts';
import type { OutcomeRecorder } from './batchLog.ts';
import { batchName } from './journal/findJournals.ts';
import type { GoneOrder } from './journal/format.ts';
import type { Journal } from './journal/journal.ts';
import type { Summary } from './journal/rowStates.ts';
import { type InvalidRows, maxListedProblems } from './report/problems.ts';
import type { BatchInput } from './rules.ts';
import { type StopReason, sendRows } from './runner/runner.ts';
import { type RowOutcome, rowSender } from './runner/sendRow.ts';

/** Only the first responses are validated, for speed. */
const maxValidated = 100;
/** The others are in the journal: `mar batch report` shows them. */
const maxPrintedFailures = 20;
/** Created work requests are put on the list of `today` in steps, so that a killed run loses few. */
const trackedAtOnce = 500;
/** The newest records of a batch are in `find` and Tab; more would push out all others. */
const maxRemembered = 200;

/** A batch with a validated input and an open journal. */
export interface Batch extends BatchInput {
  journal: Journal;
  isPending(row: number): boolean;
  /** The number of pending rows. */
  sending: number;
  invalid: InvalidRows;
  gone: readonly GoneOrder[];
  /** Records the outcomes of orders in the log. */
  recorder: OutcomeRecorder | undefined;
}

type Pending = Pick<Batch, 'source' | 'rules' | 'isPending'>;

export async function* pendingRows({ source, rules, isPending }: Pending): AsyncGenerator<Row> {
  for await (const row of readRows(source, rules)) if (isPending(row.number)) yield row;
}

export interface RunEnd {
  /** Rows that were done before this run. */
  doneEarlier: number;
  stop?: StopReason;
  /** The first rows that were not done in this run. */
  failures?: readonly RowProblem[];
  /** Why rows were not sent: one error of each kind. */
  unsent?: ReadonlyMap<ErrorKind, MarError>;
  /** With `--strict`: the first response that does not match its schema. */
  mismatch?: string;
  printError?: MarError;
}

/** Sends the pending rows, and yields their records as they come, if they are to be printed. */
export async function* sendPending(context: Context, batch: Batch): AsyncGenerator<Result, RunEnd> {
  const { journal, rules, settings } = batch;
  const { changes } = rules;
  const { done: doneEarlier } = journal.states.summarise();
  // Without rows to send, no credentials are needed.
  if (batch.sending === 0) return { doneEarlier };
  const { session, reporter } = context;
  const { signal, redactor } = context.world;
  const { strict } = context.flags;
  const identity = session.identity();
  const client = await session.client();
  session.reportDestination(identity);
  const end: RunEnd = { doneEarlier };
  const buildRow = rowSender({
    client,
    baseUrl: identity.baseUrl,
    endpoint: rules.endpoint,
    loginHint: loginHint(identity),
    createdIds: journal.createdIds,
    maxValidated: strict ? Number.POSITIVE_INFINITY : maxValidated,
    // The row is done even if its response does not match: the run fails at its end.
    onMismatch(message) {
      reporter.warn('schema-mismatch', message);
      if (strict) end.mismatch ??= message;
    },
  });
  const output = batchOutput(context, batch, end);
  const sending = sendRows({
    rows: pendingRows(batch),
    journal,
    signal,
    concurrency: settings.concurrency,
    stopOnError: batch.input.options.stopOnError === true,
    async prepare(row) {
      const prepared = await changes?.prepare(row, journal);
      if (prepared && 'kind' in prepared) return prepared;
      try {
        if (changes && prepared) return changes.ready(prepared, buildRow);
        const request = await rules.request(row);
        return { send: buildRow(request), id: request.id };
      } catch (cause) {
        // The row was valid before. Whatever changed, it is not sent.
        return { kind: 'unsent', error: new MarError('usage', messageOf(cause), { cause }) };
      }
    },
    async onOutcome(row, outcome) {
      await batch.recorder?.settle(row.number, outcome);
      if (outcome.kind === 'done') await changes?.written(outcome.record);
      return output.printOutcome(row, outcome);
    },
    onUnrecorded: output.printUnrecorded,
    onInterrupted() {
      reporter.reportOnce(
        'Finishing the rows in progress. Press Ctrl-C again to stop at once; the batch can be resumed either way.',
      );
    },
    redact: (text) => redactor.clean(text),
  }).finally(output.endRecords);
  // A failure is handled below. It may come while the records are still printed.
  sending.catch(() => {});
  try {
    if (output.pages) {
      try {
        yield listResult(output.pages, factsView);
      } catch (error) {
        // A failing output must not stop the rows.
        end.printError = printErrorFrom(error, context, journal.path);
        output.dropRecords();
      }
    }
    end.stop = await sending;
  } finally {
    // Rows may be on their way even if nobody reads the records any more.
    output.dropRecords();
    await settle(sending);
    await batch.recorder?.close();
    await output.close();
  }
  return end;
}

/** Prints outcomes, and adds to `end` what the result needs. */
function batchOutput(
  { session, reporter, flags: { jq } }: Context,
  { journal, rules, settings }: Batch,
  end: RunEnd,
) {
  const { states } = journal;
  const { resource, isTracked } = rules.endpoint;
  /** Ids of created work requests that are not tracked yet. */
  const created: string[] = [];
  /** The texts of the newest records: parsed, so many would slow down the garbage collector. */
  const newest: string[] = [];
  const failures: RowProblem[] = [];
  end.failures = failures;
  const unsent = new Map<ErrorKind, MarError>();
  end.unsent = unsent;
  let failed = 0;
  const atStart = states.summarise();
  const progress = new Progress(reporter.progressOptions, (elapsedMs) =>
    progressParts(states.summarise(), atStart, elapsedMs),
  );
  const { readable, writable } = new TransformStream<ServiceRecord[], ServiceRecord[]>();
  const records = writable.getWriter();
  const trackNew = () => track(session, created.splice(0), batchKey(journal.path));

  /** Waits until the record is printed, so rows wait for slow output. */
  const printRecord = async (row: number, record: ServiceRecord) => {
    if (!settings.printsRecords) return;
    const { value, text } = record;
    // A filter gets the record itself, with the number in `$row`.
    const numbered =
      jq && !jq.slurp
        ? Object.assign(record, { row })
        : new ServiceRecord({ row, record: value }, `{"row":${row},"record":${text}}`);
    // The printer takes the empty page when the record is printed. Both fail once its reader has left.
    await Promise.all([records.write([numbered]), records.write([])]).catch(() => {});
  };

  return {
    pages: settings.printsRecords ? readable : undefined,
    endRecords: () => void records.close().catch(() => {}),
    /** Rows no longer wait for the output. */
    dropRecords: () => void records.abort().catch(() => {}),
    async printOutcome({ number, line }: Row, outcome: RowOutcome): Promise<void> {
      if (outcome.kind === 'done') {
        newest.push(outcome.record.text);
        if (newest.length > maxRemembered) newest.shift();
        if (isTracked) created.push(outcome.id);
        if (created.length === trackedAtOnce) await trackNew();
        return printRecord(number, outcome.record);
      }
      if (outcome.kind === 'locked-out' || outcome.kind === 'unchanged') return;
      if (outcome.kind === 'throttled' && failed > 0) return;
      failed += 1;
      const { error } = outcome;
      if (outcome.kind === 'unsent') unsent.set(error.kind, error);
      const message = oneLine(error.message);
      const isNotDone = ['failed', 'conflict', 'invalid', 'unknown'].includes(outcome.kind);
      if (isNotDone && failures.length < maxListedProblems) {
        const hint = error.hints.find((one) => outcome.kind === 'invalid' && one.for === 'person');
        failures.push({ row: number, line, message, hint });
      }
      reporter.reportOnce(
        failed <= maxPrintedFailures
          ? `Row ${number} (line ${line}) ${describeOutcome(outcome)}: ${message}`
          : runHint('More rows failed. To list them all', reportOf(journal.path)),
        outcome.kind === 'throttled' ? undefined : 'essential',
      );
    },
    /** The journal could not record it, so this is the only trace of the outcome. */
    printUnrecorded({ number }: Row, outcome: RowOutcome): void {
      const what = `${describeOutcome(outcome)}${'id' in outcome ? ` (${outcome.id})` : ''}`;
      reporter.warn('not-recorded', `row ${number} ${what}, but the journal could not record it`);
    },
    async close(): Promise<void> {
      await progress.end();
      const used = newest.map((text) => ({ record: new ServiceRecord(JSON.parse(text), text) }));
      await remember(session, resource, used);
      await trackNew();
    },
  };
}

/** A message for a line of its own. */
export const oneLine = (message: string) => message.replace(/\s*[\r\n]\s*/g, ' ');

const outcomeWords = {
  done: 'is done',
  unchanged: 'is unchanged',
  failed: 'failed',
  conflict: 'is a conflict',
  invalid: 'cannot be written',
  unknown: 'has an unknown outcome',
  unsent: 'was not sent',
  'locked-out': 'was not sent',
  throttled: 'is delayed',
} as const;

export function describeOutcome(outcome: RowOutcome): string {
  const words = outcomeWords[outcome.kind];
  const waitMs = outcome.kind === 'throttled' && outcome.error.details.retryAfterMs;
  return waitMs ? `${words}, all rows wait ${formatSeconds(waitMs / 1000)}` : words;
}

const reportOf = (journal: string) => words`mar batch report ${batchName(journal)}`;

/** A closed pipe and an interruption need no message: the reader has left. */
function printErrorFrom(error: unknown, { world }: Context, journal: string): MarError | undefined {
  if (error instanceof ClosedPipe || world.signal.aborted) return undefined;
  const { kind } = asMarError(error);
  // Not a usage error: those promise that nothing was sent.
  const printKind = kind === 'usage' ? 'local' : kind;
  return new MarError(printKind, `cannot print all records: ${messageOf(error)}`, {
    hint: runHint('The rows were sent all the same. To list their ids', reportOf(journal)),
    cause: error,
  });
}

/** The most important first: a narrow terminal shows only some. */
function progressParts(now: Summary, atStart: Summary, elapsedMs: number): string[] {
  const finished = ({ rows: all, pending: left, sending }: Summary) => all - left - sending;
  const rate = (finished(now) - finished(atStart)) / (elapsedMs / 1000);
  const { rows, done, unchanged, failed, conflict, unknown, pending } = now;
  return [
    `${groupDigits(done + unchanged)} of ${groupDigits(rows)} done`,
    conflict > 0 ? plural(conflict, 'conflict') : '',
    failed > 0 ? `${groupDigits(failed)} failed` : '',
    unknown > 0 ? `${groupDigits(unknown)} unknown` : '',
    rate > 0 ? `${formatSeconds(pending / rate)} left` : '',
    rate > 0 ? `${groupDigits(Math.round(rate))}/s` : '',
  ].filter(Boolean);
}
