import { randomUUID } from 'node:crypto';
import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server';
import { printJson } from '../json/value.ts';
import { outcome, recordResult } from '../output/result.ts';
import type { Context } from '../session/context.ts';
import { apply, type Plan } from '../writes/index.ts';
import { commandResults, type Program, withCall } from './agentCall.ts';
import { confirmWrite } from './confirmWrite.ts';
import { type CallOutcome, isEmpty, resultOf } from './results.ts';
import { columnsOf, commandOf, type Fields, inputOf, isWrite, type Tool } from './tools.ts';

const tokenMs = 10 * 60 * 1000;

interface Call {
  tool: Tool;
  fields: Fields;
  signal: AbortSignal;
}

/** A write that was shown. It may be carried out once. */
interface ShownWrite {
  /** The call that showed it, which the second call repeats. */
  call: string;
  /** The result of the first call, for a question. */
  shown: string;
  /** The time for dates such as +14d, so that the dates are those that were shown. */
  at: Date;
  /** Undefined for a batch or a file: its preview is made again and compared. */
  plan?: Plan;
  outcome?: string;
}

/** Does the tasks of tools, for one client and one account. */
export class Agent {
  readonly #context: Context;
  readonly #program: Program;
  readonly #shown = new Map<string, ShownWrite>();
  /** One write at a time, because a batch locks its journal for the whole process. */
  lastWrite: Promise<unknown> = Promise.resolve();

  constructor(context: Context, program: Program) {
    this.#context = context;
    this.#program = program;
  }

  async call(
    tool: Tool,
    { token, ...fields }: Fields,
    { mcpReq: { signal, inputResponses } }: ServerContext,
    canAsk: boolean,
  ): Promise<CallToolResult | InputRequiredResult> {
    const call = { tool, fields, signal };
    if (!isWrite(tool, fields)) return this.#resultOf(call, await this.#run(call));
    if (token === undefined) return this.#inTurn(() => this.#show(call));
    const write = this.#shownWrite(`${token}`, callText(call));
    if (canAsk) {
      const question = confirmWrite(write.shown, inputResponses);
      if (typeof question !== 'boolean') return question;
      write.outcome = 'the user declined, and nothing was written';
      if (!question) throw new Error(write.outcome);
    }
    write.outcome = 'it was started, and its outcome is unknown';
    return this.#inTurn(() => this.#write(call, write));
  }

  /** The text of a resource: the guide, the exit codes, the schema of a record. */
  async read(words: readonly string[], signal: AbortSignal): Promise<string> {
    const { data, error } = await this.#describe(words, signal);
    if (error) throw error;
    return typeof data === 'string' ? data : printJson(data ?? null);
  }

  async #describe(words: readonly string[], signal: AbortSignal): Promise<CallOutcome> {
    const [path = '', ...args] = words;
    const program = this.#program;
    return withCall(this.#context, { signal }, async function* (context) {
      if (path === 'schema' || path === 'skill') {
        const input = { arguments: args, options: {}, given: [] };
        const command = await program.command(path);
        yield* commandResults(context, { path, command, input }, program);
      } else yield outcome((await program.describe(words)) as Record<string, unknown>, '');
    });
  }

  async #run(
    { tool, fields, signal }: Call,
    { isPreview = false, now }: { isPreview?: boolean; now?: Date } = {},
  ): Promise<CallOutcome> {
    if (tool.operand === 'topic') return this.#describe(String(fields.topic).split(' '), signal);
    const path = commandOf(tool, fields);
    const command = await this.#program.command(path);
    const input = inputOf(tool, fields, command, isPreview);
    const columns = isPreview ? undefined : columnsOf(tool, fields);
    return withCall(this.#context, { signal, now, columns }, (context) =>
      commandResults(context, { path, command, input }, this.#program),
    );
  }

  #resultOf({ tool }: Call, run: CallOutcome, token?: string): CallToolResult {
    const { redactor } = this.#context.world;
    return resultOf(tool, run, (text) => redactor.clean(text), token);
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.lastWrite.then(work);
    this.lastWrite = done.catch(() => {});
    return done;
  }

  async #show(call: Call): Promise<CallToolResult> {
    const at = this.#context.world.now();
    const run = await this.#run(call, { isPreview: true, now: at });
    const token = randomUUID();
    const result = this.#resultOf(call, run, token);
    if (result.isError || isEmpty(run.data)) return this.#resultOf(call, run);
    const shown = printJson(run.data ?? null);
    this.#shown.set(token, { call: callText(call), shown, at, plan: run.plan });
    return result;
  }

  #shownWrite(token: string, call: string): ShownWrite {
    const write = this.#shown.get(token);
    if (!write) throw refusal('unknown token');
    if (write.outcome) throw new Error(`the token was used before: ${write.outcome}`);
    const age = this.#context.world.now().getTime() - write.at.getTime();
    if (age > tokenMs) throw refusal('the token is older than 10 minutes');
    if (write.call === call) return write;
    throw refusal('the token belongs to another request');
  }

  async #write(call: Call, write: ShownWrite): Promise<CallToolResult> {
    const { plan } = write;
    const run = plan ? await this.#carryOut(call, plan) : await this.#repeat(call, write);
    const { error } = run;
    write.outcome = error ? `it failed: ${JSON.stringify(error.facts)}` : 'it was written';
    return this.#resultOf(call, run);
  }

  /** Sends exactly what was shown. */
  async #carryOut({ tool, fields, signal }: Call, plan: Plan): Promise<CallOutcome> {
    const { view = { columns: [] } } = await this.#program.command(commandOf(tool, fields));
    const columns = columnsOf(tool, fields);
    return withCall(this.#context, { signal, columns }, async function* (context) {
      const applied = await apply(context, plan);
      yield applied.kind === 'sent'
        ? recordResult(applied.record, view, { isWritten: true })
        : outcome({ unchanged: true }, '');
    });
  }

  /** Runs a command that has no plan of one record, if it would still do what was shown. */
  async #repeat(call: Call, write: ShownWrite): Promise<CallOutcome> {
    const { at: now } = write;
    const again = await this.#run(call, { isPreview: true, now });
    if (printJson(again.data ?? null) !== write.shown) {
      write.outcome = 'what it would write has changed, so nothing was written';
      throw refusal(write.outcome);
    }
    return this.#run(call, { now });
  }
}

const callText = ({ tool: { name }, fields }: Call) => JSON.stringify({ name, fields });

const refusal = (reason: string) =>
  new Error(`${reason}. Nothing was sent. Call the tool without a token to see the request again.`);
