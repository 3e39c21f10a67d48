import { recordIdOf } from '../../../client/response.ts';
import { MarError } from '../../../errors.ts';
import type { RecordChange } from '../../../records/recordChange.ts';
import type { Row } from '../input/row.ts';
import type { Journal } from '../journal/journal.ts';
import type { RowOutcome, SendRow } from './sendRow.ts';
import { Throttle } from './throttle.ts';

/** After so many rows in succession, the service counts as down. */
const maxRowsWithoutResponse = 5;
/** If the service asks for a longer wait, the run stops; the batch can be resumed later. */
const maxWaitMs = 10 * 60_000;

export interface RunnerOptions {
  rows: AsyncGenerator<Row>;
  journal: Journal;
  concurrency: number;
  stopOnError: boolean;
  signal: AbortSignal;
  /**
   * Builds the request of a row; reads and compares the record that the row changes. Called when the
   * row has its slot, because a record that waits in memory gets old. Returns an outcome if there is
   * nothing to send. Never throws.
   */
  prepare(row: Row): Promise<ReadyRow | RowOutcome>;
  /** Called once a row's outcome is on the disk. Must not throw. */
  onOutcome(row: Row, outcome: RowOutcome): Promise<void>;
  onUnrecorded(row: Row, outcome: RowOutcome): void;
  /** Removes secrets from messages for the journal: a service may quote what it was sent. */
  redact(text: string): string;
}

export type StopReason =
  | { why: 'interrupted' }
  /** `input`: it changed after it was validated. */
  | { why: 'error' | 'down' | 'auth' | 'input'; error: MarError }
  | { why: 'wait'; error: MarError; waitMs: number };

/** A row that is sent at once. */
interface ReadyRow {
  send: SendRow;
  id?: string;
  /** The values that the row replaces. */
  change?: RecordChange;
}

interface Sent {
  row: Row;
  outcome: RowOutcome;
}

/** A row is sent once, except after a 429, which says that the service did not process it. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #throttle: Throttle;
  /** Rows that were refused with 429 or had to wait for its pause: they are read again and sent next. */
  readonly #refused: Row[] = [];
  #rowsWithoutResponse = 0;
  #stop?: StopReason;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#throttle = new Throttle(options.concurrency);
    options.journal.maxIntents = Math.ceil(options.concurrency / 2);
  }

  async run(): Promise<StopReason | undefined> {
    const { signal } = this.#options;
    const interrupt = () => this.#end({ why: 'interrupted' });
    if (signal.aborted) interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      const workers = Array.from({ length: this.#options.concurrency }, () => this.#work());
      const ended = await Promise.allSettled(workers);
      for (const end of ended) if (end.status === 'rejected') throw end.reason;
      return this.#stop;
    } finally {
      signal.removeEventListener('abort', interrupt);
      this.#throttle.end();
      await this.#options.rows.return(undefined);
    }
  }

  async #work(): Promise<void> {
    const { slots } = this.#throttle;
    let previous: Sent | undefined;
    try {
      for (;;) {
        // While no row may be sent, save the previous outcome now.
        if (previous && slots.isFull) previous = await this.#save(previous);
        await slots.acquire();
        try {
          const row = this.#stop ? undefined : await this.#next();
          if (!row) break;
          previous = await this.#send(row, previous);
        } finally {
          slots.release();
        }
      }
      if (previous) await this.#save(previous);
    } catch (error) {
      // The journal cannot be written, so no other worker may send either.
      this.#end({ why: 'error', error: error as MarError });
      throw error;
    }
  }

  /** Sends a row, and saves the previous outcome of this worker. Nothing waits between read and write. */
  async #send(row: Row, previous: Sent | undefined): Promise<Sent | undefined> {
    const { journal, prepare, onOutcome } = this.#options;
    const prepared = await prepare(row);
    const isOutcome = 'kind' in prepared;
    if (this.#stop || (this.#throttle.isPaused && !isOutcome)) {
      this.#refused.push(row);
      return previous;
    }
    if (isOutcome) {
      this.#handleOutcome(row, prepared);
      if (previous) await this.#save(previous);
      return { row, outcome: prepared };
    }
    const { send, id, change } = prepared;
    // One sync covers the previous row's outcome and the intent to send this row.
    const intended = journal.intend({ row: row.number, event: 'sending', id }, change);
    await this.#recorded(previous, intended);
    let sent: Promise<Sent> | undefined;
    if (this.#stop || this.#throttle.isPaused) {
      journal.append({ row: row.number, event: 'unsent' }, change);
      this.#refused.push(row);
      await journal.synced();
    } else {
      sent = send().then((outcome) => {
        this.#handleOutcome(row, outcome, change);
        return { row, outcome };
      });
    }
    // Printed while the row is sent, because a reader of the output may be slow.
    if (previous) await onOutcome(previous.row, previous.outcome);
    return sent;
  }

  async #next(): Promise<Row | undefined> {
    const refused = this.#refused.shift();
    if (refused) return refused;
    try {
      const { value, done } = await this.#options.rows.next();
      return done ? undefined : value;
    } catch (error) {
      if (!(error instanceof MarError)) throw error;
      this.#end({ why: 'input', error });
      return undefined;
    }
  }

  /** An outcome is printed only when it is on the disk. */
  async #save(sent: Sent): Promise<undefined> {
    await this.#recorded(sent, this.#options.journal.synced());
    await this.#options.onOutcome(sent.row, sent.outcome);
  }

  async #recorded(sent: Sent | undefined, recorded: Promise<void>): Promise<void> {
    try {
      await recorded;
    } catch (error) {
      if (sent) this.#options.onUnrecorded(sent.row, sent.outcome);
      throw error;
    }
  }

  #handleOutcome(row: Row, outcome: RowOutcome, change?: RecordChange): void {
    const { journal, stopOnError } = this.#options;
    const event = this.#eventFor(outcome);
    // The next run compares the record with the change before it sends the row again.
    const mayBeSentAgain = event.event === 'unknown' || event.event === 'unsent';
    // A row that was never sent is pending without an event.
    if (event.event !== 'unsent' || journal.states.get(row.number) === 'sending') {
      journal.append({ row: row.number, ...event }, mayBeSentAgain ? change : undefined);
    }
    const hasResponse = outcome.kind !== 'unknown' && outcome.kind !== 'unsent';
    this.#rowsWithoutResponse = hasResponse ? 0 : this.#rowsWithoutResponse + 1;
    const isDown = this.#rowsWithoutResponse >= maxRowsWithoutResponse;
    if (outcome.kind === 'done' || outcome.kind === 'unchanged') this.#throttle.succeeded();
    else if (outcome.kind === 'throttled') this.#slowDown(row, outcome);
    else if (outcome.kind === 'locked-out') this.#end({ why: 'auth', error: outcome.error });
    else if (isDown) this.#end({ why: 'down', error: outcome.error });
    else if (stopOnError) this.#end({ why: 'error', error: outcome.error });
  }

  #slowDown(row: Row, { error, waitMs = 0 }: { error: MarError; waitMs?: number }): void {
    if (waitMs > maxWaitMs) this.#end({ why: 'wait', error, waitMs });
    else {
      this.#refused.push(row);
      this.#throttle.slowDown(waitMs);
    }
  }

  #eventFor(outcome: RowOutcome) {
    if (outcome.kind === 'done') {
      return { event: 'done', id: recordIdOf(outcome.record.value) } as const;
    }
    if (outcome.kind === 'unchanged') return { event: 'unchanged', id: outcome.id } as const;
    const { kind, error } = outcome;
    const event = kind === 'throttled' || kind === 'locked-out' ? 'unsent' : kind;
    const message = this.#options.redact(error.message);
    return { event, status: error.details.status, message } as const;
  }

  #end(reason: StopReason): void {
    this.#stop ??= reason;
    this.#throttle.end();
  }
}
