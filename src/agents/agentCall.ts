import { Readable, Writable } from 'node:stream';
import { hideSecrets, mayHoldSecret } from '../api/secrets.ts';
import { afterAbort, asMarError, MarError } from '../errors.ts';
import { checkInput, type Declaration, hasIdsToRead, type Input } from '../input.ts';
import { parseRecord, type ServiceRecord } from '../json/serviceRecord.ts';
import { fromPlain, type Json } from '../json/value.ts';
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

interface AgentCommand extends Declaration {
  view?: View;
  run(context: Context, input: Input, program: Program): Promise<void> | Results;
}

/** The commands and help pages of the program, which the server cannot import: it is one of them. */
export interface Program {
  command(words: string): Promise<AgentCommand>;
  /** Help as data, for a command or a topic. */
  describe(words: readonly string[]): Promise<object>;
}

/** Keeps warnings for the result of a call. All else is for people, and goes nowhere. */
class AgentReporter extends Reporter {
  readonly warnings: string[] = [];

  override warn(_code: string, message: string): void {
    if (this.isFirst(message)) this.warnings.push(message);
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
  { path, command, input }: { path: string; command: AgentCommand; input: Input },
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

/** Runs work with a context of its own, without a terminal, and returns its results as data. */
export async function withCall(
  server: Context,
  { signal: cancelled, now, columns }: CallOptions,
  work: (context: Context) => Results,
): Promise<CallOutcome> {
  const { env } = server.world;
  const profile = server.flags.profile || env.MAR_PROFILE || server.session.config.defaultProfile;
  const call = new AbortController();
  const cancel = () => call.abort(new MarError('interrupted', 'the call was cancelled'));
  if (cancelled.aborted) cancel();
  else cancelled.addEventListener('abort', cancel, { once: true });
  const signal = AbortSignal.any([server.world.signal, call.signal]);
  const clock = now ? { now: () => now } : {};
  const world = {
    ...server.world,
    ...clock,
    agent: 'an agent',
    signal,
    streams: noStreams(signal),
  };
  const quiet = { quiet: true, input: false, color: false, pager: false, hasJsonErrors: true };
  const flags = { ...server.flags, ...quiet, profile, columns, format: 'json' as const };
  const reporter = new AgentReporter(world, flags, () => false);
  const session = new Session(world, flags, reporter);
  const context = { world, flags, session, reporter };
  const data: Json[] = [];
  const outcome: CallOutcome = { warnings: reporter.warnings };
  try {
    for await (const result of work(context)) {
      if (result.onlyFor === 'people') continue;
      data.push(await dataOf(context, result));
      if (result.kind === 'record' && result.plan) outcome.plan = result.plan as Plan;
    }
  } catch (error) {
    outcome.error = asMarError(afterAbort(signal, error));
  } finally {
    session.close();
  }
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
