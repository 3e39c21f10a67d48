/** So many rows went well: the service may take one more at a time. */
const calmRows = 20;
const firstWaitMs = 1000;
const longestWaitMs = 60_000;

/**
 * Lets as many rows out at a time as the service takes. A refusal because of too many halves their
 * number and holds all of them back for as long as the service asks; then it grows again, slowly.
 * A row enters, is written down, and starts; one more may be written down than is under way, so that
 * the service does not wait for the disk.
 */
export class Gate {
  readonly #most: number;
  readonly #ahead: number;
  #limit: number;
  #entered = 0;
  #started = 0;
  #calm = 0;
  #waitMs = firstWaitMs;
  /** By the monotonic clock. */
  #closedUntil = 0;
  /** Set while the gate is closed for a while. */
  #timer?: NodeJS.Timeout;
  #isOver = false;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
    // One at a time is one at a time.
    this.#ahead = most > 1 ? 1 : 0;
    this.#limit = most;
  }

  /** How many may be between their entry and their end. */
  get places(): number {
    return this.#most + this.#ahead;
  }

  /** Whether the next row would have to wait. */
  get isClosed(): boolean {
    return this.#isPaused || (!this.#isOver && this.#entered >= this.#limit + this.#ahead);
  }

  get #isPaused(): boolean {
    return !this.#isOver && this.#timer !== undefined;
  }

  /** When it opens again, in milliseconds from now. */
  get waitMs(): number {
    return this.#isPaused ? Math.max(0, this.#closedUntil - performance.now()) : 0;
  }

  async enter(): Promise<void> {
    while (this.isClosed) await this.#change();
    this.#entered += 1;
  }

  leave(): void {
    this.#entered -= 1;
    this.#wake();
  }

  async start(): Promise<void> {
    while (this.#isPaused || (!this.#isOver && this.#started >= this.#limit)) await this.#change();
    this.#started += 1;
  }

  finish(): void {
    this.#started -= 1;
    this.#wake();
  }

  /** A row went through. */
  calm(): void {
    this.#waitMs = firstWaitMs;
    this.#calm += 1;
    if (this.#calm < calmRows || this.#limit === this.#most) return;
    this.#calm = 0;
    this.#limit += 1;
    this.#wake();
  }

  /** The service is asked too often. */
  slowDown(waitMs: number | undefined): void {
    // Rows that were out together are refused together: that counts once.
    if (!this.#isPaused) {
      this.#limit = Math.max(1, Math.floor(this.#limit / 2));
      this.#calm = 0;
    }
    // Not to wait at all is what it was refused for.
    const wait = waitMs || this.#waitMs;
    if (!waitMs) this.#waitMs = Math.min(longestWaitMs, this.#waitMs * 2);
    if (wait <= this.waitMs) return;
    this.#closedUntil = performance.now() + wait;
    clearTimeout(this.#timer);
    // The timer alone opens the gate, and may be early by a fraction of a millisecond.
    this.#timer = setTimeout(() => this.#open(), wait + 1);
  }

  /** Nothing is held back any more: there is nothing left to send. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#wake();
  }

  #open(): void {
    this.#timer = undefined;
    this.#wake();
  }

  #change(): Promise<void> {
    return new Promise((wake) => this.#waiting.push(wake));
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
