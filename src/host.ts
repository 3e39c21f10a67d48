import { MarError } from './errors.ts';
import {
  Output,
  type Streams,
  type TerminalReadable,
  type TerminalWritable,
} from './terminal/streams.ts';

/** What `main` needs of the process that it runs in. */
export interface Host {
  readonly stdin: TerminalReadable;
  readonly stdout: TerminalWritable;
  readonly stderr: TerminalWritable;
  readonly env: Record<string, string | undefined>;
  readonly platform: NodeJS.Platform;
  readonly execPath: string;
  /** Node's. */
  readonly version: string;
  readonly pid: number;
  /** With signal 0: whether there is such a process. */
  kill(pid: number, signal: 0): unknown;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): never;
}

export function openStreams(host: Host, signal: AbortSignal) {
  let opened: TerminalReadable | undefined;
  const streams: Streams = {
    get stdin() {
      if (opened) return opened;
      const { stdin } = host;
      opened = stdin;
      // Who waits for input is told of the interruption; where nobody does, it ends nothing.
      stdin.on('error', () => {});
      signal.addEventListener('abort', () => stdin.destroy(signal.reason), { once: true });
      return stdin;
    },
    stdout: new Output('standard output', () => host.stdout, signal),
    stderr: new Output('standard error', () => host.stderr),
  };
  return {
    streams,
    /** Whoever still writes to standard input is not waited for. */
    closeInput: () => opened?.destroy(),
  };
}

/**
 * Nothing can end the look-up of a name, and a process ends no sooner. On Linux it takes ten seconds
 * where no name server answers, five before it asks again: more than a short request has.
 */
export function limitLookUps({ env }: Host, timeoutMs: number): void {
  // A little longer than the request, which is to fail first: that is how it was asked to end.
  const seconds = Math.floor(timeoutMs / 1000) + 1;
  if (seconds < 5) env.RES_OPTIONS ??= `timeout:${seconds} attempts:1`;
}

/** The first signal ends the work at hand; a second one ends the process. */
export function catchSignals(
  host: Host,
  interruption: AbortController,
  exitCodes: Readonly<Record<'interrupted' | 'terminated', number>>,
) {
  let isIgnoring = false;
  const stop = (kind: 'interrupted' | 'terminated') => () => {
    if (isIgnoring && kind === 'interrupted') return;
    if (interruption.signal.aborted) host.exit(exitCodes[kind]);
    interruption.abort(new MarError(kind, kind));
  };
  const interrupt = stop('interrupted');
  const terminate = stop('terminated');
  const listen = () => {
    host.on('SIGINT', interrupt);
    host.on('SIGTERM', terminate);
  };
  const release = () => {
    host.off('SIGINT', interrupt);
    host.off('SIGTERM', terminate);
  };
  listen();
  return {
    release,
    /** Listeners are not heard while JavaScript is busy; without them, a signal ends the process. */
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
