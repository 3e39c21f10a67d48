import { formatSeconds, grouped, ProgressLine, type ProgressOptions } from './progressLine.ts';

/** Says how far a list came. */
export class Progress {
  readonly #line: ProgressLine;
  #pages = 0;
  #records = 0;
  #wanted?: number;

  constructor(options: ProgressOptions) {
    this.#line = new ProgressLine(options, (elapsedMs) => this.#parts(elapsedMs));
  }

  /** A page came; `wanted` is how many records are to come in all, where that is known. */
  add(records: number, wanted: number | undefined): void {
    this.#pages += 1;
    this.#records += records;
    this.#wanted = wanted;
  }

  /** Takes the line away for good. */
  async end(): Promise<void> {
    await this.#line.end();
  }

  #parts(elapsedMs: number): string[] {
    const records = this.#records;
    if (records === 0) return ['waiting for the service', formatSeconds(elapsedMs / 1000)];
    const wanted = this.#wanted;
    const rate = records / (elapsedMs / 1000);
    const pages = this.#pages === 1 ? '1 page' : `${grouped(this.#pages)} pages`;
    const speed = `${grouped(Math.round(rate))}/s`;
    if (wanted === undefined) return [`${grouped(records)} records`, pages, speed];
    // Rounded down: it is not 100 % before all is there.
    const share = `${Math.floor((100 * records) / Math.max(wanted, 1))} %`;
    const left = `${formatSeconds(Math.max(wanted - records, 0) / rate)} left`;
    return [`${grouped(records)} of ${grouped(wanted)} records`, share, left, speed, pages];
  }
}
