/** Lets a limited number of holders in at a time. The others wait in line, first come, first served. */
export class Semaphore {
  #limit: number;
  #held = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A lower limit takes nothing away from those who are in: the next ones wait longer. */
  set limit(limit: number) {
    this.#limit = limit;
    this.#admit();
  }

  get isFull(): boolean {
    return this.#held >= this.#limit;
  }

  async acquire(): Promise<void> {
    const admitted = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#admit();
    await admitted;
  }

  release(): void {
    this.#held -= 1;
    this.#admit();
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.acquire();
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  #admit(): void {
    while (!this.isFull) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#held += 1;
      next();
    }
  }
}
