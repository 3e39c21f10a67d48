import { usageError } from '../../errors.ts';
import { checkOutputPath } from '../../files/paths.ts';
import { isRead } from '../../http/message.ts';
import { isSecretHeader } from '../../http/redact.ts';
import { type Input, stringOption } from '../../input.ts';
import { valueAt } from '../../json/fields.ts';
import type { JsonObject } from '../../json/value.ts';
import { outcome, type Results } from '../../output/result.ts';
import type { Program } from '../../quietRun.ts';
import type { Context } from '../../session/context.ts';
import { commandLine } from '../../values/commandLine.ts';
import { refuseReplacing, writePlan } from './planFile.ts';
import { type CommandCall, preview, warningsIn } from './preview.ts';

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
  if (typeof method === 'string' && isRead(method)) {
    throw usageError(`a ${method} request writes nothing, so there is nothing to plan`, facts);
  }
}
