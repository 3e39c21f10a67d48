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

export interface Prompter {
  ask(question: Question): Promise<string>;
  /** A no unless the user types yes. */
  confirm(label: string): Promise<boolean>;
}

/**
 * Asks questions on a terminal. The terminal's own echo stays off between questions too, so that
 * input typed ahead of a hidden question is not shown.
 */
export async function withPrompter<T>(
  { streams, signal, interrupt }: TerminalWorld,
  use: (prompter: Prompter) => Promise<T>,
): Promise<T> {
  const { stdin, stderr } = streams;
  const decoder = new StringDecoder('utf8');
  let typed = '';
  let isEnded = false;
  let isAsking = false;
  let wake = () => {};
  const onData = (data: Buffer) => {
    typed += decoder.write(data);
    // Between questions, nothing else handles it.
    if (!isAsking && typed.includes(ctrlC)) interrupt();
    wake();
  };
  const onEnd = () => {
    isEnded = true;
    wake();
  };

  async function nextKey(): Promise<string> {
    while (typed === '') {
      signal.throwIfAborted();
      if (isEnded) throw interrupted();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: keys are control characters
    const sequence = /^\x1b(?:\[[\d;]*[A-Za-z~]|O[A-Z])/.exec(typed)?.[0];
    const key = sequence ?? String.fromCodePoint(typed.codePointAt(0) ?? 0);
    typed = typed.slice(key.length);
    // Ctrl-C and Ctrl-D: in raw mode the terminal does not handle them.
    if (key === ctrlC || key === '\x04') throw interrupted();
    return key;
  }

  async function readLine({ isHidden, shownIf }: Omit<Question, 'label'>): Promise<string> {
    const shown = (text: string) => (isHidden || shownIf?.test(text) === false ? '' : text);
    let line = '';
    for (;;) {
      const key = await nextKey();
      if (key === '\r' || key === '\n') return line;
      const next = edited(line, key);
      await stderr.write(redraw(shown(line), shown(next)));
      line = next;
    }
  }

  async function ask({ label, fallback, ...question }: Question): Promise<string> {
    const suggestion = fallback === undefined ? '' : ` [${sanitise(fallback)}]`;
    isAsking = true;
    await stderr.write(`${label}${suggestion}: `);
    try {
      const line = await readLine(question);
      return line === '' ? (fallback ?? '') : line;
    } finally {
      isAsking = false;
      await stderr.write('\r\n');
    }
  }

  async function confirm(label: string): Promise<boolean> {
    const reply = await ask({ label: `${label} (y/N)`, shownIf: /^(?:y|ye|yes|n|no)$/i });
    return /^\s*y(?:es)?\s*$/i.test(reply);
  }

  stdin.setRawMode?.(true);
  stdin.on('data', onData).on('end', onEnd).on('error', onEnd);
  // An earlier prompter has unreferenced it, so the process would end during the question.
  stdin.ref?.();
  stdin.resume();
  signal.addEventListener('abort', onEnd);
  try {
    return await use({ ask, confirm });
  } finally {
    stdin.off('data', onData).off('end', onEnd).off('error', onEnd);
    signal.removeEventListener('abort', onEnd);
    stdin.setRawMode?.(false);
    stdin.pause();
    // A paused terminal still keeps the process alive.
    stdin.unref?.();
  }
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
