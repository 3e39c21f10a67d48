import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { program } from './program.ts';

/** A real terminal (tmux) with a shell, where `mar` is the built program. */
export interface Terminal {
  /** Presses keys, including `Enter` and `C-c`. */
  press(...keys: string[]): void;
  /** Types text and Enter. */
  type(text: string): void;
  /** Inserts text at once, like a mouse. */
  paste(text: string): void;
  resize(width: number, height: number): void;
  screen(): string;
  isCursorShown(): boolean;
  /** Removes all earlier output from the screen. */
  clear(): void;
  /** Waits until the screen contains a text, and returns the screen. */
  until(part: string | RegExp): Promise<string>;
  /** Copies every byte that the terminal gets from now on to a file. */
  record(file: string): void;
  /** Runs a command line and returns the screen after it. */
  run(line: string): string;
}

interface Options {
  width?: number;
  height?: number;
  /** A shell other than `sh`. The test must define `mar` in it. */
  shell?: readonly string[];
}

export function openTerminal(
  env: NodeJS.ProcessEnv,
  { width = 100, height = 50, shell }: Options = {},
): Terminal {
  const socket = `mar-${randomUUID()}`;
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { env, encoding: 'utf8' });
  const mar = `mar() { ${program.join(' ')} "$@"; }`;
  const size = ['-x', String(width), '-y', String(height)];
  tmux('new-session', '-d', ...size, ...(shell ?? ['env', 'PS1=$ ', 'sh']));
  onTestFinished(() => {
    tmux('kill-server');
  });

  const screen = () => {
    const rows = tmux('capture-pane', '-p').split('\n');
    return rows
      .map((row) => row.trimEnd())
      .join('\n')
      .trimEnd();
  };
  const terminal: Terminal = {
    press: (...keys) => tmux('send-keys', ...keys),
    type: (text) => {
      tmux('send-keys', '-l', text);
      tmux('send-keys', 'Enter');
    },
    paste: (text) => {
      tmux('set-buffer', text);
      tmux('paste-buffer');
    },
    resize: (width, height) => tmux('resize-window', '-x', String(width), '-y', String(height)),
    screen,
    isCursorShown: () => tmux('display-message', '-p', '#{cursor_flag}').trim() === '1',
    async until(part) {
      const deadline = Date.now() + 60_000;
      for (;;) {
        const seen = screen();
        if (typeof part === 'string' ? seen.includes(part) : part.test(seen)) return seen;
        if (Date.now() > deadline) throw new Error(`no "${part}" on the screen:\n${seen}`);
        // Polling, because tmux has no event for a changed screen.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    record: (file) => {
      tmux('pipe-pane', `cat >> ${file}`);
    },
    clear: () => {
      terminal.run('true');
    },
    run(line) {
      const done = randomUUID();
      terminal.type(`clear; ${line}; tmux -L ${socket} wait-for -S ${done}`);
      tmux('wait-for', done);
      return screen();
    },
  };
  terminal.run(shell ? 'true' : mar);
  return terminal;
}
