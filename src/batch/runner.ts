import { MarError } from '../errors.ts';
import { valueAt } from '../json/fields.ts';
import type { Row } from './input/row.ts';
import type { Journal } from './journal/journal.ts';
import type { Outcome } from './send.ts';
import { Gate } from './throttle.ts';

/** So many rows in a row without an answer: the service is down, and more rows would be lost on it. */
const mostInARow = 5;
/** Who is asked to wait longer comes back later. */
const longestWaitMs = 10 * 60_000;

export interface RunnerOptions {
  rows: AsyncGenerator<Row>;
  journal: Journal;
  concurrency: number;
  stopOnError: boolean;
  /** Ends the run: what is under way is finished. */
  signal: AbortSignal;
  send(row: Row): Promise<Outcome>;
  /** Told of each row once its outcome is on the disk. Must not throw. */
  onOutcome(row: Row, outcome: Outcome): Promise<void>;
  /** Told of an outcome that the journal could not take. */
  onLost(row: Row, outcome: Outcome): void;
  /** For what goes into the journal: a service may quote what it was sent. */
  clean(text: string): string;
}

/** Why a run ended before its rows did. */
export type Stop =
  | { why: 'interrupted' }
  | { why: 'error'; error: MarError }
  | { why: 'down'; error: MarError }
  | { why: 'auth'; error: MarError }
  /** It is not what was checked any more. */
  | { why: 'input'; error: MarError }
  | { why: 'wait'; error: MarError; waitMs: number };

/** Sends rows, several at a time, each exactly once, and keeps the journal about it. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #gate: Gate;
  /** Rows that the service did not look at: they are next. */
  readonly #again: Row[] = [];
  #unanswered = 0;
  #stop?: Stop;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#gate = new Gate(options.concurrency);
  }

  async run(): Promise<Stop | undefined> {
    const { signal } = this.#options;
    const interrupt = () => this.#end({ why: 'interrupted' });
    if (signal.aborted) interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      const workers = Array.from({ length: this.#gate.places }, () => this.#work());
      const ended = await Promise.allSettled(workers);
      const failed = ended.find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
      return this.#stop;
    } finally {
      signal.removeEventListener('abort', interrupt);
      this.#gate.end();
      await this.#options.rows.return(undefined);
    }
  }

  async #work(): Promise<void> {
    const { journal } = this.#options;
    let before: { row: Row; outcome: Outcome } | undefined;
    try {
      for (;;) {
        // What is known is not to wait for what comes next.
        if (before && this.#gate.isClosed) before = await this.#settle(before);
        await this.#gate.enter();
        try {
          const row = this.#stop ? undefined : await this.#next();
          if (!row) break;
          // One sync for what became of the last row and for the intent to send this one.
          journal.note({ row: row.number, event: 'sending' });
          if (before) before = await this.#settle(before);
          else await journal.saved();
          const outcome = await this.#send(row);
          if (!outcome) break;
          before = { row, outcome };
        } finally {
          this.#gate.leave();
        }
      }
      if (before) await this.#settle(before);
    } catch (error) {
      // The journal failed: nobody is to send any more.
      this.#end({ why: 'error', error: error as MarError });
      throw error;
    }
  }

  /** Sends a row that is written down, unless the run has ended since. */
  async #send(row: Row): Promise<Outcome | undefined> {
    const { journal, send } = this.#options;
    await this.#gate.start();
    try {
      if (this.#stop) {
        journal.note({ row: row.number, event: 'unsent' });
        await journal.saved();
        return undefined;
      }
      const outcome = await send(row);
      this.#learn(row, outcome);
      return outcome;
    } finally {
      this.#gate.finish();
    }
  }

  async #next(): Promise<Row | undefined> {
    const again = this.#again.shift();
    if (again) return again;
    try {
      const { value, done } = await this.#options.rows.next();
      return done ? undefined : value;
    } catch (error) {
      if (!(error instanceof MarError)) throw error;
      this.#end({ why: 'input', error });
      return undefined;
    }
  }

  /** Its outcome is on the disk before anybody is told. */
  async #settle({ row, outcome }: { row: Row; outcome: Outcome }): Promise<undefined> {
    try {
      await this.#options.journal.saved();
    } catch (error) {
      this.#options.onLost(row, outcome);
      throw error;
    }
    await this.#options.onOutcome(row, outcome);
  }

  #learn(row: Row, outcome: Outcome): void {
    const { journal, stopOnError } = this.#options;
    journal.note({ row: row.number, ...this.#eventOf(outcome) });
    const isUnanswered = outcome.kind === 'unknown' || outcome.kind === 'unsent';
    this.#unanswered = isUnanswered ? this.#unanswered + 1 : 0;
    if (outcome.kind === 'done') this.#gate.calm();
    else if (outcome.kind === 'throttled') this.#slowDown(row, outcome.error, outcome.waitMs);
    else if (outcome.kind === 'locked-out') this.#end({ why: 'auth', error: outcome.error });
    else if (this.#unanswered >= mostInARow) this.#end({ why: 'down', error: outcome.error });
    else if (stopOnError) this.#end({ why: 'error', error: outcome.error });
  }

  #slowDown(row: Row, error: MarError, waitMs: number | undefined): void {
    if (waitMs !== undefined && waitMs > longestWaitMs) {
      this.#end({ why: 'wait', error, waitMs });
      return;
    }
    this.#again.push(row);
    this.#gate.slowDown(waitMs);
  }

  #eventOf(outcome: Outcome) {
    if (outcome.kind === 'done') {
      const id = valueAt(outcome.record.value, '_id');
      return { event: 'done', id: typeof id === 'string' ? id : undefined } as const;
    }
    const { kind, error } = outcome;
    const { status } = error.details;
    const event = kind === 'throttled' || kind === 'locked-out' ? 'unsent' : kind;
    const message = this.#options.clean(error.message);
    return { event, status, message } as const;
  }

  #end(stop: Stop): void {
    this.#stop ??= stop;
    this.#gate.end();
  }
}
