import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { withoutTokens } from '../values/environment.ts';
import { displayWidth } from '../values/width.ts';
import { ClosedPipe, type TerminalWorld } from './streams.ts';

interface PagerOptions extends TerminalWorld {
  /** The setting `pager`, which wins over PAGER. */
  setting?: string;
  onMissing(command: string): void;
}

const defaultPager = 'less -FRX';

/** Undefined if nothing is to be paged. */
function pagerCommand({ setting, env, platform }: PagerOptions): string | undefined {
  // Windows has no pager that shows colours.
  const command = (setting ?? env.PAGER ?? (platform === 'win32' ? '' : defaultPager)).trim();
  const isDisabled =
    command === '' || command === 'off' || command === 'cat' || env.TERM === 'dumb';
  return isDisabled ? undefined : command;
}

/**
 * Holds standard output back until it is longer than the screen. Then a pager shows it, and meanwhile
 * standard error is held back. Returns a function that prints the rest, and waits for the user to
 * leave the pager.
 */
export function startPager(options: PagerOptions): (() => Promise<void>) | undefined {
  const { stdout, stderr } = options.streams;
  const { rows = 0 } = stdout.terminal;
  const command = pagerCommand(options);
  if (!command || rows < 1) return undefined;
  const held: (string | Uint8Array)[] = [];
  const heldErrors: (string | Uint8Array)[] = [];
  let height = 0;
  let pager: ReturnType<typeof openPager> | undefined;

  stdout.redirect = async (text) => {
    if (pager) return pager.write(text);
    held.push(text);
    height += heightOf(text, stdout.columns, rows);
    if (height < rows) return;
    await stdout.beforeWrite?.();
    stderr.redirect = async (error) => void heldErrors.push(error);
    pager = openPager(command, options);
    for (const part of held.splice(0)) await pager.write(part);
  };

  return async () => {
    await pager?.end();
    stdout.redirect = undefined;
    // Without a pager, everything was held back.
    for (const part of held.splice(0)) await stdout.write(part);
    stderr.redirect = undefined;
    for (const part of heldErrors) await stderr.write(part);
  };
}

/** The rows of the screen that a text takes; `max` for one that is clearly longer. */
function heightOf(text: string | Uint8Array, columns: number, max: number): number {
  const shown = typeof text === 'string' ? text : Buffer.from(text).toString();
  const lines = shown.split('\n', max + 1);
  if (lines.length > max) return max;
  return lines.slice(0, -1).reduce((sum, line) => {
    if (line.length > 20 * columns * max) return max;
    const width = displayWidth(stripVTControlCharacters(line));
    return sum + Math.max(1, Math.ceil(width / columns));
  }, 0);
}

function openPager(command: string, options: PagerOptions) {
  const { platform, signal } = options;
  // Pagers then show colours; less says which keys to press, and writes no file if somebody types ahead. The user's
  // own variables win, as in git.
  const env = {
    LESSSECURE: '1',
    LESS: 'FRXPs?eEnd:Space\\: next page., q\\: quit',
    LV: '-c',
    ...withoutTokens(options.env),
  };
  const stdio: StdioOptions = ['pipe', 'inherit', 'inherit'];
  const child: ChildProcess =
    platform === 'win32'
      ? spawn(command, { shell: true, stdio, env })
      : spawn('/bin/sh', ['-c', scriptFor(command)], { stdio, env });
  const exit = new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(notFound));
    child.on('exit', resolve);
  });
  // The writer gets the error; without a listener it would also end the process.
  child.stdin?.on('error', () => {});
  signal.addEventListener('abort', () => child.kill(), { once: true });
  // Ctrl-C is meant for the pager: it stops a search.
  void options.ignoringInterrupts(() => exit);
  return {
    write: (text: string | Uint8Array) =>
      new Promise<void>((resolve, reject) => {
        // A user who leaves the pager early has seen enough.
        child.stdin?.write(text, (error) => (error ? reject(new ClosedPipe()) : resolve()));
      }),
    async end(): Promise<void> {
      child.stdin?.end();
      const code = await exit;
      if (code === notFound) options.onMissing(command);
    },
  };
}

/** The exit code of a shell for a command that does not exist. */
const notFound = 127;

/** Without the pager, the output is printed as it is. The shell must survive a Ctrl-C. */
const scriptFor = (command: string) =>
  command === defaultPager
    ? `trap : INT; if command -v less >/dev/null; then ${command}; else cat; fi`
    : `trap : INT; ${command}; code=$?; [ $code -eq ${notFound} ] && cat; exit $code`;
