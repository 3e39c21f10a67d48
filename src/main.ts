import { Context, type World } from './context.ts';
import { type ErrorKind, MarError } from './errors.ts';
import type { Page } from './help.ts';
import { parse } from './program.ts';
import { colourOn } from './terminal/colour.ts';
import { sanitise, sanitiseLines } from './terminal/sanitise.ts';
import {
  ClosedPipe,
  Output,
  type Streams,
  type TerminalReadable,
  type TerminalWritable,
} from './terminal/streams.ts';
import { createStyle, type Style } from './terminal/style.ts';
import { version } from './version.ts';

/** What `main` needs of the process that it runs in. */
export interface Host {
  readonly stdin: TerminalReadable;
  readonly stdout: TerminalWritable;
  readonly stderr: TerminalWritable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): never;
}

/** The contract with scripts: what each kind of failure exits with. */
const exitCodes: Record<ErrorKind, number> = {
  service: 1,
  usage: 2,
  refused: 3,
  auth: 4,
  'not-found': 5,
  changed: 6,
  network: 7,
  batch: 8,
  'wait-timeout': 9,
  'credential-store': 10,
  interrupted: 130,
  terminated: 143,
};

/** Runs a command line to its end and says what to exit with. Everything is written by then. */
export async function main(argv: readonly string[], host: Host): Promise<number> {
  const interruption = new AbortController();
  const streams = openStreams(host, interruption.signal);
  const release = catchSignals(host, interruption);
  try {
    await run(argv, host, streams, interruption.signal);
    return interruption.signal.aborted ? exitCodeOf(interruption.signal.reason) : 0;
  } catch (error) {
    if (error instanceof ClosedPipe) return 0;
    const cause = interruption.signal.aborted ? interruption.signal.reason : error;
    await report(cause, argv, host, streams.stderr).catch(() => {});
    return exitCodeOf(cause);
  } finally {
    release();
  }
}

async function run(
  argv: readonly string[],
  host: Host,
  streams: Streams,
  signal: AbortSignal,
): Promise<void> {
  const asked = await parse(argv);
  if (asked.kind === 'version') return streams.stdout.write(`${version}\n`);
  if (asked.kind === 'help') return showHelp(asked, host, streams);

  const world: World = {
    streams,
    env: host.env,
    platform: host.platform,
    now: () => new Date(),
    signal,
  };
  const context = new Context(world, asked.flags);
  try {
    await asked.command.run(context, asked.input);
  } finally {
    context.close();
  }
}

async function showHelp(
  { page, color }: { page: Page; color: boolean },
  host: Host,
  { stdout }: Streams,
): Promise<void> {
  const { renderHelp } = await import('./help.ts');
  const style = styleFor(host, stdout, color);
  await stdout.write(renderHelp(page, stdout.columns, style));
}

function styleFor(host: Host, output: Output, color: boolean): Style {
  return createStyle(color && colourOn(host.env, output.isTerminal));
}

function openStreams(host: Host, signal: AbortSignal): Streams {
  return {
    get stdin() {
      const { stdin } = host;
      // Who waits for input is told of the interruption.
      signal.addEventListener('abort', () => stdin.destroy(signal.reason), { once: true });
      return stdin;
    },
    stdout: new Output('standard output', () => host.stdout),
    stderr: new Output('standard error', () => host.stderr),
  };
}

/** The first signal ends the work at hand; a second one ends the process. */
function catchSignals(host: Host, interruption: AbortController): () => void {
  const stop = (kind: 'interrupted' | 'terminated') => () => {
    if (interruption.signal.aborted) host.exit(exitCodes[kind]);
    interruption.abort(new MarError(kind, kind));
  };
  const interrupt = stop('interrupted');
  const terminate = stop('terminated');
  host.on('SIGINT', interrupt);
  host.on('SIGTERM', terminate);
  return () => {
    host.off('SIGINT', interrupt);
    host.off('SIGTERM', terminate);
  };
}

const exitCodeOf = (error: unknown) =>
  exitCodes[error instanceof MarError ? error.kind : 'service'];

/** Says on standard error what failed: in words, or as one line of JSON when JSON was asked for. */
async function report(
  error: unknown,
  argv: readonly string[],
  host: Host,
  stderr: Output,
): Promise<void> {
  const known = error instanceof MarError ? error : bug(error);
  const { kind, message, details } = known;
  if (wantsJson(argv)) {
    const facts = { kind, exitCode: exitCodeOf(known), message, ...details };
    await stderr.write(`${JSON.stringify({ error: facts })}\n`);
  } else if (kind !== 'interrupted' && kind !== 'terminated') {
    const style = styleFor(host, stderr, !argv.includes('--no-color'));
    const [first = '', ...rest] = sanitiseLines(message);
    const lines = [`${style.red('error:')} ${first}`, ...rest.map((line) => `  ${line}`)];
    if (details.hint) lines.push(...sanitiseLines(details.hint).map((line) => `  ${line}`));
    if (details.requestId) lines.push(style.dim(`  request id: ${sanitise(details.requestId)}`));
    await stderr.write(`${lines.join('\n')}\n`);
  }
  if (host.env.MAR_DEBUG) await stderr.write(`${error instanceof Error ? error.stack : error}\n`);
}

function bug(error: unknown): MarError {
  const reason = error instanceof Error ? error.message : String(error);
  return new MarError('service', `mar failed unexpectedly: ${reason}`, {
    hint: 'this is a bug in mar: please report it, with what MAR_DEBUG=1 adds to this message',
    cause: error,
  });
}

/** Read off the raw arguments, since a command line that cannot be parsed is an error as well. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some((argument, index) => {
    if (argument === '--json' || argument === '--jsonl') return true;
    const value = /^(?:--output=|-o=?)(.+)$/.exec(argument)?.[1];
    const after = argument === '--output' || argument === '-o' ? argv[index + 1] : undefined;
    return /^jsonl?$/.test(value ?? after ?? '');
  });
}
