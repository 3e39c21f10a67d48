import { setMaxListeners } from 'node:events';
import { schemas } from '../../api/schemas.ts';
import type { Row } from '../../batch/input/row.ts';
import { type RowRules, rowRequest } from '../../batch/input/rows.ts';
import { shardSize } from '../../batch/journal/journalPaths.ts';
import type { Summary } from '../../batch/journal/rowStates.ts';
import { Runner, type StopReason } from '../../batch/runner.ts';
import { type RowOutcome, type SendOptions, sendRow } from '../../batch/sendRow.ts';
import type { Context } from '../../context.ts';
import { loginHint } from '../../credentials/identity.ts';
import { MarError } from '../../errors.ts';
import { valueAt } from '../../json/fields.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { factsView } from '../../terminal/printer.ts';
import { ProgressLine } from '../../terminal/progress.ts';
import { ClosedPipe } from '../../terminal/streams.ts';
import { formatSeconds } from '../../values/duration.ts';
import { groupDigits } from '../../values/numbers.ts';
import { type Batch, pendingRows } from './batch.ts';

/** Only the first responses are validated, for speed. */
const maxValidated = 100;
/** The others are in the journal: `--status` and `--report` show them. */
const maxPrintedFailures = 20;

export interface RunEnd {
  stop?: StopReason;
  /** With `--strict`: the first response that does not match its schema. */
  mismatch?: string;
  printError?: MarError;
  isStatus?: true;
}

export async function sendPending(context: Context, batch: Batch): Promise<RunEnd> {
  const { journal, rules, settings } = batch;
  // Without pending rows, no credentials are needed.
  if (!hasPending(batch)) return {};
  const { signal, redactor } = context.world;
  const output = new BatchOutput(context, batch);
  const options = await sendOptions(context, rules, output);
  const runner = new Runner({
    rows: pendingRows(batch),
    journal,
    signal,
    concurrency: settings.concurrency,
    stopOnError: settings.stopOnError,
    send: (row) => sendOne(options, row, rules),
    onOutcome: (row, outcome) => output.printOutcome(row, outcome),
    onUnrecorded: (row, outcome) => output.printUnrecorded(row, outcome),
    redact: (text) => redactor.clean(text),
  });
  const announceDraining = () => {
    context.reportOnce(
      'finishing what is under way; once more to leave at once, which is safe as well',
    );
  };
  signal.addEventListener('abort', announceDraining, { once: true });
  let stop: StopReason | undefined;
  try {
    stop = await runner.run();
  } finally {
    signal.removeEventListener('abort', announceDraining);
    await output.end();
  }
  const { mismatch, printError } = output;
  return { stop, mismatch, printError };
}

function hasPending({ rows, isPending }: Batch): boolean {
  for (let row = 1; row <= rows; row += 1) {
    if (isPending(row)) return true;
  }
  return false;
}

async function sendOptions(
  context: Context,
  { endpoint }: RowRules,
  output: BatchOutput,
): Promise<SendOptions> {
  const { flags } = context;
  const identity = context.identity();
  context.reportDestination(identity);
  const client = await context.client();
  const { signal } = new AbortController();
  // Many requests share the signal: Node would warn about a leak.
  setMaxListeners(0, signal);
  let responses = 0;
  return {
    client,
    baseUrl: identity.baseUrl,
    endpoint,
    responseSchema: schemas[endpoint.response](),
    loginHint: loginHint(identity),
    mustValidate: () => {
      responses += 1;
      return flags.strict || responses <= maxValidated;
    },
    signal,
    // The row is done even if its response does not match: the run fails at its end.
    onMismatch: (message) => output.warnOfMismatch(message, flags.strict),
  };
}

async function sendOne(options: SendOptions, row: Row, rules: RowRules): Promise<RowOutcome> {
  try {
    return await sendRow(options, rowRequest(row, rules));
  } catch (error) {
    // The row was valid before. Whatever changed, it was not sent.
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'unsent', error: new MarError('usage', reason, { cause: error }) };
  }
}

/** Prints records to standard output, and failures and progress to standard error. */
class BatchOutput {
  readonly #context: Context;
  readonly #progress: ProgressLine;
  readonly #records?: Channel<ServiceRecord>;
  readonly #printed?: Promise<unknown>;
  #failures = 0;
  mismatch?: string;
  printError?: MarError;

  constructor(context: Context, { journal, rows, settings }: Batch) {
    this.#context = context;
    const total = shardSize(rows, settings.shard);
    const atStart = journal.states.summarise(total);
    this.#progress = new ProgressLine(context.world, (elapsedMs) =>
      progressParts(journal.states.summarise(total), atStart, elapsedMs),
    );
    if (!settings.printsRecords) return;
    const records = new Channel<ServiceRecord>();
    this.#records = records;
    // A failing output must not stop the rows.
    this.#printed = context.printer
      .list(records.pages(), factsView)
      .catch((error: unknown) => {
        this.printError = printErrorFrom(error, context);
      })
      .finally(() => records.close());
  }

  async printOutcome(row: Row, outcome: RowOutcome): Promise<void> {
    if (outcome.kind === 'done') {
      await this.#records?.put(withRowNumber(row.number, outcome.record));
      return;
    }
    if (outcome.kind === 'locked-out') return;
    if (outcome.kind === 'throttled' && this.#failures > 0) return;
    this.#failures += 1;
    const why = outcome.error.message.replace(/\s*[\r\n]\s*/g, ' ');
    this.#context.reportOnce(
      this.#failures <= maxPrintedFailures
        ? `row ${row.number} (line ${row.line}) ${describeOutcome(outcome)}: ${why}`
        : 'more rows failed: --report FILE lists them all',
    );
  }

  /** The journal could not record it, so this is the only trace of the outcome. */
  printUnrecorded({ number }: Row, outcome: RowOutcome): void {
    const id = outcome.kind === 'done' ? valueAt(outcome.record.value, '_id') : undefined;
    const what = outcome.kind === 'done' ? `was done${id ? ` (${id})` : ''}` : `is ${outcome.kind}`;
    this.#context.reportOnce(`row ${number} ${what}, which could not be written to the journal`);
  }

  warnOfMismatch(message: string, isError: boolean): void {
    this.#context.reportOnce(`warning: ${message}`);
    if (isError) this.mismatch ??= message;
  }

  async end(): Promise<void> {
    this.#records?.close();
    await this.#printed;
    await this.#progress.end();
  }
}

function describeOutcome(outcome: RowOutcome): string {
  if (outcome.kind !== 'throttled') return outcome.kind;
  const { waitMs } = outcome;
  return waitMs ? `not taken yet, all wait ${formatSeconds(waitMs / 1000)}` : 'not taken yet';
}

/** A closed pipe and an interruption need no message: the reader has left. */
function printErrorFrom(error: unknown, { world }: Context): MarError | undefined {
  if (error instanceof ClosedPipe || world.signal.aborted) return undefined;
  const reason = error instanceof Error ? error.message : String(error);
  return new MarError('service', `not all records could be printed: ${reason}`, {
    hint: 'the rows were carried out all the same: --status --report FILE tells their ids',
    cause: error,
  });
}

const withRowNumber = (row: number, { value, text }: ServiceRecord) =>
  new ServiceRecord({ row, record: value }, `{"row":${row},"record":${text}}`);

/** The most important first: a narrow terminal shows only some. */
function progressParts(now: Summary, atStart: Summary, elapsedMs: number): string[] {
  const settled = ({ done, failed, unknown }: Summary) => done + failed + unknown;
  const rate = (settled(now) - settled(atStart)) / (elapsedMs / 1000);
  const { rows, done, failed, unknown, pending } = now;
  return [
    `${groupDigits(done)} of ${groupDigits(rows)} done`,
    ...(failed > 0 ? [`${groupDigits(failed)} failed`] : []),
    ...(unknown > 0 ? [`${groupDigits(unknown)} unknown`] : []),
    ...(rate > 0
      ? [`${formatSeconds(pending / rate)} left`, `${groupDigits(Math.round(rate))}/s`]
      : []),
  ];
}

/** Hands items to one reader. `put` waits until the item is taken, so rows wait for slow output. */
class Channel<Item> {
  readonly #waiting: { item: Item; onTaken: () => void }[] = [];
  #wake: () => void = () => {};
  #isClosed = false;

  put(item: Item): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((onTaken) => {
      this.#waiting.push({ item, onTaken });
      this.#wake();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *pages(): AsyncGenerator<Item[]> {
    try {
      for (;;) {
        const taken = this.#waiting.splice(0);
        if (taken.length > 0) {
          try {
            yield taken.map(({ item }) => item);
          } finally {
            for (const { onTaken } of taken) onTaken();
          }
        } else if (this.#isClosed) return;
        else
          await new Promise<void>((wake) => {
            this.#wake = wake;
          });
      }
    } finally {
      this.#isClosed = true;
      for (const { onTaken } of this.#waiting.splice(0)) onTaken();
    }
  }
}
