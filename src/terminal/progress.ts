import { formatSeconds } from '../values/duration.ts';
import { groupDigits, plural } from '../values/numbers.ts';
import type { Output, Streams } from './streams.ts';

const quietMs = 500;
const redrawMs = 100;
const erase = '\r\u001b[K';

export interface ProgressOptions {
  streams: Streams;
  env: Readonly<Record<string, string | undefined>>;
  /** Removes the line: the interrupted work may take a while to end. */
  signal: AbortSignal;
}

/**
 * A progress line on standard error, for work that takes longer than a moment. Only a terminal gets
 * one. The line is removed before anything else is written to that terminal, and comes back when
 * nothing was written for a while: rows that keep coming are progress enough.
 */
export class ProgressLine {
  readonly #options: ProgressOptions;
  readonly #parts: (elapsedMs: number) => readonly string[];
  readonly #timer: NodeJS.Timeout;
  // Set on the first redraw: loading the monotonic clock would delay short commands.
  #startedAt?: number;
  #quietSince?: number;
  #line = '';
  #blockedMs = 0;

  constructor(options: ProgressOptions, parts: (elapsedMs: number) => readonly string[]) {
    this.#options = options;
    this.#parts = parts;
    this.#timer = setInterval(() => this.#draw(), redrawMs);
    this.#timer.unref();
    const { stdout, stderr } = options.streams;
    stdout.beforeWrite = () => this.#giveWay(stdout);
    stderr.beforeWrite = () => this.#giveWay(stderr);
    options.signal.addEventListener('abort', this.end);
  }

  readonly end = async (): Promise<void> => {
    clearInterval(this.#timer);
    const { streams, signal } = this.#options;
    signal.removeEventListener('abort', this.end);
    streams.stdout.beforeWrite = undefined;
    streams.stderr.beforeWrite = undefined;
    await this.#erase();
  };

  async #giveWay(output: Output): Promise<void> {
    this.#blockedMs = 0;
    if (!output.isTerminal) return;
    this.#quietSince = performance.now();
    await this.#erase();
  }

  async #erase(): Promise<void> {
    if (this.#line === '') return;
    this.#line = '';
    await this.#options.streams.stderr.draw(erase);
  }

  #draw(): void {
    const { streams, env } = this.#options;
    const { stdout, stderr } = streams;
    const time = performance.now();
    this.#startedAt ??= time - redrawMs;
    this.#quietSince ??= this.#startedAt;
    if (stdout.isWaiting) {
      this.#blockedMs += redrawMs;
      // A reader that takes long is a pager on the same screen: nothing is drawn between its pages.
      if (this.#blockedMs >= quietMs) this.#quietSince = time;
      return;
    }
    if (time - this.#quietSince < quietMs) return;
    if (!stderr.isTerminal || env.TERM === 'dumb') {
      clearInterval(this.#timer);
      return;
    }
    // An unfinished line must not be erased.
    if (!stderr.isAtLineStart || (stdout.isTerminal && !stdout.isAtLineStart)) return;
    // A line of the full width would wrap, and could not be erased.
    const line = joinFitting(this.#parts(time - this.#startedAt), stderr.columns - 1);
    if (line === this.#line) return;
    this.#line = line;
    void stderr.draw(erase + line);
  }
}

function joinFitting(parts: readonly string[], width: number): string {
  let line = '';
  for (const part of parts) {
    const longer = line === '' ? part : `${line}, ${part}`;
    if (longer.length > width) break;
    line = longer;
  }
  return line;
}

export function pageProgress(options: ProgressOptions) {
  let pageCount = 0;
  let records = 0;
  let wanted: number | undefined;
  const parts = (elapsedMs: number): string[] => {
    if (records === 0) return ['waiting for the service', formatSeconds(elapsedMs / 1000)];
    const rate = records / (elapsedMs / 1000);
    const pages = plural(pageCount, 'page');
    const speed = `${groupDigits(Math.round(rate))}/s`;
    if (wanted === undefined) return [`${groupDigits(records)} records`, pages, speed];
    // Rounded down: 100 % means complete.
    const share = `${Math.floor((100 * records) / Math.max(wanted, 1))} %`;
    const left = `${formatSeconds(Math.max(wanted - records, 0) / rate)} left`;
    return [`${groupDigits(records)} of ${groupDigits(wanted)} records`, share, left, speed, pages];
  };
  const { end } = new ProgressLine(options, parts);
  return {
    end,
    add(count: number, total: number | undefined): void {
      pageCount += 1;
      records += count;
      wanted = total;
    },
  };
}
