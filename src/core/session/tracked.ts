import { type Hints, hintList, orUndefined, runHint, usageError } from '../errors.ts';
import { resolveLinks } from '../files/paths.ts';
import type { Look } from '../records/look.ts';
import { meaningOf } from '../records/status.ts';
import { words } from '../values/commandLine.ts';
import { nothingUsedNote } from './remember.ts';
import type { Session } from './session.ts';

/*
 * The service cannot list work requests, so mar keeps a list of those that this account follows: the
 * ones that it created, and the ones that the user put on it.
 */

/** The input of a batch, which its journals stand beside, whatever the current folder and links are. */
export const batchKey = (file: string): string =>
  resolveLinks(file).replace(/(?:\.\d+-of-\d+)?\.mar-journal$/, '');

/** From the newest to the oldest. The batch is the file that created it, or empty. */
export const followed = (session: Session): { id: string; batch: string }[] =>
  session.memory.entries('Tracked').map(({ id, text }) => ({ id, batch: text }));

export const trackedIds = (session: Session): string[] => followed(session).map(({ id }) => id);

/** The status, due date and reason that each work request had: when it was read, or on a screen. */
export function savedLooks(session: Session, kind: 'Look' | 'Mark' = 'Look') {
  const found = new Map<string, Look>();
  for (const { id, text } of session.memory.entries(kind)) {
    const look: Look | undefined = orUndefined(() => JSON.parse(text));
    if (look) found.set(id, look);
  }
  return found;
}

/** Returns whether a work request was finished when it was last shown. */
export function finishedCheck(session: Session): (id: string) => boolean {
  const seen = savedLooks(session);
  return (id) => meaningOf(seen.get(id)?.status ?? '', session.service()).isSettled;
}

/** Adds to the list. */
export const track = (session: Session, ids: readonly string[], batch = ''): Promise<void> =>
  session.memory.add(ids.map((id) => ({ kind: 'Tracked', id, text: batch })));

export const untrack = (session: Session, ids: readonly string[]) =>
  session.memory.forget(['Tracked', 'WorkRequest'], ids);

export function refuseWithoutMemory(session: Session): void {
  if (!session.memory.isDisabled) return;
  throw usageError('mar cannot keep a list of work requests here', nothingUsedNote(session));
}

export const nothingFollowedNote = (session: Session): Hints => [
  'You follow no work request here, so there is nothing to show. The service cannot list them; ids are in notifications and in the web application.',
  ...(session.memory.isDisabled
    ? hintList(nothingUsedNote(session))
    : [
        runHint('To put one on your list', words`mar wr track ID`),
        runHint('To create one', words`mar wr create`),
      ]),
  runHint('To use a list of ids in a file', words`mar today --from FILE`),
];
