import type { Ora } from 'ora';
import { formatSeconds } from '../values/duration.ts';
import { groupDigits, plural } from '../values/numbers.ts';
import { sanitise } from '../values/sanitise.ts';
import { truncate } from '../values/width.ts';
import type { Output, TerminalWorld } from './streams.ts';
import { isColourWanted, isOn } from './style.ts';

/** A shorter wait needs no explanation. The update after it loads the spinner, the next one shows it. */
const quietMs = 300;
const updateMs = 100;
/** In place of a spinner, for screen readers. */
const accessibleLineMs = 10_000;
/** The spinner and the space after it, and one column that stays free so that the line does not wrap. */
const spinnerColumns = 3;

export interface ProgressOptions extends Pick<TerminalWorld, 'streams' | 'env' | 'signal'> {
  quiet?: boolean;
  color: boolean;
  /** A screen reader would read every repainted line. */
  isAccessible: boolean;
}

/**
 * Shows on standard error what the program waits for, if that takes longer than a moment: a spinner
 * on a terminal, nothing elsewhere, in CI and with `--quiet`. The spinner is removed before anything else is written
 * to its terminal, and comes back when nothing was written for a while: rows that keep coming are
 * progress enough. There is one at a time: what is waited for within another wait is not shown.
 */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #parts: (elapsedMs: number) => readonly string[];
  #timer?: NodeJS.Timeout;
  #retry?: { at: number; status?: number };
  // Set on the first update: loading the monotonic clock would delay short commands.
  #startedAt?: number;
  #quietSince?: number;
  #lineAt?: number;
  #loading?: Promise<void>;
  #spinner?: Ora;

  /** The most important part comes first: a narrow terminal cuts the others off. */
  constructor(options: ProgressOptions, parts: (elapsedMs: number) => readonly string[]) {
    this.#options = options;
    this.#parts = parts;
    const { streams, quiet } = options;
    if (quiet || streams.progress) return;
    streams.progress = this;
    this.#timer = setInterval(() => this.#update(), updateMs);
    this.#timer.unref();
    const { stdout, stderr } = streams;
    stdout.beforeWrite = async () => this.#giveWay(stdout);
    stderr.beforeWrite = async () => this.#giveWay(stderr);
    // The interrupted work may take a while to end.
    options.signal.addEventListener('abort', this.end);
  }

  readonly end = (): void => {
    const { streams, signal } = this.#options;
    if (streams.progress !== this) return;
    streams.progress = undefined;
    clearInterval(this.#timer);
    signal.removeEventListener('abort', this.end);
    streams.stdout.beforeWrite = undefined;
    streams.stderr.beforeWrite = undefined;
    this.#erase();
  };

  /** All parts, for a program. */
  get text(): string {
    const time = performance.now();
    this.#startedAt ??= time;
    return this.#partsAt(time, this.#startedAt).join(', ');
  }

  announceRetry(waitMs: number, status?: number): void {
    this.#retry = { at: performance.now() + waitMs, status };
  }

  #partsAt(time: number, startedAt: number): readonly string[] {
    const { at = 0, status } = this.#retry ?? {};
    if (at <= time) return this.#parts(time - startedAt);
    return [`Retrying in ${formatSeconds((at - time) / 1000)}${status ? ` (${status})` : ''}`];
  }

  #giveWay(output: Output): void {
    if (!output.isTerminal) return;
    this.#quietSince = performance.now();
    this.#erase();
  }

  #erase(): void {
    // Stopping moves the cursor even if nothing was drawn.
    if (this.#spinner?.isSpinning) this.#spinner.stop();
  }

  #update(): void {
    const { streams, env } = this.#options;
    const { stdout, stderr } = streams;
    const time = performance.now();
    this.#startedAt ??= time - updateMs;
    this.#quietSince ??= this.#startedAt;
    // A pager has the screen.
    if (stderr.redirect) return;
    if (stdout.isWaiting) {
      // A pager may be on the same screen: nothing is drawn between its pages.
      this.#quietSince = time;
      return;
    }
    if (time - this.#quietSince < quietMs) return;
    // ora divides by the width: on a terminal without a size it would erase lines for ever.
    const mayDraw = stderr.terminal.columns || this.#options.isAccessible;
    if (!stderr.isTerminal || !mayDraw || env.TERM === 'dumb' || isOn(env.CI)) {
      clearInterval(this.#timer);
      return;
    }
    // An unfinished line must not be erased.
    if (!stderr.isAtLineStart || (stdout.isTerminal && !stdout.isAtLineStart)) return;
    const parts = this.#partsAt(time, this.#startedAt);
    if (this.#options.isAccessible) {
      if (time - (this.#lineAt ?? this.#startedAt) < accessibleLineMs) return;
      this.#lineAt = time;
      void stderr.write(`${parts.join(', ')}\n`).catch(() => {});
    } else if (this.#spinner) {
      this.#spinner.text = truncate(sanitise(parts.join(', ')), stderr.columns - spinnerColumns);
      this.#spinner.start();
    } else {
      // While the library loads, nothing is shown; a later update brings the newest text.
      this.#loading ??= this.#load();
    }
  }

  async #load(): Promise<void> {
    const { default: ora } = await import('ora');
    const { streams, env, color } = this.#options;
    // The cursor stays visible, since a killed process could not show it again.
    this.#spinner = ora({
      stream: streams.stderr.terminal,
      isEnabled: true,
      hideCursor: false,
      discardStdin: false,
      color: color && isColourWanted(env, true) ? 'cyan' : false,
    });
  }
}

/** Rounded down: 100 % means complete. */
export const shareParts = (done: number, all: number, perSecond: number): string[] => [
  `${Math.floor((100 * done) / Math.max(all, 1))} %`,
  `${formatSeconds(Math.max(all - done, 0) / perSecond)} left`,
];

/** How far a list is read; `wanted` is the number of its records, if it is known. */
export function pageParts(elapsedMs: number, pages: number, records: number, wanted?: number) {
  if (records === 0) return [`Waiting for the service… ${formatSeconds(elapsedMs / 1000)}`];
  const rate = records / (elapsedMs / 1000);
  const speed = `${groupDigits(Math.round(rate))}/s`;
  const read = plural(pages, 'page');
  if (wanted === undefined) return [`${groupDigits(records)} records`, read, speed];
  const share = shareParts(records, wanted, rate);
  return [`${groupDigits(records)} of ${groupDigits(wanted)} records`, ...share, speed, read];
}
