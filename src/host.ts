import { exitCodes, MarError } from './core/errors.ts';
import {
  Output,
  type Streams,
  type TerminalReadable,
  type TerminalWritable,
} from './core/output/streams.ts';

/** `SIGHUP` says that the terminal was closed. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
type Signal = StopSignal | 'SIGUSR1';

/** In the one-file program, the second of `argv` is `argv0`, not the script that Node runs. */
type ProcessFacts = 'env' | 'platform' | 'execPath' | 'argv' | 'argv0' | 'version' | 'pid';

export interface Host extends Readonly<Pick<NodeJS.Process, ProcessFacts>> {
  readonly stdin: TerminalReadable;
  readonly stdout: TerminalWritable;
  readonly stderr: TerminalWritable;
  /** Windows has none. */
  getuid?(): number;
  on(signal: Signal, listener: () => void): unknown;
  off(signal: Signal, listener: () => void): unknown;
  exit(code: number): never;
}

export function openStreams(host: Host, signal: AbortSignal) {
  let opened: TerminalReadable | undefined;
  const named = host.env.COLUMNS ?? '';
  const columns = /^[1-9]\d{0,3}$/.test(named) ? Number(named) : undefined;
  const streams: Streams = {
    get stdin() {
      if (opened) return opened;
      const { stdin } = host;
      opened = stdin;
      // A pending read fails with the interruption; without one, this error must not end the process.
      stdin.on('error', () => {});
      const close = () => {
        // The process may be killed before Node resets the terminal.
        stdin.setRawMode?.(false);
        stdin.destroy(signal.reason);
      };
      signal.addEventListener('abort', close, { once: true });
      return stdin;
    },
    stdout: new Output('standard output', () => host.stdout, signal, columns),
    stderr: new Output('standard error', () => host.stderr, undefined, columns),
  };
  return { streams, closeInput: () => opened?.destroy() };
}

/** The first signal aborts the command; a second one ends the process. */
export function catchSignals(host: Host, interruption: AbortController) {
  let isIgnoring = false;
  const stop = (kind: 'interrupted' | 'terminated') => () => {
    if (isIgnoring && kind === 'interrupted') return;
    if (interruption.signal.aborted) host.exit(exitCodes[kind].code);
    const message = kind === 'terminated' ? 'stopped by a signal' : 'stopped by Ctrl-C';
    interruption.abort(new MarError(kind, message));
  };
  const interrupt = stop('interrupted');
  const terminate = stop('terminated');
  // It may come twice, from the system and from the shell, so a second one does not end the process.
  const hangUp = () => {
    if (!interruption.signal.aborted) terminate();
  };
  // Without a listener, Node opens a debugger.
  const ignore = () => {};
  const listeners = { SIGINT: interrupt, SIGTERM: terminate, SIGHUP: hangUp, SIGUSR1: ignore };
  const each = (action: 'on' | 'off') => {
    for (const [name, listener] of Object.entries(listeners)) {
      host[action](name as Signal, listener);
    }
  };
  const listen = () => each('on');
  const release = () => each('off');
  listen();
  return {
    release,
    interrupt,
    /** Removes the listeners, which busy JavaScript would block, so that a signal ends the process. */
    interruptible<T>(work: () => T): T {
      release();
      try {
        return work();
      } finally {
        listen();
      }
    },
    async ignoringInterrupts<T>(action: () => Promise<T>): Promise<T> {
      isIgnoring = true;
      try {
        return await action();
      } finally {
        isIgnoring = false;
      }
    },
  };
}
