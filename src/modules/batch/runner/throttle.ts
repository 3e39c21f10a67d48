import { Semaphore } from '../../../core/values/concurrency.ts';

/** Successful rows after which one more is sent at a time. */
const rowsBeforeGrowth = 20;
const firstWaitMs = 1000;
const maxBackoffMs = 60_000;

/**
 * Sends as many rows at a time as the service accepts. A 429 halves that number and pauses all rows
 * for as long as the service asks; after that the number grows again, one by one.
 */
export class Throttle {
  readonly #maxRows: number;
  /** A row holds a slot from before it is recorded until its outcome is. */
  readonly slots: Semaphore;
  #limit: number;
  #successes = 0;
  #waitMs = firstWaitMs;
  #pausedUntil = 0;
  #timer?: NodeJS.Timeout;
  #hasEnded = false;

  constructor(maxRows: number) {
    this.#maxRows = maxRows;
    this.#limit = maxRows;
    this.slots = new Semaphore(maxRows);
  }

  get waitMs(): number {
    return this.isPaused ? Math.max(0, this.#pausedUntil - performance.now()) : 0;
  }

  get isPaused(): boolean {
    return !this.#hasEnded && this.#timer !== undefined;
  }

  succeeded(): void {
    this.#waitMs = firstWaitMs;
    this.#successes += 1;
    if (this.#successes < rowsBeforeGrowth || this.#limit === this.#maxRows) return;
    this.#successes = 0;
    this.#limit += 1;
    this.#applyLimit();
  }

  slowDown(waitMs: number | undefined): void {
    // Rows that were sent together are refused together: that counts once.
    if (!this.isPaused) {
      this.#limit = Math.max(1, Math.floor(this.#limit / 2));
      this.#successes = 0;
    }
    // `Retry-After: 0` gets a pause too: going on without one is what led to the 429.
    const wait = waitMs || this.#waitMs;
    if (!waitMs) this.#waitMs = Math.min(maxBackoffMs, this.#waitMs * 2);
    if (wait <= this.waitMs) return;
    this.#pausedUntil = performance.now() + wait;
    clearTimeout(this.#timer);
    // A timer may fire early by a fraction of a millisecond.
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#applyLimit();
    }, wait + 1);
    this.#applyLimit();
  }

  /** Lets every waiting row through: the run is over, and none of them is sent. */
  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#applyLimit();
  }

  #applyLimit(): void {
    if (this.isPaused) this.slots.limit = 0;
    else this.slots.limit = this.#hasEnded ? Number.POSITIVE_INFINITY : this.#limit;
  }
}
