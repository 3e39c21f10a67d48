import { repetitionOf } from '../../api/endpoints.ts';
import { hideSecrets } from '../../api/secrets.ts';
import { usageError } from '../../errors.ts';
import { checkOutputPath } from '../../files/paths.ts';
import { isSecretHeader } from '../../http/redact.ts';
import { type Input, stringOption } from '../../input.ts';
import { valueAt } from '../../json/fields.ts';
import type { ServiceRecord } from '../../json/serviceRecord.ts';
import { isObject, isSame, type Json, type JsonObject } from '../../json/value.ts';
import type { Reporter } from '../../output/reporter.ts';
import { outcome, type Results } from '../../output/result.ts';
import { commandResults, type Program, type RunnableCommand } from '../../quietRun.ts';
import { keyOfRecord } from '../../rows/rowKey.ts';
import type { Context } from '../../session/context.ts';
import { commandLine } from '../../values/commandLine.ts';
import type { Plan } from '../../writes/index.ts';
import { type PlanFile, refuseReplacing, writePlan } from './planFile.ts';

export interface CommandCall {
  path: string;
  command: RunnableCommand;
  input: Input;
}

/** Runs a command with `--plan`: writes what it would send to a file. */
export async function* makePlan(context: Context, call: CommandCall, program: Program): Results {
  const { session, reporter, world } = context;
  const file = stringOption(call.input, 'plan') ?? '';
  const read = ['file', 'base', 'batch'].flatMap((name) => stringOption(call.input, name) ?? []);
  checkOutputPath('--plan', file, read);
  refuseReplacing(file);
  const made = world.now().toISOString();
  const input = withoutPlan(call.input);
  const found = await preview(context, { ...call, input }, program);
  const [line] = found.lines;
  if (line) refuseUnrepeatable(input, line);
  const { baseUrl, email } = session.identity();
  const content = {
    made,
    service: baseUrl.href,
    account: email,
    command: call.path,
    source: stringOption(input, 'batch') ?? stringOption(input, 'file'),
    input,
    warnings: warningsIn(reporter),
    ...found,
  };
  const digest = await writePlan(file, content);
  const show = commandLine`mar plan show ${file}`;
  yield outcome(
    { file, digest, requests: found.plan ? 1 : found.lines.length },
    `Nothing was sent. The plan is in ${file}. To look at it, run: ${show}`,
  );
}

/** Whoever applies the plan is asked again. */
function withoutPlan({ arguments: words, options, given }: Input): Input {
  const { plan, yes, ...kept } = options;
  return { arguments: words, options: kept, given: given.filter(({ name }) => name !== 'plan') };
}

/** A batch and `mar api` run again when the plan is applied. */
function refuseUnrepeatable({ options, given }: Input, line: JsonObject): void {
  const facts = { flag: '--plan' };
  const reads = [options.file, options.batch, ...given.map(({ value }) => value.split('=@')[1])];
  if (reads.includes('-')) {
    const message = 'this plan cannot come from standard input, which is read again to apply it';
    throw usageError(message, 'Nothing was sent. Put the input into a file.', facts);
  }
  const headers = given.filter(({ name }) => name === 'header').map(({ value }) => value);
  const secret = headers.find((text) => isSecretHeader(text.split(':')[0] ?? ''));
  if (secret !== undefined) {
    const message = `a plan cannot hold the header ${secret.split(':')[0]}`;
    throw usageError(message, 'Nothing was sent. Leave out --plan.', facts);
  }
  const method = valueAt(line, 'request.method');
  if (typeof method === 'string' && repetitionOf({ method }) === 'safe') {
    throw usageError(`a ${method} request writes nothing, so there is nothing to plan`, facts);
  }
}

/** Plans what a command would write, and sends nothing. */
export async function preview(
  context: Context,
  { path, command, input }: CommandCall,
  program: Program,
): Promise<Pick<PlanFile, 'plan' | 'lines'>> {
  const dryRun = { ...input, options: { ...input.options, dryRun: true } };
  // A hidden password would be planned as the text [redacted].
  const open = { ...context, flags: { ...context.flags, showSecrets: true } };
  const lines: JsonObject[] = [];
  const add = (line: JsonObject) => {
    lines.push(line);
    if (lines.length <= maxBodies) return;
    // Dropped as they come, because a batch may have 100,000 rows.
    for (const one of lines.length === maxBodies + 1 ? lines : [line]) one.delete('body');
  };
  let plan: Plan | undefined;
  for await (const result of commandResults(open, { path, command, input: dryRun }, program)) {
    if (result.onlyFor === 'people') continue;
    if (result.kind === 'record' && result.plan) plan = result.plan as Plan;
    else if (result.kind === 'record') add(lineOf(result.record));
    else if (result.kind === 'list') {
      for await (const page of result.pages) for (const one of page) add(lineOf(one));
    } else if (!valueAt(result, 'facts.unchanged'))
      throw usageError('there is nothing to plan: the command would not write', nothingPlanned);
  }
  refuseSecrets(plan?.body);
  refuseSecrets(plan?.over?.record);
  return { plan, lines };
}

/** A plan for more rows has only their digests. */
const maxBodies = 1000;

const nothingPlanned = 'No plan was written. Leave out --plan.';

/** A field that changes, wherever its row is; a request of `mar api`; a row of a batch, with a digest of its request. */
function lineOf({ tree }: ServiceRecord): JsonObject {
  const line = tree as JsonObject;
  const [row, request] = [line.get('row'), line.get('request')];
  if (!isObject(request)) {
    line.delete('row');
    return line;
  }
  refuseSecrets(request.get('body'));
  const headers = request.get('headers');
  if (row === undefined) {
    // They depend on who sends it.
    if (isObject(headers)) for (const name of ['User-Agent', 'Authorization']) headers.delete(name);
    return line;
  }
  request.delete('headers');
  return new Map<string, Json>([
    ['row', row],
    ['digest', keyOfRecord(request)],
    ['body', request.get('body') ?? null],
  ]);
}

function refuseSecrets(body: Json | undefined): void {
  if (body === undefined || isSame(body, hideSecrets(body))) return;
  throw usageError('a plan cannot hold a password', `Nothing was sent. ${nothingPlanned}`, {
    flag: '--plan',
  });
}

/** About this machine, the service, or how a date was read, which the lines show. */
const otherWarnings = ['token-readable', 'schema-mismatch', 'no-ledger', 'date'];

export const warningsIn = ({ warnings }: Reporter): Reporter['warnings'] =>
  warnings.filter(({ code }) => !otherWarnings.includes(code));
