import { orUndefined, usageError } from '../errors.ts';
import type { Look } from '../records/look.ts';
import { isSettled } from '../records/status.ts';
import { nothingUsedNote, recentIds } from './remember.ts';
import type { Session } from './session.ts';

/*
 * The service cannot list work requests, so mar keeps a list of those that this account follows: the
 * ones it created and the ones it was told about.
 */

const maxTracked = 2000;

/** From the newest to the oldest. */
export const trackedIds = (session: Session): string[] =>
  session.memory.entries('Tracked').map(({ id }) => id);

/** Every work request that this machine knows: tracked, used recently, or named by a notification. */
export const knownIds = (session: Session): string[] => [
  ...new Set([
    ...trackedIds(session),
    ...recentIds(session, 'WorkRequest').map(({ id }) => id),
    ...session.memory.entries('Mention').map(({ id }) => id),
  ]),
];

/** The status, due date and reason that each work request had when it was last shown. */
export const looks = (session: Session): ReadonlyMap<string, Look> =>
  new Map(
    session.memory.entries('Look').flatMap(({ id, text }): [string, Look][] => {
      const look: Look | undefined = orUndefined(() => JSON.parse(text));
      return look ? [[id, look]] : [];
    }),
  );

/** Returns whether a work request was finished when it was last shown. */
export function finishedCheck(session: Session): (id: string) => boolean {
  const seen = looks(session);
  return (id) => isSettled(seen.get(id)?.status ?? '');
}

/** Adds to the list. If it gets too long, finished requests leave it first, from the oldest on. */
export async function track(session: Session, ids: readonly string[]): Promise<void> {
  await session.memory.add(ids.map((id) => ({ kind: 'Tracked', id })));
  const tracked = trackedIds(session).reverse();
  const excess = tracked.length - maxTracked;
  if (excess <= 0) return;
  const isFinished = finishedCheck(session);
  const finished = tracked.filter(isFinished);
  const others = tracked.filter((id) => !isFinished(id));
  await session.memory.forget(['Tracked'], [...finished, ...others].slice(0, excess));
}

/** A new work request is tracked, unless the user does not want that. */
export async function trackCreated(session: Session, ids: readonly string[]): Promise<void> {
  if (session.settings.trackCreated !== 'off' && ids.length > 0) await track(session, ids);
}

export function refuseWithoutMemory(session: Session): void {
  if (!session.memory.isOff) return;
  throw usageError(
    'mar cannot keep a list of work requests here',
    `${nothingUsedNote(session, 'work request')}.`,
  );
}

/** For a machine that knows no work request yet. */
export const nothingKnownNote = (session: Session): string =>
  session.memory.isOff
    ? nothingUsedNote(session, 'work request')
    : `mar knows none of your work requests yet, and the service cannot list them. Ids are in notifications and in the web application.
To put one on your list, run: mar wr track ID. To create one, run: mar wr create`;
