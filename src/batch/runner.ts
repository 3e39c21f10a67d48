import { idOf } from '../client/response.ts';
import { MarError } from '../errors.ts';
import type { RecordChange } from '../records/recordChange.ts';
import type { Row } from './input/row.ts';
import type { RowRequest } from './input/rows.ts';
import type { Journal } from './journal/journal.ts';
import type { RowOutcome, SendRow } from './sendRow.ts';
import { Throttle } from './throttle.ts';

/** After so many rows in succession, the service counts as down. */
const maxRowsWithoutResponse = 5;
/** If the service asks for a longer wait, the run stops; the batch can be resumed later. */
const maxWaitMs = 10 * 60_000;
/** On a service that responds at once, about three rows share a sync. */
const gatherMs = 2;

export interface RunnerOptions {
  rows: AsyncGenerator<Row>;
  journal: Journal;
  concurrency: number;
  stopOnError: boolean;
  signal: AbortSignal;
  /** Reads the record that a row changes. Returns an outcome if there is nothing to send. */
  prepare?(row: Row): Promise<PreparedRow | RowOutcome>;
  /** The mark in the record of a row. */
  markOf?(row: number): string;
  /** Builds the request of a row ahead of its turn. */
  build(row: Row, prepared: RowRequest | undefined): SendRow;
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

/** A row that changes a record, and the values that it replaces. */
export interface PreparedRow {
  request: RowRequest;
  change: RecordChange;
}

interface Sent {
  row: Row;
  outcome: RowOutcome;
}

/** A row is sent once, except after a 429, which says that the service did not process it. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #throttle: Throttle;
  /** Rows refused with 429: they are sent next. */
  readonly #refused: Row[] = [];
  #rowsWithoutResponse = 0;
  #stop?: StopReason;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#throttle = new Throttle(options.concurrency);
  }

  async run(): Promise<StopReason | undefined> {
    const { signal } = this.#options;
    const interrupt = () => this.#end({ why: 'interrupted' });
    if (signal.aborted) interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      const workers = Array.from({ length: this.#throttle.maxRecorded }, () => this.#work());
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
    const { journal, prepare } = this.#options;
    let previous: Sent | undefined;
    try {
      for (;;) {
        // While no row may be recorded, save the previous outcome now.
        if (previous && this.#throttle.recorded.isFull) previous = await this.#save(previous);
        await this.#throttle.recorded.acquire();
        try {
          const row = this.#stop ? undefined : await this.#next();
          if (!row) break;
          let prepared: PreparedRow | undefined;
          if (prepare) {
            const read = this.#throttle.sent.run(async () => this.#stop ?? prepare(row));
            const [result] = await Promise.all([read, previous && this.#save(previous)]);
            previous = undefined;
            // Nothing was sent, so the row stays pending.
            if (this.#stop || 'why' in result) break;
            if ('kind' in result) {
              this.#handleOutcome(row, result);
              previous = { row, outcome: result };
              continue;
            }
            prepared = result;
          }
          // One sync covers the previous row's outcome and the intent to send this row.
          const mark = this.#options.markOf?.(row.number);
          const id = prepared?.request.id;
          journal.append({ row: row.number, event: 'sending', id, mark }, prepared?.change);
          const send = this.#options.build(row, prepared?.request);
          if (previous) previous = await this.#save(previous);
          else await this.#saved();
          previous = await this.#throttle.sent.run((leave) =>
            this.#send(row, () => send(leave), prepared?.change),
          );
          if (!previous) break;
        } finally {
          this.#throttle.recorded.release();
        }
      }
      if (previous) await this.#save(previous);
    } catch (error) {
      // The journal cannot be written, so no other worker may send either.
      this.#end({ why: 'error', error: error as MarError });
      throw error;
    }
  }

  async #send(
    row: Row,
    send: () => Promise<RowOutcome>,
    change: RecordChange | undefined,
  ): Promise<Sent | undefined> {
    const { journal } = this.#options;
    if (this.#stop) {
      journal.append({ row: row.number, event: 'unsent' });
      await journal.saved();
      return undefined;
    }
    const outcome = await send();
    this.#handleOutcome(row, outcome, change);
    return { row, outcome };
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

  /** While as many rows are sent as may be, the next ones can wait to be saved together. */
  #saved(): Promise<void> {
    return this.#options.journal.saved(this.#throttle.sent.isFull ? gatherMs : 0);
  }

  /** An outcome is printed only when it is on the disk. */
  async #save({ row, outcome }: Sent): Promise<undefined> {
    try {
      await this.#saved();
    } catch (error) {
      this.#options.onUnrecorded(row, outcome);
      throw error;
    }
    await this.#options.onOutcome(row, outcome);
  }

  #handleOutcome(row: Row, outcome: RowOutcome, change?: RecordChange): void {
    const { journal, stopOnError, markOf } = this.#options;
    const event = this.#eventFor(outcome);
    const mark = event.event === 'unknown' ? markOf?.(row.number) : undefined;
    // The next run compares the record with the change before it sends the row again.
    const mayBeSentAgain = event.event === 'unknown' || event.event === 'unsent';
    // A row that was never sent is pending without an event.
    if (event.event !== 'unsent' || journal.states.get(row.number) === 'sending') {
      journal.append({ row: row.number, ...event, mark }, mayBeSentAgain ? change : undefined);
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
      return { event: 'done', id: idOf(outcome.record.value) } as const;
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
