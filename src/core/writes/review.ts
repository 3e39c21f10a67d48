import { endLine } from '../api/service.ts';
import { personHint } from '../errors.ts';
import type { Input } from '../input.ts';
import type { JsonObject } from '../json/value.ts';
import { differences } from '../records/recordDiff.ts';
import type { Context } from '../session/context.ts';
import { sanitise, visibleJson } from '../values/sanitise.ts';
import { wrapMessage } from '../values/width.ts';
import { reportRemarks } from './apply.ts';
import { differenceLines, fieldLines } from './diff.ts';
import type { Plan, Remark } from './plan.ts';

/** Asks on the terminal whether to write. A no ends the command. */
export async function confirm({ session, reporter }: Context): Promise<void> {
  const { baseUrl, email } = session.identity();
  await reporter.confirm(`Write this to ${baseUrl.host} as ${email}?`, 'Nothing was written.');
}

export const noDiffNote = 'The current version cannot be read, so there is no diff to show.';

/** Whether it is set that the service keeps what the body of a PUT leaves out. */
export const isKept = ({ session }: Context) =>
  session.service().value('put', 'missing') === 'kept';

/** A warning about records that cannot be read first. None, if they are known to keep what is left out. */
export function leftOutRemarks(context: Context, what: string, sent = ''): Remark[] {
  if (isKept(context)) return [];
  const text = `this writes ${what}, which mar cannot read first: the service may drop the fields that are left out (the API does not say)${sent}`;
  const setting = endLine({ key: 'put.missing', value: 'kept' });
  const hints = [personHint('If your service keeps them', setting)];
  return [{ text, code: 'whole-record', hints }];
}

/**
 * Shows a person what a plan would write, and asks. Without a terminal nothing is asked, but the
 * differences are printed.
 */
export async function review(context: Context, input: Input, plan: Plan): Promise<void> {
  const { reporter, flags, session } = context;
  const { yes, dryRun } = input.options;
  if (!dryRun) session.refuseReadOnly();
  reportRemarks(context, plan.remarks);
  const mustConfirm = reporter.isInteractive && !yes && !dryRun;
  if (plan.look) {
    const { stderr } = context.world.streams;
    const isDryRun = dryRun && !flags.quiet && stderr.isTerminal;
    if (mustConfirm || isDryRun) {
      const { lookLines } = await import('./orderLook.ts');
      const { redactor, platform } = context.world;
      const lines = lookLines(context, plan.look).flatMap((line) =>
        wrapMessage(sanitise(redactor.clean(line)), stderr, { indent: '    ', platform }),
      );
      await reporter.printLines(lines);
    }
  } else if (plan.over) {
    // The question is about the changes, so --quiet does not hide them from it.
    if (mustConfirm || !flags.quiet) await showDifference(context, plan, plan.over.record);
  } else if (mustConfirm) {
    await showBody(context, plan.body);
    const isNew = plan.isNew || (plan.id ?? plan.body.get('_id')) === undefined;
    if (!isNew) reporter.reportOnce(noDiffNote, 'essential');
  }
  if (mustConfirm) await confirm(context);
}

/** Prints to standard error: standard output is for the resulting record. */
async function showDifference({ reporter, world }: Context, plan: Plan, before: JsonObject) {
  if (reporter.isForPrograms) return;
  const { interruptible, redactor, streams } = world;
  const { stderr } = streams;
  const redact = (text: string) => redactor.clean(text);
  const width = stderr.isTerminal ? stderr.columns : undefined;
  const lines = interruptible(() =>
    differenceLines(differences(before, plan.body), reporter.style, { width, redact }),
  );
  await reporter.printLines([`Changes to ${plan.guard?.name}:`, ...lines].map(redact));
}

/** Shows the record that is about to be written, with a line for each field. */
async function showBody({ reporter, world }: Context, body: JsonObject): Promise<void> {
  const lines = fieldLines([...body], (text) => visibleJson(world.redactor.clean(text)));
  const title = 'This record will be written (long values are cut; --dry-run shows all):';
  await reporter.printLines([title, ...lines]);
}
