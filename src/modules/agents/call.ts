import { Readable, Writable } from 'node:stream';
import { hideSecrets, mayHoldSecret } from '../../core/api/secretFields.ts';
import type { Command, Program } from '../../core/commands/command.ts';
import {
  afterAbort,
  asMarError,
  type Hint,
  type Hints,
  hintList,
  MarError,
} from '../../core/errors.ts';
import { hasIdsToRead, type Input } from '../../core/input.ts';
import { textAt } from '../../core/json/fields.ts';
import { parseRecord, type ServiceRecord } from '../../core/json/serviceRecord.ts';
import { fromPlain, type Json, type JsonObject } from '../../core/json/value.ts';
import { writingToFile } from '../../core/output/outputFile.ts';
import { makePrinter } from '../../core/output/printer.ts';
import { makeResultPrinter } from '../../core/output/printResults.ts';
import { Reporter } from '../../core/output/reporter.ts';
import {
  type Canvas,
  outcome as outcomeResult,
  type Result,
  type Results,
} from '../../core/output/result.ts';
import { Output, type Streams } from '../../core/output/streams.ts';
import { createStyle } from '../../core/output/style.ts';
import { timeWords } from '../../core/records/lateness.ts';
import type { Context } from '../../core/session/context.ts';
import { Session } from '../../core/session/session.ts';
import type { Plan } from '../../core/writes/plan.ts';

/** Keeps warnings for the result of a call. All else is for people, and goes nowhere. */
class AgentReporter extends Reporter {
  readonly warnings: Hint[][] = [];

  override warn(_code: string, message: Hints): void {
    if (this.isFirst(message)) this.warnings.push(hintList(message));
  }
}

/** The end of a call: what its command returned, and what it reported. */
export interface CallOutcome {
  /** Undefined if the command returned nothing. */
  data?: Json;
  error?: MarError;
  warnings: readonly (readonly Hint[])[];
  hasSentWrite?: boolean;
  /** The write that the command would do, after a preview. */
  plan?: Plan;
}

export interface AgentCall {
  signal: AbortSignal;
  /** The time for dates such as +14d. */
  now?: Date;
  columns?: readonly string[];
  /** Standard input of the command: rows, or the text of subtitles. */
  stdin?: string;
  /** For the log: the name of the agent. */
  agent?: string;
  refuseFile?(file: string): void;
  /** Gets the results as a workbook. */
  outputFile?: string;
  /** The records to take from a list, if no command shows them by id. */
  ids?: readonly string[];
  /** True if a cancelled call is finished all the same. */
  isFinished?(): boolean;
}

/** Yields the results of a command, after the checks of a command line. */
export async function* commandResults(
  context: Context,
  { path, command, input }: { path: string; command: Command; input: Input },
  program: Program,
): Results {
  await program.check(path, input);
  const plain = hasIdsToRead(command, input)
    ? await (await import('../../core/reads/ids.ts')).readIds(context, { path, command, input })
    : input;
  yield* command.run(context, plain, program);
}

/** Runs work with a context of its own, without a terminal, and returns its results as data. */
export async function withCall(
  server: Context,
  call: AgentCall,
  work: (context: Context) => Results,
): Promise<CallOutcome> {
  const { signal: cancelled, now, columns, stdin, agent, refuseFile, outputFile, ids } = call;
  const { env } = server.world;
  // Another process may choose another default meanwhile. What the environment names, it cannot change.
  const isByEnvironment = Boolean(env.MAR_BASE_URL || env.MAR_EMAIL);
  const usual = isByEnvironment ? undefined : server.session.config.defaultProfile;
  const profile = server.flags.profile || env.MAR_PROFILE || usual;
  const stop = new AbortController();
  const cancel = () => {
    if (!call.isFinished?.()) stop.abort(new MarError('interrupted', 'the call was cancelled'));
  };
  if (cancelled.aborted) cancel();
  else cancelled.addEventListener('abort', cancel, { once: true });
  const signal = AbortSignal.any([server.world.signal, stop.signal]);
  const streams = noStreams(signal, stdin);
  const world = { ...server.world, agent, refuseFile, signal, streams };
  const quiet = { quiet: true, input: false, color: false, pager: false, hasJsonErrors: true };
  const format = outputFile === undefined ? ('json' as const) : ('xlsx' as const);
  const flags = { ...server.flags, ...quiet, profile, columns, format, outputFile };
  const reporter = new AgentReporter(world, flags, () => false);
  // Dates such as +14d mean what they meant at `now`.
  const session = new Session(now ? { ...world, now: () => now } : world, flags, reporter);
  const context = { world, flags, session, reporter };
  const data: Json[] = [];
  const outcome: CallOutcome = { warnings: [] };
  try {
    const results = work(context);
    for await (const result of outputFile ? workbook(context, outputFile, results) : results) {
      if (result.onlyFor === 'people') continue;
      data.push(await dataOf(context, result, ids));
      if (result.kind === 'record' && result.plan) outcome.plan = result.plan as Plan;
    }
  } catch (error) {
    outcome.error = asMarError(afterAbort(signal, error));
  } finally {
    session.close();
  }
  outcome.warnings = reporter.warnings;
  outcome.hasSentWrite = session.hasSentWrite;
  if (data.length > 0) outcome.data = data.length === 1 ? data[0] : data;
  return outcome;
}

/** Writes results to a file, as the command line does with -O. */
async function* workbook(context: Context, file: string, results: Results): Results {
  const { session } = context;
  const printer = makeResultPrinter({
    ...context,
    settings: () => session.settings,
    pagerHint: { text: '' },
    printerOptions: () => ({
      ...context.flags,
      ...session.clock,
      secrets: { mayHoldSecret, hideSecrets },
      paintStatus: (text) => text,
      userName: (id) => session.userName(id),
    }),
  });
  await writingToFile(context, { file }, () => printer.printAll(results));
  yield outcomeResult({ file }, '');
}

function noStreams(signal: AbortSignal, stdin = ''): Streams {
  const ignored = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  return {
    stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]),
    stdout: new Output('standard output', ignored, signal),
    stderr: new Output('standard error', ignored),
  };
}

/** A result without secrets, with the fields that were requested. A chat has no clock: times are in words too. */
async function dataOf(context: Context, result: Result, ids?: readonly string[]): Promise<Json> {
  const { world, flags, session, reporter } = context;
  const style = createStyle(false);
  if (result.kind === 'text') {
    const canvas = { isTerminal: false, columns: 80, rows: 24, style } as Canvas;
    return String(typeof result.text === 'function' ? result.text(canvas) : result.text);
  }
  if (result.kind === 'outcome') {
    const { facts } = result;
    return fromPlain(typeof facts === 'function' ? facts() : facts);
  }
  const records: JsonObject[] = [];
  const wholes: ServiceRecord[] = [];
  const printer = makePrinter({
    ...flags,
    ...session.clock,
    format: 'json',
    stdout: world.streams.stdout,
    style,
    secrets: result.isOwn ? undefined : { mayHoldSecret, hideSecrets },
    paintStatus: (text) => text,
    warn: (code, message) => reporter.warn(code, message),
    collect: ({ text }) => records.push(parseRecord(text) as JsonObject),
  });
  const all = result.kind === 'list' ? result.pages : [[result.record]];
  async function* pages(): AsyncGenerator<ServiceRecord[]> {
    for await (const page of all) {
      const wanted = page.filter(({ value }) => !ids || ids.includes(textAt(value, '_id')));
      wholes.push(...wanted);
      yield wanted;
      if (wholes.length === ids?.length) return;
    }
    const missing = ids?.filter((id) => !wholes.some(({ value }) => textAt(value, '_id') === id));
    if (missing) throw new MarError('not-found', `not found: ${missing.join(', ')}`);
  }
  await printer.list(pages(), result.view, result);
  for (const [at, record] of records.entries()) {
    const times = result.isOwn ? '' : timeWords(wholes[at]?.value, session.clock);
    if (times) record.set('time', times);
  }
  return result.kind === 'list' ? records : (records[0] ?? null);
}
