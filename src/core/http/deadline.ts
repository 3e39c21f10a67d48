import type { Failure } from './failure.ts';

/** A timer that is later than this shows that the process was stopped, or the machine asleep. */
const maxLateMs = 100;

/** Ends an exchange when its time is over, or when it is interrupted. */
export class Deadline {
  readonly #timeoutMs: number;
  readonly #interruption: AbortSignal | undefined;
  readonly #over: Promise<never>;
  #stop: (reason: unknown) => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #isExtended = false;

  constructor(timeoutMs: number, interruption: AbortSignal | undefined) {
    interruption?.throwIfAborted();
    this.#timeoutMs = timeoutMs;
    this.#interruption = interruption;
    this.#over = new Promise((_, reject) => {
      this.#stop = reject;
    });
    // It may end when nothing waits.
    this.#over.catch(() => {});
    interruption?.addEventListener('abort', this.#interrupt);
    this.#start();
  }

  /** Made only where it is needed, because it takes longer than everything else here. */
  signal(): AbortSignal {
    const controller = new AbortController();
    this.#over.catch((reason) => controller.abort(reason));
    return controller.signal;
  }

  /** Waits for the work, but no longer than until the deadline. */
  within<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#over]);
  }

  /** Waits for work that has a deadline of its own. After it, the full time starts again. */
  async suspendedFor<T>(work: Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    const result = await this.within(work);
    this.#start();
    return result;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#interruption?.removeEventListener('abort', this.#interrupt);
  }

  #interrupt = () => this.#stop(this.#interruption?.reason);

  #start(): void {
    const timeoutMs = this.#timeoutMs;
    const start = Date.now();
    this.#timer = setTimeout(() => {
      const isLate = Date.now() - start > timeoutMs + maxLateMs;
      if (!isLate || this.#isExtended) {
        const failure: Failure = { code: 'ETIMEDOUT', timeoutMs };
        return this.#stop(failure);
      }
      // The service had no time to respond. Only once, because on a busy machine each timer is late.
      this.#isExtended = true;
      this.#start();
    }, timeoutMs);
  }
}
