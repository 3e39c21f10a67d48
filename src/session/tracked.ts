import { orUndefined, usageError } from '../errors.ts';
import { type Input, type Option, stringOption } from '../input.ts';
import type { Look } from '../records/look.ts';
import { isSettled } from '../records/status.ts';
import type { Context } from './context.ts';
import { nothingUsedNote, recentIds } from './remember.ts';

/*
 * The service cannot list work requests, so mar keeps a list of those that this account follows: the
 * ones it created and the ones it was told about.
 */

const maxTracked = 2000;

/** From the newest to the oldest. */
export const trackedIds = (context: Context): string[] =>
  context.session.memory.entries('Tracked').map(({ id }) => id);

/** Every work request that this machine knows: tracked, used recently, or named by a notification. */
export const knownIds = (context: Context): string[] => [
  ...new Set([
    ...trackedIds(context),
    ...recentIds(context, 'WorkRequest').map(({ id }) => id),
    ...context.session.memory.entries('Mention').map(({ id }) => id),
  ]),
];

export const fromOption: Option = {
  flags: '--from <file>',
  summary: 'also take the ids in this file: one on each line, or CSV or JSON lines with _id',
  completes: 'file',
};

export async function idsFrom(context: Context, input: Input): Promise<string[]> {
  const file = stringOption(input, 'from');
  return file === undefined ? [] : (await import('../reads/idFile.ts')).idsInFile(context, file);
}

/** The status, due date and reason that each work request had when it was last shown. */
export const looks = (context: Context): ReadonlyMap<string, Look> =>
  new Map(
    context.session.memory.entries('Look').flatMap(({ id, text }): [string, Look][] => {
      const look: Look | undefined = orUndefined(() => JSON.parse(text));
      return look ? [[id, look]] : [];
    }),
  );

/** Returns whether a work request was finished when it was last shown. */
export function finishedCheck(context: Context): (id: string) => boolean {
  const seen = looks(context);
  return (id) => isSettled(seen.get(id)?.status ?? '');
}

/** Adds to the list. If it gets too long, finished requests leave it first, from the oldest on. */
export async function track(context: Context, ids: readonly string[]): Promise<void> {
  await context.session.memory.add(ids.map((id) => ({ kind: 'Tracked', id })));
  const tracked = trackedIds(context).reverse();
  const excess = tracked.length - maxTracked;
  if (excess <= 0) return;
  const isFinished = finishedCheck(context);
  const finished = tracked.filter(isFinished);
  const others = tracked.filter((id) => !isFinished(id));
  await context.session.memory.forget(['Tracked'], [...finished, ...others].slice(0, excess));
}

/** A new work request is tracked, unless the user does not want that. */
export async function trackCreated(context: Context, ids: readonly string[]): Promise<void> {
  if (context.session.settings.trackCreated !== 'off' && ids.length > 0) await track(context, ids);
}

export function refuseWithoutMemory(context: Context): void {
  if (!context.session.memory.isOff) return;
  throw usageError(
    'mar cannot keep a list of work requests here',
    `${nothingUsedNote(context, 'work request')}.`,
  );
}

/** For a machine that knows no work request yet. */
export function explainNothingKnown(context: Context): void {
  context.reporter.reportAtEnd(
    context.session.memory.isOff
      ? nothingUsedNote(context, 'work request')
      : `mar knows none of your work requests yet, and the service cannot list them. Ids are in notifications and in the web application.
To put one on your list, run: mar wr track ID. To create one, run: mar wr create`,
  );
}
