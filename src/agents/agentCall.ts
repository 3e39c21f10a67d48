import { Readable, Writable } from 'node:stream';
import { hideSecrets, mayHoldSecret } from '../api/secrets.ts';
import { afterAbort, asMarError, MarError } from '../errors.ts';
import { checkInput, type Declaration, hasIdsToRead, type Input } from '../input.ts';
import { parseRecord, type ServiceRecord } from '../json/serviceRecord.ts';
import { fromPlain, type Json, type JsonObject } from '../json/value.ts';
import { Printer } from '../output/printer.ts';
import { Reporter } from '../output/reporter.ts';
import type { Result, Results } from '../output/result.ts';
import { Output } from '../output/streams.ts';
import { createStyle } from '../output/style.ts';
import type { View } from '../output/view.ts';
import { paintStatus } from '../records/status.ts';
import type { Context } from '../session/context.ts';
import { Session } from '../session/session.ts';
import type { Plan } from '../writes/index.ts';
import type { CallOutcome } from './results.ts';

/** What the program needs of a command to run it. */
export interface RunnableCommand extends Declaration {
  view?: View;
  /** Checks of a new record besides those of its names and values. `plan apply` repeats them. */
  check?(context: Context, input: Input, record: JsonObject): Promise<void>;
  /** Yields results; a promise if there is none. The server for agents runs the program's other commands. */
  run(context: Context, input: Input, program: Program): Promise<void> | Results;
}

/** The commands and help pages of the program, which the server cannot import: it is one of them. */
export interface Program {
  command(words: string): Promise<RunnableCommand>;
  /** Help as data, for a command or a topic. */
  describe(words: readonly string[]): Promise<object>;
}

/** Keeps warnings for the result of a call. All else is for people, and goes nowhere. */
class AgentReporter extends Reporter {
  override warn(code: string, message: string): void {
    if (this.isFirst(message)) this.warnings.push({ code, message });
  }
}

interface CallOptions {
  signal: AbortSignal;
  /** The time for dates such as +14d. */
  now?: Date;
  columns?: readonly string[];
}

/** Yields the results of a command, after the checks of a command line. */
export async function* commandResults(
  context: Context,
  { path, command, input }: { path: string; command: RunnableCommand; input: Input },
  program: Program,
): Results {
  checkInput(command, input, path);
  const plain = hasIdsToRead(command, input)
    ? await (await import('../reads/ids.ts')).readIds(context, { path, command, input })
    : input;
  const results = command.run(context, plain, program);
  if (Symbol.asyncIterator in results) yield* results;
  else await results;
}

/** A context of its own, without a terminal. Its session is to be closed. */
export function quietContext(server: Context, { signal, now, columns }: CallOptions): Context {
  const world = { ...server.world, signal, streams: noStreams(signal) };
  const quiet = { quiet: true, input: false, color: false, pager: false, hasJsonErrors: true };
  const flags = { ...server.flags, ...quiet, columns, format: 'json' as const };
  const reporter = new AgentReporter(world, flags, () => false);
  return { world, flags, session: sessionAt(now, { world, flags, reporter }), reporter };
}

/** A session in which dates such as +14d mean what they meant at that time. */
export const sessionAt = (
  now: Date | undefined,
  { world, flags, reporter }: Omit<Context, 'session'>,
): Session => new Session(now ? { ...world, now: () => now } : world, flags, reporter);

/** Runs work with a context of its own, without a terminal, and returns its results as data. */
export async function withCall(
  server: Context,
  { signal: cancelled, ...options }: CallOptions,
  work: (context: Context) => Results,
): Promise<CallOutcome> {
  const { env } = server.world;
  // Another process may choose another default meanwhile. What the environment names, it cannot change.
  const isByEnvironment = Boolean(env.MAR_BASE_URL || env.MAR_EMAIL);
  const usual = isByEnvironment ? undefined : server.session.config.defaultProfile;
  const profile = server.flags.profile || env.MAR_PROFILE || usual;
  const call = new AbortController();
  const cancel = () => call.abort(new MarError('interrupted', 'the call was cancelled'));
  if (cancelled.aborted) cancel();
  else cancelled.addEventListener('abort', cancel, { once: true });
  const signal = AbortSignal.any([server.world.signal, call.signal]);
  const flags = { ...server.flags, profile };
  const world = { ...server.world, agent: 'an agent' };
  const context = quietContext({ ...server, world, flags }, { ...options, signal });
  const data: Json[] = [];
  const outcome: CallOutcome = { warnings: [] };
  try {
    for await (const result of work(context)) {
      if (result.onlyFor === 'people') continue;
      data.push(await dataOf(context, result));
      if (result.kind === 'record' && result.plan) outcome.plan = result.plan as Plan;
    }
  } catch (error) {
    outcome.error = asMarError(afterAbort(signal, error));
  } finally {
    context.session.close();
  }
  outcome.warnings = context.reporter.warnings.map(({ message }) => message);
  if (data.length > 0) outcome.data = data.length === 1 ? data[0] : data;
  return outcome;
}

function noStreams(signal: AbortSignal) {
  const ignored = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  return {
    stdin: Readable.from([]),
    stdout: new Output('standard output', ignored, signal),
    stderr: new Output('standard error', ignored),
  };
}

/** A result without secrets, with the fields that were requested. */
async function dataOf({ world, flags, session, reporter }: Context, result: Result): Promise<Json> {
  if (result.kind === 'text') {
    // Only text for people depends on a screen.
    return typeof result.text === 'function' ? '' : result.text.toString();
  }
  if (result.kind === 'outcome') {
    const { facts } = result;
    return fromPlain(typeof facts === 'function' ? facts() : facts);
  }
  const records: ServiceRecord[] = [];
  const printer = new Printer({
    ...flags,
    ...session.clock,
    format: 'json',
    stdout: world.streams.stdout,
    style: createStyle(false),
    secrets: result.isOwn ? undefined : { mayHoldSecret, hideSecrets },
    paintStatus,
    warn: (code, message) => reporter.warn(code, message),
    interruptible: world.interruptible,
    collect: (record) => records.push(record),
  });
  const pages = result.kind === 'list' ? result.pages : [[result.record]];
  await printer.list(pages, result.view, result);
  const trees = records.map(({ text }) => parseRecord(text));
  return result.kind === 'list' ? trees : (trees[0] ?? null);
}
