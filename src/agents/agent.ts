import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { endpoints, findResource } from '../api/endpoints.ts';
import { MarError } from '../errors.ts';
import { makeFolder } from '../files/makeFolder.ts';
import { items, valueAt } from '../json/fields.ts';
import { fromPlain, isObject, type Json, type JsonObject, printJson } from '../json/value.ts';
import { outcome, recordResult } from '../output/result.ts';
import { differences } from '../records/recordDiff.ts';
import type { Context } from '../session/context.ts';
import { apply, type Plan } from '../writes/index.ts';
import { commandResults, type Program, withCall } from './agentCall.ts';
import { previewOf } from './preview.ts';
import { type CallOutcome, factsOf, type Report, resultOf } from './results.ts';
import tasks from './tasks.json' with { type: 'json' };
import { columnsOf, commandOf, type Fields, inputOf, isWrite, type Tool } from './tools.ts';

const tokenMs = 10 * 60 * 1000;
/** Characters of all plans that wait for their token, which take a few MB. */
const maxKept = 2_000_000;
const maxTokens = 500;

/** The program at the other end. */
export interface Client {
  name: string;
  /** It can ask the person. */
  canAsk: boolean;
}

interface Call {
  tool: Tool;
  fields: Fields;
  client: Client;
  request: ServerContext['mcpReq'];
}

/** A write that was shown. It may be carried out once. */
interface ShownWrite {
  /** A digest of the call that showed it, which the second call repeats. */
  call: string;
  question: string;
  /** The time for dates such as +14d, so that the dates are those that were shown. */
  at: Date;
  /** Undefined for a batch or a file: its preview is made again, and has to have this digest. */
  plan?: Plan;
  digest: string;
  outcome?: string;
}

/** Does the tasks of tools, for one client and one account. */
export class Agent {
  readonly #context: Context;
  readonly #program: Program;
  readonly #places: { root: string; rows: string };
  readonly #mustAsk: boolean;
  readonly #shown = new Map<string, ShownWrite>();
  /** One write at a time, because a batch locks its journal for the whole process. */
  #lastWrite: Promise<unknown> = Promise.resolve();
  #hasLeft = false;
  /** The outcome that no client heard. */
  #unheard?: MarError;

  constructor(context: Context, program: Program, options: { root: string; mustAsk: boolean }) {
    this.#context = context;
    this.#program = program;
    this.#mustAsk = options.mustAsk;
    this.#places = { ...options, rows: path.join(context.session.folders.state, 'agent-rows') };
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
    if (token === undefined) return this.#inTurn(() => this.#show(call));
    const write = this.#shownWrite(`${token}`, digestOf(callText(call)));
    if (client.canAsk) {
      const answer = inputResponse(request.inputResponses, 'write');
      if (answer.kind !== 'elicit') return questionOf(write.question);
      write.outcome = 'the user declined, and nothing was written';
      if (answer.action !== 'accept') throw new Error(write.outcome);
    }
    write.outcome = 'it was started, and its outcome is unknown';
    return this.#inTurn(() => this.#write(call, write));
  }

  /** The text of a resource: the guide, the exit codes, the schema of a record. */
  async read(words: readonly string[], signal: AbortSignal): Promise<string> {
    const { data, error } = await this.#describe(words, { signal });
    if (error) throw error;
    return typeof data === 'string' ? data : printJson(data ?? null);
  }

  async #describe(
    words: readonly string[],
    options: { signal: AbortSignal; format?: 'tsv' },
  ): Promise<CallOutcome> {
    const [name = '', ...args] = words;
    if (name === 'schema' || name === 'skill') return this.#command(name, args, options);
    const document = (await this.#program.describe(words)) as Record<string, unknown>;
    return { data: fromPlain(document), warnings: [] };
  }

  /** Runs a command that only reads on this machine. */
  async #command(name: string, args: string[], options: { signal: AbortSignal; format?: 'tsv' }) {
    const command = await this.#program.command(name);
    const input = { arguments: args, options: {}, given: [] };
    return withCall(this.#context, options, (context) =>
      commandResults(context, { path: name, command, input }, this.#program),
    );
  }

  /** The fields of a record as lines, or help without the exit codes, which are a topic of their own. */
  async #topic(topic: string, signal: AbortSignal): Promise<CallOutcome> {
    const words = topic.replace(/^schema /, '').split(' ');
    const isRecord = words.length === 1 && findResource(topic.replace(/^schema /, ''));
    if (!isRecord) {
      const run = await this.#describe(words, { signal });
      if (words.length > 1 && isObject(run.data)) run.data.delete('exitCodes');
      return run;
    }
    const run = await this.#describe(['schema', ...words], { signal, format: 'tsv' });
    const lines = [run.data ?? []]
      .flat()
      .map((one) => [...(one as JsonObject).values()].join(' | '));
    return { ...run, data: lines };
  }

  async #run(
    { tool, fields, client, request }: Call,
    { isPreview = false, now }: { isPreview?: boolean; now?: Date } = {},
  ): Promise<CallOutcome> {
    const { signal, _meta, notify } = request;
    if (tool.operand === 'topic') return this.#topic(String(fields.topic), signal);
    const words = commandOf(tool, fields);
    const command = await this.#program.command(words);
    const { input, ...more } = inputOf(tool, fields, command, { ...this.#places, isPreview });
    const isBatch = input.options.batch !== undefined;
    if (isBatch && more.stdin !== undefined) makeFolder(this.#places.rows);
    const { progressToken } = _meta ?? {};
    let progress = 0;
    const onProgress = (message: string) => {
      progress += 1;
      const params = { progressToken, progress, message };
      void notify({ method: 'notifications/progress', params }).catch(() => {});
    };
    const options = {
      ...more,
      signal,
      now,
      columns: isPreview ? undefined : columnsOf(tool, fields),
      agent: `agent ${client.name}`,
      onProgress: progressToken === undefined ? undefined : onProgress,
    };
    const run = await withCall(this.#context, options, (context) =>
      commandResults(context, { path: words, command, input }, this.#program),
    );
    const journal = valueAt(run.data, 'journal');
    if (typeof journal !== 'string' || isPreview) return run;
    const { data } = await this.#command('batch status', [journal], { signal });
    return { ...run, data: withIds(run.data as JsonObject, items(data, 'results')) };
  }

  #resultOf({ tool }: Call, report: Omit<Report, 'now'>): CallToolResult {
    const { redactor, now } = this.#context.world;
    return resultOf(tool, { ...report, now: now() }, (text) => redactor.clean(text));
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#lastWrite.then(work);
    this.#lastWrite = done.catch(() => {});
    return done;
  }

  async #show(call: Call): Promise<CallToolResult> {
    const { tool, fields, client } = call;
    const at = this.#context.world.now();
    const words = commandOf(tool, fields);
    const { endpoint, options = [] } = await this.#program.command(words);
    const canPreview = tool.writeFlags ?? options.some(({ flags }) => flags === '--dry-run');
    const run = canPreview
      ? await this.#run(call, { isPreview: true, now: at })
      : { data: fromPlain(fields), warnings: [] };
    if (run.error && run.error.kind !== 'check') return this.#resultOf(call, run);
    const { data = [], plan } = run;
    const isUnchanged = valueAt(data, 'unchanged') === true;
    if (isUnchanged || (Array.isArray(data) && data.length === 0)) {
      return this.#resultOf(call, { ...run, data: fromPlain({ changes: [], unchanged: true }) });
    }
    const { shown, question } = canPreview
      ? previewOf(data, {
          endpoint: endpoint && endpoints[endpoint],
          file: tool.writeFlags && String(fields.output ?? fields.source),
          rows: Number(fields.show ?? 3),
          session: this.#context.session,
        })
      : { shown: data, question: `${words}: ${printJson(data)}?` };
    if (this.#mustAsk && !client.canAsk) {
      const { cannotAsk } = tasks.notices;
      return this.#resultOf(call, { ...run, data: shown, headline: cannotAsk });
    }
    const token = randomUUID();
    const digest = digestOf(printJson(data));
    this.#keep(token, { call: digestOf(callText(call)), question, at, plan, digest });
    return this.#resultOf(call, { ...run, data: shown, token, headline: tasks.notices.token });
  }

  /** Forgets what is too old, and the oldest plans if all of them are too long. */
  #keep(token: string, write: ShownWrite): void {
    this.#shown.set(token, write);
    const now = this.#context.world.now().getTime();
    let kept = 0;
    let count = 0;
    for (const [name, { at, plan }] of [...this.#shown].reverse()) {
      const records = plan ? [plan.body, plan.over?.record ?? null] : [];
      kept += records.reduce((sum: number, one) => sum + printJson(one).length, 0);
      count += 1;
      const isOver = kept > maxKept || count > maxTokens || now - at.getTime() > tokenMs;
      if (isOver && name !== token) this.#shown.delete(name);
    }
  }

  #shownWrite(token: string, call: string): ShownWrite {
    const write = this.#shown.get(token);
    if (!write) throw refusal('unknown token, or one that is no longer kept');
    if (write.outcome) throw new Error(`the token was used before: ${write.outcome}`);
    const age = this.#context.world.now().getTime() - write.at.getTime();
    if (age > tokenMs) throw refusal('the token is older than 10 minutes');
    if (write.call === call) return write;
    throw refusal('the token belongs to another request');
  }

  async #write(call: Call, write: ShownWrite): Promise<CallToolResult> {
    const { tool, client } = call;
    if (this.#hasLeft) throw refusal('the client has left');
    const { plan } = write;
    const run = plan ? await this.#carryOut(call, plan) : await this.#repeat(call, write);
    write.plan = undefined;
    const { error, data } = run;
    const id = valueAt(data, '_id');
    write.outcome = error
      ? `it failed: ${JSON.stringify(factsOf(error, tool))}`
      : `it was written${id ? ` (${id})` : ''}`;
    if (this.#hasLeft) {
      const message = `standard input was closed during ${tool.name}; ${write.outcome}`;
      const hint = 'The agent does not know this: tell it before it writes again.';
      this.#unheard = new MarError(error?.kind ?? 'interrupted', message, { hint });
    }
    return this.#resultOf(call, {
      ...run,
      note: client.canAsk ? undefined : tasks.notices.unasked,
    });
  }

  /** Sends exactly what was shown. */
  async #carryOut({ tool, fields, client, request }: Call, plan: Plan): Promise<CallOutcome> {
    const { view = { columns: [] } } = await this.#program.command(commandOf(tool, fields));
    const changed = plan.over && differences(plan.over.record, plan.body);
    const paths = changed?.map((one) => one.path.replace(/\[.*/, ''));
    const columns = columnsOf(paths ? { ...tool, fields: paths } : tool, fields);
    const isFinished = () => this.#hasLeft;
    const options = { signal: request.signal, columns, isFinished, agent: `agent ${client.name}` };
    return withCall(this.#context, options, async function* (context) {
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
      throw refusal(write.outcome);
    }
    return this.#run(call, { now });
  }
}

/** The counts of a batch, and the ids of its records by their rows. */
function withIds(facts: JsonObject, results: readonly unknown[]): Json {
  const counts = [...facts].filter(([, value]) => printJson(value) !== '[]');
  const ids = results.map((one) => [printJson(valueAt(one, 'row') as Json), valueAt(one, 'id')]);
  return new Map([...counts, ['ids', fromPlain(Object.fromEntries(ids))]]);
}

const questionOf = (message: string) =>
  inputRequired({
    inputRequests: {
      write: inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: {} } }),
    },
  });

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

const callText = ({ tool: { name }, fields }: Call) => JSON.stringify({ name, fields });

const refusal = (reason: string) =>
  new Error(`${reason}. Nothing was sent. Call the tool without a token to see the request again.`);
