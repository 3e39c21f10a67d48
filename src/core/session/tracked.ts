import path from 'node:path';
import { type Hints, hintList, orUndefined, runHint, usageError } from '../errors.ts';
import type { Look } from '../records/look.ts';
import { meaningOf } from '../records/status.ts';
import { words } from '../values/commandLine.ts';
import { nothingUsedNote, recentIds } from './remember.ts';
import type { Session } from './session.ts';

/*
 * The service cannot list work requests, so mar keeps a list of those that this account follows: the
 * ones that it created, and the ones that the user put on it.
 */

const maxTracked = 2000;

/** The input of a batch, which its journals stand beside, whatever the current folder is. */
export const batchKey = (file: string): string =>
  path.resolve(file).replace(/(?:\.\d+-of-\d+)?\.mar-journal$/, '');

/** From the newest to the oldest. The batch is the file that created it, or empty. */
export const followed = (session: Session): { id: string; batch: string }[] =>
  session.memory.entries('Tracked').map(({ id, text }) => ({ id, batch: text }));

export const trackedIds = (session: Session): string[] => followed(session).map(({ id }) => id);

/** Opened or named by a notification. Without those that the user took off the list. */
export function recentRequests(session: Session): string[] {
  const mentioned = session.memory.entries('Mention');
  const untracked = new Set(session.memory.entries('Untracked').map(({ id }) => id));
  const ids = [...recentIds(session, 'WorkRequest'), ...mentioned].map(({ id }) => id);
  return [...new Set(ids)].filter((id) => !untracked.has(id));
}

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

/** Adds to the list. If it gets too long, finished requests leave it first, from the oldest on. */
export async function track(session: Session, added: ReturnType<typeof followed>): Promise<void> {
  const ids = added.map(({ id }) => id);
  await session.memory.add(added.map(({ id, batch }) => ({ kind: 'Tracked', id, text: batch })));
  await session.memory.forget(['Untracked'], ids);
  const tracked = trackedIds(session).reverse();
  const excess = tracked.length - maxTracked;
  if (excess <= 0) return;
  const isFinished = finishedCheck(session);
  const order = new Set([...tracked.filter(isFinished), ...tracked]);
  await session.memory.forget(['Tracked'], [...order].slice(0, excess));
}

/** A work request stays off the list when it is opened again. */
export async function untrack(session: Session, ids: readonly string[]): Promise<void> {
  await session.memory.forget(['Tracked', 'Mention', 'WorkRequest'], ids);
  await session.memory.add(ids.map((id) => ({ kind: 'Untracked', id })));
}

/** A new work request is tracked, unless the user does not want that. */
export async function trackCreated(session: Session, ids: readonly string[], batch = '') {
  if (session.settings.trackCreated === 'off' || ids.length === 0) return;
  const created = ids.map((id) => ({ id, batch }));
  await track(session, created);
}

export function refuseWithoutMemory(session: Session): void {
  if (!session.memory.isDisabled) return;
  const why = nothingUsedNote(session, 'work request');
  throw usageError('mar cannot keep a list of work requests here', why);
}

/** For a machine that follows no work request. */
export const nothingFollowedNote = (session: Session): Hints => [
  'You follow no work request here, so there is nothing to show. The service cannot list them; ids are in notifications and in the web application.',
  ...(session.memory.isDisabled
    ? hintList(nothingUsedNote(session, 'work request'))
    : [trackHint, runHint('To create one', words`mar wr create`)]),
  runHint('To use a list of ids in a file', words`mar today --from FILE`),
];

const trackHint = runHint('To put one on your list', words`mar wr track ID`);
