import { StringDecoder } from 'node:string_decoder';
import { MarError } from '../errors.ts';
import { sanitise } from './sanitise.ts';
import type { Output, TerminalReadable } from './streams.ts';
import { displayWidth } from './width.ts';

export interface Question {
  label: string;
  /** Shows nothing of what is typed. */
  hidden?: boolean;
  /** What an empty answer means. */
  fallback?: string;
}

/**
 * Asks questions on a terminal. The terminal's own echo is off from the start to the end, between
 * questions too: what a fast typist types ahead of a hidden question does not show either.
 */
export class Prompter {
  readonly #stdin: TerminalReadable;
  readonly #stderr: Output;
  readonly #signal: AbortSignal;
  readonly #decoder = new StringDecoder('utf8');
  #typed = '';
  #ended = false;
  #wake: () => void = () => {};

  constructor(stdin: TerminalReadable, stderr: Output, signal: AbortSignal) {
    this.#stdin = stdin;
    this.#stderr = stderr;
    this.#signal = signal;
    stdin.setRawMode?.(true);
    stdin.on('data', this.#onData);
    stdin.on('end', this.#onEnd);
    stdin.on('error', this.#onEnd);
    // Whoever asked before let go of it: the program would end in the middle of the question.
    stdin.ref?.();
    stdin.resume();
    signal.addEventListener('abort', this.#onEnd);
  }

  /** Gives the terminal back as it was. */
  close(): void {
    this.#stdin.off('data', this.#onData);
    this.#stdin.off('end', this.#onEnd);
    this.#stdin.off('error', this.#onEnd);
    this.#signal.removeEventListener('abort', this.#onEnd);
    this.#stdin.setRawMode?.(false);
    this.#stdin.pause();
    // A paused terminal still keeps the process alive.
    this.#stdin.unref?.();
  }

  async ask({ label, hidden = false, fallback }: Question): Promise<string> {
    const suggestion = fallback === undefined ? '' : ` [${sanitise(fallback)}]`;
    await this.#stderr.write(`${label}${suggestion}: `);
    try {
      const answer = await this.#readLine(hidden);
      return answer === '' ? (fallback ?? '') : answer;
    } finally {
      await this.#stderr.write('\r\n');
    }
  }

  async #readLine(hidden: boolean): Promise<string> {
    let line = '';
    for (;;) {
      const key = await this.#nextKey();
      if (key === '\r' || key === '\n') return line;
      const next = edited(line, key);
      if (!hidden) await this.#stderr.write(redraw(line, next));
      line = next;
    }
  }

  async #nextKey(): Promise<string> {
    while (this.#typed === '') {
      if (this.#signal.aborted) throw this.#signal.reason;
      if (this.#ended) throw interrupted();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const key = takeKey(this.#typed);
    this.#typed = this.#typed.slice(key.length);
    // Ctrl-C, and Ctrl-D: with the echo the terminal's own handling of them is off as well.
    if (key === '\x03' || key === '\x04') throw interrupted();
    return key;
  }

  readonly #onData = (data: Buffer): void => {
    this.#typed += this.#decoder.write(data);
    this.#wake();
  };

  readonly #onEnd = (): void => {
    this.#ended = true;
    this.#wake();
  };
}

const interrupted = () => new MarError('interrupted', 'interrupted');

/** One key: a character, or the escape sequence that an arrow or a function key sends. */
function takeKey(typed: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys are control characters
  const sequence = /^\x1b(?:\[[\d;]*[A-Za-z~]|O[A-Z])/.exec(typed)?.[0];
  return sequence ?? String.fromCodePoint(typed.codePointAt(0) ?? 0);
}

/** The answer after a key: backspace, Ctrl-U and Ctrl-W take away; other controls do nothing. */
function edited(answer: string, key: string): string {
  switch (key) {
    case '\x7f':
    case '\b':
      return [...answer].slice(0, -1).join('');
    case '\x15':
      return '';
    case '\x17':
      return answer.replace(/\S*\s*$/, '');
    default:
      return /^\p{Cc}/u.test(key) ? answer : answer + key;
  }
}

/** Brings the screen from one answer to the next, at the end of the line. */
function redraw(before: string, after: string): string {
  if (after.startsWith(before)) return sanitise(after.slice(before.length));
  const gone = displayWidth(before) - displayWidth(after);
  return '\b \b'.repeat(gone);
}
