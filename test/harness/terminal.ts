import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { program } from './program.ts';

export type Terminal = ReturnType<typeof openTerminal>;

interface Options {
  width?: number;
  height?: number;
  /** A shell other than `sh`. The test must define `mar` in it. */
  shell?: readonly string[];
}

/** A real terminal (tmux) with a shell, where `mar` is the built program. */
export function openTerminal(
  env: NodeJS.ProcessEnv,
  { width = 100, height = 50, shell }: Options = {},
) {
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
  /** Presses keys, including `Enter` and `C-c`. */
  const press = (...keys: string[]) => void tmux('send-keys', ...keys);
  /** Types text and Enter. */
  const type = (text: string) => {
    press('-l', text);
    press('Enter');
  };
  /** Runs a command line and returns the screen after it, without earlier output. */
  const run = (line: string) => {
    const done = randomUUID();
    type(`clear; ${line}; tmux -L ${socket} wait-for -S ${done}`);
    tmux('wait-for', done);
    return screen();
  };
  run(shell ? 'true' : mar);
  return {
    press,
    type,
    screen,
    run,
    /** Inserts text at once, like a mouse. */
    paste: (text: string) => {
      tmux('set-buffer', text);
      tmux('paste-buffer');
    },
    /** Waits until the screen contains a text, and returns the screen. */
    async until(part: string | RegExp) {
      const deadline = Date.now() + 180_000;
      for (;;) {
        const seen = screen();
        if (typeof part === 'string' ? seen.includes(part) : part.test(seen)) return seen;
        if (Date.now() > deadline) throw new Error(`no "${part}" on the screen:\n${seen}`);
        // Polling, because tmux has no event for a changed screen.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    /** Copies every byte that the terminal gets from now on to a file. */
    record: (file: string) => void tmux('pipe-pane', `cat >> ${file}`),
    /** Removes all earlier output from the screen. */
    clear: () => void run('true'),
  };
}
