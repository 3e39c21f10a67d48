import { Readable, Writable } from 'node:stream';
import { hideSecrets, mayHoldSecret } from '../api/secrets.ts';
import { afterAbort, asMarError, MarError } from '../errors.ts';
import { checkInput, type Declaration, hasIdsToRead, type Input } from '../input.ts';
import { parseRecord, type ServiceRecord } from '../json/serviceRecord.ts';
import { fromPlain, type Json } from '../json/value.ts';
import { Printer } from '../output/printer.ts';
import type { Result, Results, TextResult } from '../output/result.ts';
import { Output } from '../output/streams.ts';
import { createStyle } from '../output/style.ts';
import { paintStatus } from '../records/status.ts';
import type { Context } from '../session/context.ts';
import { Session } from '../session/session.ts';
import { AgentReporter } from './agentReporter.ts';
import type { CallOutcome } from './results.ts';

/** A command as an agent needs it. */
export interface AgentCommand<Program> extends Declaration {
  run(context: Context, input: Input, program: Program): Promise<void> | Results;
}

interface CallOptions {
  signal: AbortSignal;
  /** The time for dates such as +14d. */
  now?: Date;
  columns?: readonly string[];
}

export interface RunOutcome extends CallOutcome {
  /** The write that the command would do, after a preview. */
  plan?: unknown;
}

/** Yields the results of a command, after the checks of a command line. */
export async function* commandResults<Program>(
  context: Context,
  { path, command, input }: { path: string; command: AgentCommand<Program>; input: Input },
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
): Promise<RunOutcome> {
  const { env } = server.world;
  const profile = server.flags.profile || env.MAR_PROFILE || server.session.config.defaultProfile;
  const call = new AbortController();
  const cancel = () => call.abort(new MarError('interrupted', 'the call was cancelled'));
  if (cancelled.aborted) cancel();
  else cancelled.addEventListener('abort', cancel, { once: true });
  const signal = AbortSignal.any([server.world.signal, call.signal]);
  const clock = now ? { now: () => now } : {};
  const world = { ...server.world, ...clock, signal, streams: noStreams(signal) };
  const quiet = { quiet: true, input: false, color: false, pager: false, hasJsonErrors: true };
  const flags = { ...server.flags, ...quiet, profile, columns, format: 'json' as const };
  const reporter = new AgentReporter(world, flags, () => false);
  const session = new Session(world, flags, reporter);
  const context = { world, flags, session, reporter };
  const data: Json[] = [];
  const outcome: RunOutcome = { warnings: reporter.warnings };
  try {
    for await (const result of work(context)) {
      if (result.onlyFor === 'people') continue;
      data.push(await dataOf(context, result));
      if (result.kind === 'record' && result.plan) outcome.plan = result.plan;
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

function textOf({ text }: TextResult): string {
  // Only text for people depends on a screen.
  return typeof text === 'function' ? '' : text.toString();
}

/** A result without secrets, with the fields that were requested. */
async function dataOf({ world, flags, session, reporter }: Context, result: Result): Promise<Json> {
  if (result.kind === 'text') return textOf(result);
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
  if (result.kind === 'list') await printer.list(result.pages, result.view, result);
  else await printer.record(result.record, result.view, result);
  const trees = records.map(({ text }) => parseRecord(text));
  return result.kind === 'list' ? trees : (trees[0] ?? null);
}
