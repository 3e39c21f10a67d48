import { assetView } from '../commands/asset/view.ts';
import { orUndefined, usageError } from '../errors.ts';
import type { Input, Option } from '../input.ts';
import { ServiceRecord } from '../json/serviceRecord.ts';
import { isObject, type JsonObject } from '../json/value.ts';
import { differences } from '../records/recordDiff.ts';
import type { Context } from '../session/context.ts';
import { commandLine } from '../values/commandLine.ts';
import { refuseMistakes } from './body.ts';
import { differenceLines } from './diff.ts';
import type { Target } from './guardedWrite.ts';
import { openSeenAssets, type SeenAssets } from './seenAssets.ts';
import { confirm, needsConfirmation, readForWrite, showBody, write } from './write.ts';

export const overwriteOption: Option = {
  flags: '--force',
  summary: 'overwrite changes by others',
};

export const idChangedError = (id: string) =>
  usageError(`the _id of an asset cannot change: expected ${JSON.stringify(id)}`);

/** `remember` records a state that the user has seen. */
export async function guardedAsset(
  context: Context,
  input: Input,
  id: string,
  known?: SeenAssets,
): Promise<Target & { remember(record: JsonObject): Promise<void> }> {
  const force = input.options.force === true;
  const { interruptible, redactor } = context.world;
  const seen = known ?? (await openSeenAssets(context));
  const { stderr } = context.world.streams;
  /** Prints to standard error: standard output is for the resulting record. */
  const showDifference = async (before: JsonObject, after: JsonObject) => {
    if (context.reporter.isForPrograms) return;
    const found = interruptible(() => differences(before, after));
    if (found.length === 0) return context.reporter.reportOnce(`Asset ${id}: no changes`);
    const width = stderr.isTerminal ? stderr.columns : undefined;
    const redact = (text: string) => redactor.clean(text);
    const shown = { width, redact };
    const lines = interruptible(() => differenceLines(found, context.reporter.style, shown));
    const text = redact([`Changes to asset ${id}:`, ...lines].join('\n'));
    await stderr.write(`${text}\n`).catch(() => {});
  };
  return {
    name: `asset ${id}`,
    shownBy: commandLine`mar asset get ${id}`,
    force,
    seen: seen.statesOf(id),
    note: (text) => context.reporter.reportOnce(text),
    warn: (message) => context.reporter.warn('no-base', message),
    interruptible,
    remember: (record) => seen.remember(id, record),
    read: () => readForWrite(context, 'assetGet', id),
    async reviewNew(record) {
      await refuseMistakes(context, { endpoint: 'assetPut', input }, record);
      context.reporter.reportOnce(
        `Asset ${id} does not exist yet. The API does not say whether writing it creates it.`,
      );
      if (!needsConfirmation(context, input)) return;
      await showBody(context, record);
      await confirm(context);
    },
    async unchanged(record) {
      context.reporter.reportOnce(
        `No changes: asset ${id} already has these values. Nothing was written.`,
      );
      if (context.output.printer.isForPeople || input.options.dryRun) return;
      // A script that prints or filters the record gets it either way.
      await context.output.printer.record(ServiceRecord.fromTree(record), assetView);
    },
    async review(before, after) {
      await refuseMistakes(context, { endpoint: 'assetPut', input }, after, before);
      const mustConfirm = needsConfirmation(context, input);
      // The question is about the changes, so --quiet does not hide them from it.
      if (mustConfirm || !context.flags.quiet) await showDifference(before, after);
      if (mustConfirm) await confirm(context);
      return mustConfirm;
    },
    async write(record, over) {
      await write(
        context,
        { endpoint: 'assetPut', view: assetView, input },
        { body: record, base: over?.record, ifMatch: force ? undefined : over?.tag },
        {
          async onWritten(response) {
            // Some services respond to a write with something other than the record.
            const written = orUndefined(() => response.tree);
            if (isObject(written) && written.get('_id') === id) await seen.remember(id, written);
          },
        },
      );
    },
  };
}
