import { MarError } from '../../../core/errors.ts';
import type { RecordChange } from '../../../core/records/recordChange.ts';
import type { Row } from '../../../core/rows/row.ts';
import type { Journal } from '../journal/journal.ts';
import { Pause } from './pause.ts';
import type { ReadyRow, RowOutcome } from './sendRow.ts';

/** After so many rows in succession, the service counts as down. */
const maxRowsWithoutResponse = 5;
/** Others may change a record again and again while it is written. */
const maxRevisions = 5;
/** If the service asks for a longer wait, the run stops; the batch can be resumed later. */
const maxWaitMs = 10 * 60_000;

interface RunnerOptions {
  rows: AsyncGenerator<Row>;
  journal: Journal;
  concurrency: number;
  stopOnError: boolean;
  signal: AbortSignal;
  /**
   * Builds the request of a row; reads and compares the record that the row changes. Called when the
   * row is next, because a record that waits in memory gets old. Returns an outcome if there is
   * nothing to send. Never throws.
   */
  prepare(row: Row): Promise<ReadyRow | RowOutcome>;
  /** Called once a row's outcome is on the disk. Must not throw. */
  onOutcome(row: Row, outcome: RowOutcome): Promise<void>;
  onUnrecorded(row: Row, outcome: RowOutcome): void;
  /** Called while the rows in progress are finished. */
  onInterrupted(): void;
  /** Removes secrets from messages for the journal: a service may quote what it was sent. */
  redact(text: string): string;
}

export type StopReason =
  | { why: 'interrupted' }
  | { why: 'error' | 'down' | 'auth' | 'wait'; error: MarError };

/** A row with its outcome, which is printed when it is on the disk. */
interface SentRow {
  row: Row;
  outcome: RowOutcome;
}

/** Each row is sent once, except after a 429, which says that the service did not process it. */
export async function sendRows(options: RunnerOptions): Promise<StopReason | undefined> {
  const { rows, concurrency, signal } = options;
  const run = new Run(options);
  const interrupt = () => {
    run.end({ why: 'interrupted' });
    options.onInterrupted();
  };
  if (signal.aborted) run.end({ why: 'interrupted' });
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    const ended = await Promise.allSettled(Array.from({ length: concurrency }, () => run.work()));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    return run.stop;
  } finally {
    signal.removeEventListener('abort', interrupt);
    run.pause.end();
    await rows.return(undefined);
  }
}

/** The state that the workers of a run share. Each of them works on one row at a time. */
class Run {
  readonly pause = new Pause();
  /** Why no more rows are sent. */
  stop: StopReason | undefined;
  readonly #options: RunnerOptions;
  /** Rows that were refused with 429 or had to wait for its pause: they are read again and sent next. */
  readonly #postponed: Row[] = [];
  #rowsWithoutResponse = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
    options.journal.maxIntents = Math.ceil(options.concurrency / 2);
  }

  /** The first reason counts. Workers that wait go on, and find that there is no next row. */
  end(reason: StopReason): void {
    this.stop ??= reason;
    this.pause.end();
  }

  /** Sends row after row. The outcome of a row is saved together with the intent to send the next one. */
  async work(): Promise<void> {
    let previous: SentRow | undefined;
    try {
      for (;;) {
        // While no row may be sent, save the previous outcome now.
        if (this.pause.isOn) previous = await this.#save(previous);
        await this.pause.isOver();
        if (this.stop) break;
        const row = this.#postponed.shift() ?? (await this.#options.rows.next()).value;
        if (!row) break;
        previous = await this.#process(row, previous);
      }
      await this.#save(previous);
    } catch (error) {
      // The journal cannot be written, so no other worker may send either.
      this.end({ why: 'error', error: error as MarError });
      throw error;
    }
  }

  /** Prepares and sends a row, and saves the previous one. Returns the row that is to be saved next. */
  async #process(row: Row, previous: SentRow | undefined): Promise<SentRow | undefined> {
    const { journal, prepare, onOutcome } = this.#options;
    const prepared = await prepare(row);
    const isOutcome = 'kind' in prepared;
    if (this.stop || (this.pause.isOn && !isOutcome)) {
      this.#postponed.push(row);
      return previous;
    }
    if (isOutcome) {
      this.#record(row, prepared);
      await this.#save(previous);
      return { row, outcome: prepared };
    }
    // One sync covers the previous row's outcome and the intent to send this row.
    await this.#synced(journal.intend(row.number, prepared), previous);
    // Nothing else may wait between the read, in `prepare`, and the write.
    let sent: Promise<SentRow> | undefined;
    if (this.stop || this.pause.isOn) {
      journal.append({ row: row.number, event: 'unsent' }, prepared.change);
      this.#postponed.push(row);
      await journal.synced();
    } else {
      sent = this.#send(row, prepared);
    }
    // Printed while the row is sent, because a reader of the output may be slow.
    if (previous) await onOutcome(previous.row, previous.outcome);
    return sent;
  }

  /** Sends a row whose intent is on the disk. If it replaces other values now, these come first. */
  async #send(row: Row, ready: ReadyRow, revision = 1): Promise<SentRow> {
    const { journal } = this.#options;
    let outcome = await ready.send();
    if ('send' in outcome) {
      journal.append({ row: row.number, event: 'unsent' }, ready.change);
      if (revision <= maxRevisions) {
        await journal.intend(row.number, outcome);
        return this.#send(row, outcome, revision + 1);
      }
      const message = 'others keep changing the record; nothing was written';
      outcome = { kind: 'conflict', error: new MarError('changed', message) };
    }
    this.#record(row, outcome, ready.change);
    return { row, outcome };
  }

  /** Writes an outcome to the journal; `#save` waits until it is on the disk. */
  #record(row: Row, outcome: RowOutcome, change?: RecordChange): void {
    const { journal, redact } = this.#options;
    const event = eventFor(outcome, redact);
    // The next run compares the record with the change before it sends the row again.
    const mayBeSentAgain = event.event === 'unknown' || event.event === 'unsent';
    const isIntended = journal.states.get(row.number) === 'sending';
    // A last read found that nothing is to be sent, so an undo must not take this row for written.
    if (isIntended && (event.event === 'unchanged' || event.event === 'invalid')) {
      journal.append({ row: row.number, event: 'unsent' }, change);
    }
    // A row that was never sent is pending without an event.
    if (event.event !== 'unsent' || isIntended) {
      journal.append({ row: row.number, ...event }, mayBeSentAgain ? change : undefined);
    }
    this.#react(row, outcome);
  }

  /** Decides how the run goes on after an outcome. */
  #react(row: Row, outcome: RowOutcome): void {
    const hasResponse = outcome.kind !== 'unknown' && outcome.kind !== 'unsent';
    this.#rowsWithoutResponse = hasResponse ? 0 : this.#rowsWithoutResponse + 1;
    if (outcome.kind === 'done' || outcome.kind === 'unchanged') {
      this.pause.succeeded();
      return;
    }
    const { kind, error } = outcome;
    if (kind === 'throttled') {
      const { retryAfterMs = 0 } = error.details;
      if (retryAfterMs > maxWaitMs) this.end({ why: 'wait', error });
      else {
        this.#postponed.push(row);
        this.pause.start(retryAfterMs);
      }
    } else if (kind === 'locked-out') this.end({ why: 'auth', error });
    else if (this.#rowsWithoutResponse >= maxRowsWithoutResponse) this.end({ why: 'down', error });
    else if (this.#options.stopOnError) this.end({ why: 'error', error });
  }

  /** An outcome is printed only when it is on the disk. */
  async #save(sent: SentRow | undefined): Promise<undefined> {
    if (!sent) return;
    const { journal, onOutcome } = this.#options;
    await this.#synced(journal.synced(), sent);
    await onOutcome(sent.row, sent.outcome);
  }

  /** If a sync fails, the outcome that it covers is known only here. */
  async #synced(sync: Promise<void>, sent: SentRow | undefined): Promise<void> {
    try {
      await sync;
    } catch (error) {
      if (sent) this.#options.onUnrecorded(sent.row, sent.outcome);
      throw error;
    }
  }
}

function eventFor(outcome: RowOutcome, redact: RunnerOptions['redact']) {
  if ('id' in outcome) return { event: outcome.kind, id: outcome.id } as const;
  const { kind, error } = outcome;
  const event = kind === 'throttled' || kind === 'locked-out' ? 'unsent' : kind;
  return { event, status: error.details.status, message: redact(error.message) } as const;
}
