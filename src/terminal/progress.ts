import { groupDigits } from '../values/counts.ts';
import type { Output, Streams } from './streams.ts';

/** Nobody needs to be told of a wait that is shorter. */
const patienceMs = 500;
const redrawMs = 100;
const erase = '\r\u001b[K';

export interface ProgressOptions {
  streams: Streams;
  env: Readonly<Record<string, string | undefined>>;
  /** Takes the line away: what is being waited for may not end at once. */
  signal: AbortSignal;
}

/**
 * A line on standard error that says how far a piece of work came, while it takes longer than a
 * moment. Only a terminal gets one. It is taken away before anything else is written to that
 * terminal, and comes back when nothing was written for a while: rows that keep coming are progress
 * enough.
 */
export class ProgressLine {
  readonly #options: ProgressOptions;
  readonly #parts: (elapsedMs: number) => readonly string[];
  readonly #timer: NodeJS.Timeout;
  // Known from the first redraw on: loading the monotonic clock takes longer than a short command waits.
  #startedAt?: number;
  #quietSince?: number;
  #shown = '';
  /** For how long the reader of standard output has not taken what was written last. */
  #waitedMs = 0;

  /** The parts of the line, the most telling first. */
  constructor(options: ProgressOptions, parts: (elapsedMs: number) => readonly string[]) {
    this.#options = options;
    this.#parts = parts;
    this.#timer = setInterval(() => this.#draw(), redrawMs);
    this.#timer.unref();
    const { stdout, stderr } = options.streams;
    stdout.beforeWrite = () => this.#giveWay(stdout);
    stderr.beforeWrite = () => this.#giveWay(stderr);
    options.signal.addEventListener('abort', this.#end);
  }

  /** Takes the line away for good. */
  async end(): Promise<void> {
    await this.#end();
  }

  readonly #end = async (): Promise<void> => {
    clearInterval(this.#timer);
    const { streams, signal } = this.#options;
    signal.removeEventListener('abort', this.#end);
    streams.stdout.beforeWrite = undefined;
    streams.stderr.beforeWrite = undefined;
    await this.#erase();
  };

  /** Something else is about to be written. */
  async #giveWay(output: Output): Promise<void> {
    this.#waitedMs = 0;
    if (!output.isTerminal) return;
    this.#quietSince = performance.now();
    await this.#erase();
  }

  async #erase(): Promise<void> {
    if (this.#shown === '') return;
    this.#shown = '';
    await this.#options.streams.stderr.draw(erase);
  }

  /**
   * Nothing goes on before the reader reads. One that takes long is a pager, and its screen is this
   * one: then no moment between two pages is used either.
   */
  #wait(time: number): void {
    this.#waitedMs += redrawMs;
    if (this.#waitedMs >= patienceMs) this.#quietSince = time;
  }

  #draw(): void {
    const { streams, env } = this.#options;
    const { stdout, stderr } = streams;
    const time = performance.now();
    this.#startedAt ??= time - redrawMs;
    this.#quietSince ??= this.#startedAt;
    if (stdout.isWaiting) {
      this.#wait(time);
      return;
    }
    if (time - this.#quietSince < patienceMs) return;
    if (!stderr.isTerminal || env.TERM === 'dumb') {
      clearInterval(this.#timer);
      return;
    }
    // A line that is not finished must not be erased.
    if (!stderr.isAtLineStart || (stdout.isTerminal && !stdout.isAtLineStart)) return;
    // A line that fills the width wraps, and cannot be erased.
    const line = fitted(this.#parts(time - this.#startedAt), stderr.columns - 1);
    if (line === this.#shown) return;
    this.#shown = line;
    void stderr.draw(erase + line);
  }
}

/** As many parts as there is room for, from the first. */
function fitted(parts: readonly string[], width: number): string {
  let line = '';
  for (const part of parts) {
    const longer = line === '' ? part : `${line}, ${part}`;
    if (longer.length > width) break;
    line = longer;
  }
  return line;
}

export function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 120) return `${whole} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}

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
    const pages = this.#pages === 1 ? '1 page' : `${groupDigits(this.#pages)} pages`;
    const speed = `${groupDigits(Math.round(rate))}/s`;
    if (wanted === undefined) return [`${groupDigits(records)} records`, pages, speed];
    // Rounded down: it is not 100 % before all is there.
    const share = `${Math.floor((100 * records) / Math.max(wanted, 1))} %`;
    const left = `${formatSeconds(Math.max(wanted - records, 0) / rate)} left`;
    return [`${groupDigits(records)} of ${groupDigits(wanted)} records`, share, left, speed, pages];
  }
}
