import { hideSecrets } from '../../api/secrets.ts';
import { usageError } from '../../errors.ts';
import type { Input } from '../../input.ts';
import { valueAt } from '../../json/fields.ts';
import type { ServiceRecord } from '../../json/serviceRecord.ts';
import { isObject, isSame, type Json, type JsonObject } from '../../json/value.ts';
import type { Reporter } from '../../output/reporter.ts';
import { commandResults, type Program, type RunnableCommand } from '../../quietRun.ts';
import { keyOfRecord } from '../../rows/rowKey.ts';
import type { Context } from '../../session/context.ts';
import type { Plan } from '../../writes/index.ts';
import type { PlanFile } from './planFile.ts';

export interface CommandCall {
  path: string;
  command: RunnableCommand;
  input: Input;
}

/** What a command would write. Sends nothing. */
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
