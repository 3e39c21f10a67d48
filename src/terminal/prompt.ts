import { StringDecoder } from 'node:string_decoder';
import { MarError } from '../errors.ts';
import { sanitise } from '../values/sanitise.ts';
import { displayWidth } from '../values/width.ts';
import type { TerminalWorld } from './streams.ts';

export interface Question {
  label: string;
  isHidden?: boolean;
  fallback?: string;
  /** Shows the line only while it matches: a password that was typed ahead must not appear. */
  shownIf?: RegExp;
}

/** Leaves the terminal in its normal mode. */
export async function withPrompter<T>(
  world: TerminalWorld,
  ask: (prompter: Prompter) => Promise<T>,
): Promise<T> {
  const prompter = new Prompter(world);
  try {
    return await ask(prompter);
  } finally {
    prompter.close();
  }
}

/**
 * Asks questions on a terminal. The terminal's own echo stays off between questions too, so that
 * input typed ahead of a hidden question is not shown.
 */
export class Prompter {
  readonly #world: TerminalWorld;
  readonly #decoder = new StringDecoder('utf8');
  #typed = '';
  #isEnded = false;
  #isAsking = false;
  #wake: () => void = () => {};

  constructor(world: TerminalWorld) {
    this.#world = world;
    const { stdin } = world.streams;
    stdin.setRawMode?.(true);
    stdin.on('data', this.#onData);
    stdin.on('end', this.#onEnd);
    stdin.on('error', this.#onEnd);
    // An earlier prompter has unreferenced it, so the process would end during the question.
    stdin.ref?.();
    stdin.resume();
    world.signal.addEventListener('abort', this.#onEnd);
  }

  close(): void {
    const { stdin } = this.#world.streams;
    stdin.off('data', this.#onData);
    stdin.off('end', this.#onEnd);
    stdin.off('error', this.#onEnd);
    this.#world.signal.removeEventListener('abort', this.#onEnd);
    stdin.setRawMode?.(false);
    stdin.pause();
    // A paused terminal still keeps the process alive.
    stdin.unref?.();
  }

  async ask({ label, fallback, ...question }: Question): Promise<string> {
    const suggestion = fallback === undefined ? '' : ` [${sanitise(fallback)}]`;
    this.#isAsking = true;
    await this.#print(`${label}${suggestion}: `);
    try {
      const line = await this.#readLine(question);
      return line === '' ? (fallback ?? '') : line;
    } finally {
      this.#isAsking = false;
      await this.#print('\r\n');
    }
  }

  /** A no unless the user types yes. */
  async confirm(label: string): Promise<boolean> {
    const reply = await this.ask({ label: `${label} (y/N)`, shownIf: /^(?:y|ye|yes|n|no)$/i });
    return /^\s*y(?:es)?\s*$/i.test(reply);
  }

  async #readLine({ isHidden, shownIf }: Omit<Question, 'label'>): Promise<string> {
    const shown = (text: string) => (isHidden || shownIf?.test(text) === false ? '' : text);
    let line = '';
    for (;;) {
      const key = await this.#nextKey();
      if (key === '\r' || key === '\n') return line;
      const next = edited(line, key);
      await this.#print(redraw(shown(line), shown(next)));
      line = next;
    }
  }

  async #nextKey(): Promise<string> {
    while (this.#typed === '') {
      this.#world.signal.throwIfAborted();
      if (this.#isEnded) throw interrupted();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: keys are control characters
    const sequence = /^\x1b(?:\[[\d;]*[A-Za-z~]|O[A-Z])/.exec(this.#typed)?.[0];
    const key = sequence ?? String.fromCodePoint(this.#typed.codePointAt(0) ?? 0);
    this.#typed = this.#typed.slice(key.length);
    // Ctrl-C and Ctrl-D: in raw mode the terminal does not handle them.
    if (key === ctrlC || key === '\x04') throw interrupted();
    return key;
  }

  readonly #print = (text: string) => this.#world.streams.stderr.write(text);

  readonly #onData = (data: Buffer): void => {
    this.#typed += this.#decoder.write(data);
    // Between questions, nothing else handles it.
    if (!this.#isAsking && this.#typed.includes(ctrlC)) this.#world.interrupt();
    this.#wake();
  };

  readonly #onEnd = (): void => {
    this.#isEnded = true;
    this.#wake();
  };
}

const ctrlC = '\x03';

const interrupted = () => new MarError('interrupted', 'interrupted');

function edited(line: string, key: string): string {
  switch (key) {
    case '\x7f':
    case '\b':
      return [...line].slice(0, -1).join('');
    case '\x15':
      return '';
    case '\x17':
      return line.replace(/\S*\s*$/, '');
    default:
      return /^\p{Cc}/u.test(key) ? line : line + key;
  }
}

function redraw(before: string, after: string): string {
  if (after.startsWith(before)) return sanitise(after.slice(before.length));
  return '\b \b'.repeat(displayWidth(before) - displayWidth(after));
}
