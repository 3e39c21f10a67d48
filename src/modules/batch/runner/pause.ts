import { setTimeout as delay } from 'node:timers/promises';

const firstWaitMs = 1000;
const maxWaitMs = 60_000;

/** After a 429, all rows wait: as long as the service asks for, otherwise twice as long each time. */
export class Pause {
  #waitMs = firstWaitMs;
  #until = 0;
  readonly #end = new AbortController();

  get leftMs(): number {
    return Math.max(0, this.#until - performance.now());
  }

  get isOn(): boolean {
    return this.leftMs > 0 && !this.#end.signal.aborted;
  }

  succeeded(): void {
    this.#waitMs = firstWaitMs;
  }

  start(requestedMs: number | undefined): void {
    // Rows that were sent together are refused together: that counts once.
    if (!requestedMs && this.isOn) return;
    // `Retry-After: 0` gets a pause too: going on without one is what led to the 429.
    this.#until = Math.max(this.#until, performance.now() + (requestedMs || this.#waitMs));
    if (!requestedMs) this.#waitMs = Math.min(maxWaitMs, this.#waitMs * 2);
  }

  /** Resolves once no row has to wait. */
  async isOver(): Promise<void> {
    const { signal } = this.#end;
    while (this.isOn) await delay(this.leftMs + 1, undefined, { signal }).catch(() => {});
  }

  /** The run is over: no row waits any more, and none of them is sent. */
  end(): void {
    this.#end.abort();
  }
}
