import { type Endpoint, endpoints } from '../../api/endpoints.ts';
import { MarError, usageError } from '../../errors.ts';
import { type Input, longName } from '../../input.ts';
import { isSame, type JsonObject } from '../../json/value.ts';
import { recordResult } from '../../output/result.ts';
import { commandResults, type Program, quietContext, sessionAt } from '../../quietRun.ts';
import { differences } from '../../records/recordDiff.ts';
import type { Context } from '../../session/context.ts';
import { formatDate } from '../../values/time.ts';
import {
  apply,
  confirm,
  conflictError,
  dryRunOption,
  needsConfirmation,
  newPlanHint,
  type Plan,
  planLabels,
  readVersion,
  refuseChangedSincePlan,
  refuseDoubtfulValues,
  yesOption,
} from '../../writes/index.ts';
import type { Command } from '../command.ts';
import { type CommandCall, preview, warningsIn } from './make.ts';
import {
  applicationOf,
  cancelApplying,
  endApplying,
  type PlanFile,
  readPlan,
  startApplying,
} from './planFile.ts';
import { lineName, planArgument, planLines } from './show.ts';

const maxAgeDays = 7;

export const command: Command = {
  summary: 'Send exactly what a plan says, once',
  details:
    'Checks everything again first. If a record, the rows or the warnings are not as they were, if the plan is more than a week old, was edited, was applied or is for another service, nothing is sent. Another person may apply it, with their own login. A batch runs as usual, with its journal, from the folder in which it was planned; if it was interrupted, apply the plan again.',
  arguments: [planArgument],
  options: [{ ...dryRunOption, summary: 'check the plan and send nothing' }, yesOption],
  examples: {
    'Look at a plan, then send it': 'mar plan apply plan.json',
    'Send an approved plan in CI': 'mar plan apply plan.json --yes',
  },
  async *run(context, input, program) {
    const { session, reporter, world, flags } = context;
    const [file = ''] = input.arguments;
    const read = readPlan(file);
    const { content, digest } = read;
    if (!content.plan && content.lines.length === 0) {
      return reporter.reportOnce('The plan has nothing to send.');
    }
    const started = refuseApplied(file, read);
    refuseOtherTimeAndPlace(context, content);
    const call = await callOf(content, program);
    const plan = await verified(context, content, call, program, started !== undefined);

    const { email } = session.identity();
    const mustConfirm = needsConfirmation(context, input);
    if (mustConfirm || !flags.quiet) {
      const { isTerminal, columns } = world.streams.stderr;
      const screen = { style: reporter.style, isTerminal, columns };
      await reporter.printLines(planLines(context, file, read, screen));
    }
    if (reporter.isForPrograms)
      content.warnings.map(({ code, message }) => reporter.warn(code, message));
    if (input.options.dryRun) {
      return reporter.reportOnce(`Nothing was sent. ${file} can be applied.`);
    }
    if (mustConfirm) await confirm(context);

    const application = { digest, at: world.now().toISOString(), account: email };
    if (!started) await startApplying(file, application);
    const isConfirmed = mustConfirm || input.options.yes === true;
    const options = { ...content.input.options, ...(isConfirmed && { yes: true }) };
    const checkPlanned = rowChecker(content.lines);
    const again = { ...call, input: { ...content.input, options, checkPlanned } };
    const planned = { ...context, session: sessionAt(new Date(content.made), context) };
    try {
      if (!plan) yield* commandResults(planned, again, program);
      else {
        const applied = await apply(context, plan);
        const { view = { columns: [] } } = call.command;
        if (applied.kind === 'sent') yield recordResult(applied.record, view, { isWritten: true });
      }
    } catch (error) {
      if (!started && isUnwritten(error, content)) cancelApplying(file);
      throw error;
    } finally {
      planned.session.close();
    }
    if (!plan) await endApplying(file, application);
  },
};

const isBatch = ({ lines }: PlanFile) => lines.some((line) => !line.has('request'));

/** The error of a batch may be that of its last row. */
function isUnwritten(error: unknown, content: PlanFile): boolean {
  const { kind, outcome } = error instanceof MarError ? error.facts : {};
  if (isBatch(content)) return kind === 'usage' || kind === 'changed';
  return outcome === 'not-sent' || outcome === 'refused';
}

/** A batch that was interrupted is resumed. Returns how it was started. */
function refuseApplied(file: string, { content, digest }: ReturnType<typeof readPlan>) {
  const earlier = applicationOf(file, digest);
  if (!earlier || (isBatch(content) && !earlier.isDone)) return earlier;
  const when = `${formatDate(new Date(earlier.at))}, by ${earlier.account}`;
  throw usageError(`${file} was applied before: ${when}`, newPlanHint, { value: file });
}

function refuseOtherTimeAndPlace({ session, world, reporter }: Context, plan: PlanFile): void {
  const { baseUrl, email } = session.identity();
  if (plan.service !== baseUrl.href) {
    const hint = 'Nothing was sent. Choose the profile of the plan with --profile.';
    throw usageError(`the plan is for ${plan.service}, but you are at ${baseUrl.href}`, hint);
  }
  const age = world.now().getTime() - new Date(plan.made).getTime();
  // An invalid date is no age.
  if (!(age <= maxAgeDays * 24 * 60 * 60 * 1000)) {
    const message = `the plan is more than ${maxAgeDays} days old (${plan.made})`;
    throw usageError(message, newPlanHint);
  }
  if (plan.account !== email) {
    reporter.reportOnce(`The plan was made by ${plan.account}. It is applied as ${email}.`);
  }
}

/** A plan can only send what its command could have planned. */
async function callOf({ command: path, input, plan }: PlanFile, program: Program) {
  const found = await program.command(path);
  const canPlan = found.options?.some(({ flags }) => longName(flags) === '--plan');
  const { endpoint = 'assetPut' } = found;
  if (canPlan && (!plan || plan.endpoint === endpoint)) return { path, command: found, input };
  throw usageError(`a plan cannot run mar ${path}`, newPlanHint);
}

/**
 * Throws if the plan would not be made like this now. If it is resumed, some rows are done. Returns the
 * plan of one record, over its newest version.
 */
async function verified(
  server: Context,
  content: PlanFile,
  call: CommandCall,
  program: Program,
  isResumed: boolean,
): Promise<Plan | undefined> {
  const { signal } = server.world;
  const now = content.plan ? undefined : new Date(content.made);
  const quiet = quietContext(server, { signal, now });
  const { hasJsonErrors } = server.flags;
  const context = { ...quiet, flags: { ...quiet.flags, hasJsonErrors } };
  try {
    let fresh: Plan | undefined;
    if (content.plan) fresh = await verifiedWrite(context, content.plan, call);
    else refuseOtherLines(content.lines, (await preview(context, call, program)).lines, isResumed);
    const known = content.warnings.map(({ message }) => message);
    const added = warningsIn(context.reporter).filter(({ message }) => !known.includes(message));
    if (added.length === 0) return fresh;
    const texts = added.map(({ message }) => message);
    throw new MarError('changed', ['there are new warnings since the plan', ...texts].join('\n'), {
      hint: newPlanHint,
    });
  } finally {
    context.session.close();
  }
}

async function verifiedWrite(
  context: Context,
  plan: Plan,
  { command: { check }, input }: CommandCall,
): Promise<Plan> {
  const { endpoint: endpointId, body, over, isNew } = plan;
  const { readBy }: Endpoint = endpoints[endpointId];
  const id = String(body.get('_id'));
  const newest =
    readBy &&
    (await readVersion(context, endpoints[readBy], id).catch((error: unknown) => {
      if (isNew && error instanceof MarError && error.kind === 'not-found') return undefined;
      throw error;
    }));
  if (newest) refuseChangedSincePlan(`asset ${id}`, plan, newest.record);
  await refuseDoubtfulValues(context, { endpoint: endpointId, input }, body, over?.record);
  await check?.(context, input, body);
  return { ...plan, over: newest };
}

/** Throws if a line is new or different. After an interruption, lines of done rows are missing. */
function refuseOtherLines(
  planned: readonly JsonObject[],
  now: readonly JsonObject[],
  isResumed = false,
): void {
  const byName = (lines: readonly JsonObject[]) =>
    new Map(lines.map((line) => [lineName(line), line]));
  const [before, after] = [byName(planned), byName(now)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const conflicts = names.flatMap((name) => {
    const [mine, theirs] = [before.get(name), after.get(name)];
    const isSameLine = isSame(mine?.get('digest') ?? mine, theirs?.get('digest') ?? theirs);
    if (isSameLine || (isResumed && !theirs)) return [];
    const [old, made] = [mine?.get('body') ?? mine, theirs?.get('body') ?? theirs];
    if (!old || !made) return [{ path: name, mine: old, theirs: made }];
    return differences(old, made).map(({ path, ...values }) => {
      return { path: `${name} ${path}`, mine: values.before, theirs: values.after };
    });
  });
  if (conflicts.length === 0) return;
  throw conflictError('what would be written changed since the plan', conflicts, {
    hint: newPlanHint,
    labels: planLabels,
  });
}

/** Compares each row with the plan right before it is sent: colleagues go on working during a batch. */
function rowChecker(lines: readonly JsonObject[]): Input['checkPlanned'] {
  const byId = new Map<unknown, JsonObject[]>();
  for (const line of lines) {
    const id = line.get('_id');
    byId.set(id, [...(byId.get(id) ?? []), line]);
  }
  return (changed) => refuseOtherLines(byId.get(changed[0]?.get('_id')) ?? [], changed);
}
