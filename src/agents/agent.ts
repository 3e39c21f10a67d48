import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Context } from '../session/context.ts';
import { visibleJson } from '../values/sanitise.ts';
import type { CommandOutput } from '../world.ts';
import { isEmptyList, resultOf } from './results.ts';
import { commandLine, flagsOf, type Input, isWrite, type Tool } from './tools.ts';

const tokenMs = 10 * 60 * 1000;
const maxQuestionLength = 2000;

/** A write that was shown. It may be carried out once. */
interface ShownWrite {
  line: string;
  request: string;
  /** The time for dates such as +14d, so that the dates are those that were shown. */
  at: Date;
  outcome?: string;
}

/** Runs the command lines of tools, for one client and one account. */
export class Agent {
  readonly #context: Context;
  readonly #shown = new Map<string, ShownWrite>();
  /** One write at a time, because a batch locks its journal for the whole process. */
  lastWrite: Promise<unknown> = Promise.resolve();

  constructor(context: Context) {
    this.#context = context;
  }

  async call(
    tool: Tool,
    { token, ...input }: Input,
    { mcpReq: { signal, inputResponses } }: ServerContext,
    canAsk: boolean,
  ): Promise<CallToolResult | InputRequiredResult> {
    const line = commandLine(tool, input);
    if (!isWrite(tool, input)) return resultOf(tool, await this.run(line, signal));
    if (token === undefined) return this.#inTurn(() => this.#show(tool, input, signal));
    const write = this.#shownWrite(`${token}`, line);
    if (canAsk) {
      const answer = inputResponse(inputResponses, 'write');
      if (answer.kind !== 'elicit') return question(write);
      write.outcome = 'the user declined, and nothing was written';
      if (answer.action !== 'accept') throw new Error(write.outcome);
    }
    write.outcome = 'it was started, and its outcome is unknown';
    return this.#inTurn(() => this.#write(tool, input, write, signal));
  }

  /** The configuration is read once, so another default profile does not change the account. */
  async run(argv: readonly string[], signal: AbortSignal, now?: Date): Promise<CommandOutput> {
    const { world, flags, session } = this.#context;
    const { baseUrl, caCert, clientCert, clientKey, allowHttp, retries, timeoutMs } = flags;
    const profile = flags.profile || world.env.MAR_PROFILE || session.config.defaultProfile;
    const hasTimeout = argv.some((word) => word.startsWith('--timeout='));
    const timeout = hasTimeout ? undefined : `${timeoutMs}ms`;
    const client = { 'client-cert': clientCert, 'client-key': clientKey };
    const all = { profile, 'base-url': baseUrl, 'ca-cert': caCert, ...client, retries, timeout };
    const given = Object.entries({ ...all, 'allow-http': allowHttp, json: true });
    const line = [...given.flatMap(([flag, value]) => flagsOf(flag, value)), ...argv];
    const output = await world.runCommand(line, signal, now);
    return { ...output, stdout: world.redactor.clean(output.stdout) };
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.lastWrite.then(work);
    this.lastWrite = done.catch(() => {});
    return done;
  }

  async #show(tool: Tool, input: Input, signal: AbortSignal): Promise<CallToolResult> {
    const at = this.#context.world.now();
    const output = await this.run(commandLine(tool, input, true), signal, at);
    const token = randomUUID();
    const result = resultOf(tool, output, token);
    if (result.isError || isEmptyList(output)) return resultOf(tool, output);
    const line = JSON.stringify(commandLine(tool, input));
    this.#shown.set(token, { line, request: output.stdout, at });
    return result;
  }

  #shownWrite(token: string, line: readonly string[]): ShownWrite {
    const write = this.#shown.get(token);
    if (!write) throw refusal('unknown token');
    if (write.outcome) throw new Error(`the token was used before: ${write.outcome}`);
    const age = this.#context.world.now().getTime() - write.at.getTime();
    if (age > tokenMs) throw refusal('the token is older than 10 minutes');
    if (write.line === JSON.stringify(line)) return write;
    throw refusal('the token belongs to another request');
  }

  async #write(
    tool: Tool,
    input: Input,
    write: ShownWrite,
    signal: AbortSignal,
  ): Promise<CallToolResult> {
    const { stdout } = await this.run(commandLine(tool, input, true), signal, write.at);
    if (stdout !== write.request) {
      write.outcome = 'what it would write has changed, so nothing was written';
      throw refusal(write.outcome);
    }
    const output = await this.run(commandLine(tool, input), signal, write.at);
    write.outcome = output.code === 0 ? 'it was written' : `it failed: ${output.stderr}`;
    return resultOf(tool, output);
  }
}

const refusal = (reason: string) =>
  new Error(`${reason}. Nothing was sent. Call the tool without a token to see the request again.`);

/** Asks the person, in clients that can. */
const question = ({ request }: ShownWrite) =>
  inputRequired({
    inputRequests: {
      write: inputRequired.elicit({
        message: `Write this?\n${visibleJson(request).slice(0, maxQuestionLength)}`,
        requestedSchema: { type: 'object', properties: {} },
      }),
    },
  });
