import path from 'node:path';
import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server';
import { endpoints } from '../../core/api/endpoints.ts';
import type { Program } from '../../core/commands/command.ts';
import { MarError, orUndefined } from '../../core/errors.ts';
import { makeFolder } from '../../core/files/makeFolder.ts';
import { resolveLinks } from '../../core/files/paths.ts';
import { items, valueAt } from '../../core/json/fields.ts';
import { cleanTexts } from '../../core/json/hideFields.ts';
import { fromPlain, type Json, type JsonObject, printJson } from '../../core/json/value.ts';
import { outcome, recordResult } from '../../core/output/result.ts';
import { differences } from '../../core/records/recordDiff.ts';
import type { Context } from '../../core/session/context.ts';
import { apply } from '../../core/writes/apply.ts';
import type { Plan } from '../../core/writes/plan.ts';
import { type CallOutcome, commandResults, withCall } from './call.ts';
import {
  digestOf,
  hasAgreed,
  questionOf,
  refusal,
  type ShownWrite,
  ShownWrites,
} from './consent.ts';
import { namesBelow, type Places, placed, refuseElsewhere } from './files.ts';
import { previewOf } from './question.ts';
import { factsOf, type Happened, type Report, resultOf, warningWords } from './results.ts';
import tasks from './tasks.json' with { type: 'json' };
import { columnsOf, commandOf, type Fields, inputOf, isWrite, type Tool } from './tools.ts';

/** Rows of a batch that an agent gets without asking for more. */
const defaultRows = 3;

/** The program at the other end, as the log names it, and whether it can ask the person. */
export interface Client {
  agent: string;
  canAsk: boolean;
}

export interface AgentOptions {
  /** The folder for the files of calls. */
  root: string;
  /** Write only where the client can ask the person. */
  mustAsk: boolean;
}

interface Call {
  tool: Tool;
  fields: Fields;
  client: Client;
  request: ServerContext['mcpReq'];
}

/** Does the tasks of tools, for one client and one account. */
export class Agent {
  readonly #context: Context;
  readonly program: Program;
  readonly #options: AgentOptions & Places;
  readonly #clean: (text: string) => string;
  readonly #shown: ShownWrites;
  /** One write at a time, because a batch locks its journal for the whole process. */
  #lastWrite: Promise<unknown> = Promise.resolve();
  #hasLeft = false;
  /** The outcome that no client heard. */
  #unheard?: MarError;

  constructor(context: Context, program: Program, options: AgentOptions) {
    this.#context = context;
    this.#shown = new ShownWrites(() => context.world.now());
    this.program = program;
    // Rows for a test account are not those for the real one.
    const { baseUrl, email } = orUndefined(() => context.session.identity()) ?? {};
    const account = digestOf(`${email} ${baseUrl}`).slice(0, 8);
    const rows = resolveLinks(path.join(context.session.folders.state, 'agent-rows', account));
    this.#options = { ...options, rows };
    const { redactor } = context.world;
    const shortened = namesBelow(this.#options);
    this.#clean = (text) => shortened(redactor.clean(text));
  }

  /** The client is gone. A single request that was sent is finished, and a batch stops after its rows. */
  leave(): void {
    this.#hasLeft = true;
  }

  /** Waits for the last write. Throws if nobody heard its outcome. */
  async finish(): Promise<void> {
    await this.#lastWrite;
    if (this.#unheard) throw this.#unheard;
  }

  async call(
    tool: Tool,
    { token, ...fields }: Fields,
    request: ServerContext['mcpReq'],
    client: Client,
  ): Promise<CallToolResult | InputRequiredResult> {
    const call = { tool, fields, client, request };
    if (!isWrite(tool, fields)) return this.#resultOf(call, await this.#run(call));
    try {
      if (token === undefined) return await this.#inTurn(() => this.#show(call));
      const write = this.#shown.find(`${token}`, digestOf(callText(call)));
      if (client.canAsk && !hasAgreed(write, request)) return questionOf(write);
      write.outcome = 'it was started, and its outcome is unknown';
      write.isUnknown = true;
      return await this.#inTurn(() => this.#write(call, write));
    } catch (error) {
      if (!(error instanceof MarError)) throw error;
      const happened = error.details.outcome === 'unknown' ? 'unknown' : 'nothing';
      return this.#resultOf(call, { error, warnings: [], happened });
    }
  }

  async #run(call: Call, options: { isPreview?: boolean; now?: Date } = {}): Promise<CallOutcome> {
    return this.#runCommand(call, options).catch((error: unknown) => {
      if (error instanceof MarError) return { error, warnings: [] };
      throw error;
    });
  }

  async #runCommand(
    { tool, fields, client, request }: Call,
    { isPreview = false, now }: { isPreview?: boolean; now?: Date },
  ): Promise<CallOutcome> {
    const { signal } = request;
    const { program } = this;
    if (tool.operand === 'topic') {
      return withCall(this.#context, { signal }, async function* () {
        yield outcome(await program.describe(String(fields.topic)), '');
      });
    }
    const words = commandOf(tool, fields);
    const command = await program.command(words);
    const { input, ...more } = inputOf(tool, fields, command, { ...this.#options, isPreview, now });
    const isBatch = input.options.batch !== undefined;
    if (isBatch && more.stdin !== undefined) makeFolder(this.#options.rows);
    const options = {
      ...more,
      signal,
      now,
      columns: isPreview ? undefined : columnsOf(tool, fields),
      agent: client.agent,
      refuseFile: (file: string) => refuseElsewhere(file, this.#options),
    };
    const run = await withCall(this.#context, options, (context) =>
      commandResults(context, { path: words, command, input }, program),
    );
    const orders = items(run.data, 'orders') as Json[];
    const shown = Number(fields.show ?? defaultRows);
    if (orders.length > shown) {
      const first = [...orders.slice(0, shown), `… ${orders.length - shown} more`];
      return { ...run, data: new Map(run.data as JsonObject).set('orders', first) };
    }
    const journal = valueAt(run.data, 'journal');
    if (typeof journal !== 'string' || isPreview || valueAt(run.data, 'results')) return run;
    const status = {
      path: 'batch status',
      command: await program.command('batch status'),
      input: { arguments: [journal], options: {}, given: [] },
    };
    const { data } = await withCall(this.#context, { signal }, (context) =>
      commandResults(context, status, program),
    );
    return { ...run, data: withIds(run.data as JsonObject, items(data, 'results')) };
  }

  #resultOf({ tool }: Call, report: Omit<Report, 'now'>): CallToolResult {
    const { now } = this.#context.world;
    return resultOf(tool, { ...report, now: now() }, this.#clean);
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#lastWrite.then(work);
    this.#lastWrite = done.catch(() => {});
    return done;
  }

  async #show(call: Call): Promise<CallToolResult> {
    const { tool, fields, client } = call;
    const places = this.#options;
    const at = this.#context.world.now();
    const words = commandOf(tool, fields);
    const command = await this.program.command(words);
    const { endpoint, options = [] } = command;
    const canPreview =
      tool.unit !== undefined || options.some(({ flags }) => flags === '--dry-run');
    // Nobody is asked about a file that the call cannot write.
    if (!canPreview) inputOf(tool, fields, command, { ...places, isPreview: true, now: at });
    const run = canPreview
      ? await this.#run(call, { isPreview: true, now: at })
      : { data: fromPlain(fields), warnings: [] };
    const happened = 'nothing';
    if (run.error && run.error.kind !== 'check') return this.#resultOf(call, { ...run, happened });
    const { data = [], plan } = run;
    // The report of files without problems is a report.
    const isNothing = [data].flat().length === 0 && fields.report === undefined;
    if (valueAt(data, 'unchanged') === true || isNothing) {
      const unchanged = fromPlain({ changes: [], unchanged: true });
      return this.#resultOf(call, { ...run, data: unchanged, happened });
    }
    const problems = run.warnings.map((one) => warningWords(one, tool));
    if (run.error) problems.push(run.error.message);
    const { shown, question } = canPreview
      ? await previewOf(this.#context, cleanTexts(data, this.#clean), {
          endpoint: endpoint && endpoints[endpoint],
          file: tool.unit && placed('source', fileOf(fields), places),
          unit: tool.unit,
          rows: Number(fields.show ?? defaultRows),
          warnings: problems.map(this.#clean),
          isAsked: client.canAsk,
        })
      : { shown: data, question: `mar ${words}: ${printJson(data)}?` };
    const canWrite = client.canAsk || !this.#options.mustAsk;
    const digest = digestOf(printJson(data));
    const warnings = run.warnings.map((one) => JSON.stringify(one));
    const write = { call: digestOf(callText(call)), question, at, plan, digest, warnings };
    const token = canWrite ? this.#shown.keep(write) : undefined;
    const headline = canWrite ? tasks.notices.token : tasks.notices.cannotAsk;
    return this.#resultOf(call, { ...run, data: shown, token, headline });
  }

  async #write(call: Call, write: ShownWrite): Promise<CallToolResult> {
    const { tool, fields, client } = call;
    if (this.#hasLeft) throw refusal('the client has left');
    const { plan } = write;
    const run = plan ? await this.#carryOut(call, plan) : await this.#repeat(call, write);
    write.plan = undefined;
    const { error, data } = run;
    const happened = happenedIn(run);
    write.isUnknown = happened === 'unknown';
    const id = valueAt(data, '_id');
    const failure = error && `it failed: ${JSON.stringify(factsOf(error, tool))}`;
    write.outcome =
      failure ??
      `it was ${happened === 'nothing' ? 'as requested already' : 'written'}${id ? ` (${id})` : ''}`;
    if (this.#hasLeft) {
      const message = `standard input was closed during ${tool.name}; ${write.outcome}`;
      const hint = 'The agent does not know this: tell it before it writes again.';
      this.#unheard = new MarError(error?.kind ?? 'interrupted', message, { hint });
    }
    const isUnasked = happened === 'written' && !client.canAsk;
    return this.#resultOf(call, {
      ...run,
      // The agent has seen what is in a file.
      data: tool.unit && !error ? fromPlain({ file: fileOf(fields) }) : data,
      warnings: run.warnings.filter((one) => !write.warnings.includes(JSON.stringify(one))),
      happened,
      note: isUnasked ? tasks.notices.unasked : undefined,
    });
  }

  /** Sends exactly what was shown. */
  async #carryOut({ tool, fields, client, request }: Call, plan: Plan): Promise<CallOutcome> {
    const { view = { columns: [] } } = await this.program.command(commandOf(tool, fields));
    const changed = plan.over && differences(plan.over.record, plan.body);
    const paths = changed?.map((one) => one.path.replace(/\[.*/, ''));
    const columns = columnsOf(paths ? { ...tool, fields: paths } : tool, fields);
    const { agent } = client;
    const call = { signal: request.signal, columns, agent, isFinished: () => this.#hasLeft };
    return withCall(this.#context, call, async function* (context) {
      const applied = await apply(context, plan);
      yield applied.kind === 'sent'
        ? recordResult(applied.record, view, { isWritten: true })
        : outcome({ unchanged: true }, '');
    });
  }

  /** Runs a command that has no plan of one record, if it would still do what was shown. */
  async #repeat(call: Call, write: ShownWrite): Promise<CallOutcome> {
    const { at: now } = write;
    const canPreview = write.digest !== digestOf(printJson(fromPlain(call.fields)));
    const again = canPreview ? await this.#run(call, { isPreview: true, now }) : undefined;
    if (again && digestOf(printJson(again.data ?? [])) !== write.digest) {
      write.outcome = 'what it would write has changed, so nothing was written';
      write.isUnknown = false;
      throw refusal(write.outcome);
    }
    return this.#run(call, { now });
  }
}

/** A batch says how many rows it sent, and an error whether its request arrived. */
function happenedIn({ data, error, hasSentWrite }: CallOutcome): Happened {
  const count = (name: string) => Number(printJson((valueAt(data, name) ?? null) as Json));
  if (hasSentWrite && count('unknown') > 0) return 'unknown';
  if (count('sentNow') > 0) return 'written';
  if (count('failed') + count('conflict') > 0) return 'refused';
  if (valueAt(data, 'unchanged') === true || count('rows') > 0) return 'nothing';
  const tracked = ['added', 'settled', 'removed'].filter((name) => valueAt(data, name));
  if (tracked.length > 0 && tracked.every((name) => items(data, name).length === 0))
    return 'nothing';
  if (!error || error.kind === 'check') return 'written';
  if (error.kind === 'did-not-take') return 'refused';
  const { outcome } = error.facts;
  return outcome === 'not-sent' || !hasSentWrite ? 'nothing' : (outcome ?? 'unknown');
}

/** The counts of a batch, and the ids of its records by their rows. */
function withIds(facts: JsonObject, results: readonly unknown[]): Json {
  const counts = [...facts].filter(([, value]) => printJson(value) !== '[]');
  const ids = results.map((one) => [printJson(valueAt(one, 'row') as Json), valueAt(one, 'id')]);
  return new Map([...counts, ['ids', fromPlain(Object.fromEntries(ids))]]);
}

const fileOf = ({ output, report, source }: Fields) => String(output ?? report ?? source);

const callText = ({ tool: { name }, fields }: Call) => JSON.stringify({ name, fields });
