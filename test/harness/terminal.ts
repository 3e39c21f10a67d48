import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { program } from './program.ts';

/** A real terminal with a shell in it, run by tmux, in which `mar` is the built program. */
export interface Terminal {
  /** Types keys as they are; `Enter` and `C-c` are keys as well. */
  press(...keys: string[]): void;
  /** Types text and Enter. */
  type(text: string): void;
  /** Puts text in at once, as a mouse does. */
  paste(text: string): void;
  screen(): string;
  /** Makes sure that the screen holds nothing any more of what was before. */
  clear(): void;
  /** Waits until the screen holds something. */
  until(part: string): Promise<string>;
  /** Types a command line and gives back what it leaves on the screen. */
  run(line: string): string;
}

interface Options {
  width?: number;
  height?: number;
  /** Another shell than `sh`; what `mar` is there, is for the test to say. */
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
    screen,
    async until(part) {
      const deadline = Date.now() + 15_000;
      while (!screen().includes(part)) {
        if (Date.now() > deadline) throw new Error(`no "${part}" on the screen:\n${screen()}`);
        // A terminal tells nobody that it has changed.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return screen();
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
