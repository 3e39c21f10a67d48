import { MarError, onCommandLine, usageError } from '../../../core/errors.ts';
import { acquireLock, lockHolder } from '../../../core/files/lock.ts';
import { resolveLinks } from '../../../core/files/paths.ts';
import { systemReason } from '../../../core/files/systemReason.ts';

/** Locks a journal: two runs of one batch at a time would send rows twice. */
export const lockJournal = (journal: string): Promise<() => void> =>
  acquireLock(lockPath(journal), 'this batch is already running').catch((error: unknown) => {
    if (error instanceof MarError) throw error;
    throw usageError(
      `cannot lock the journal ${journal}: ${systemReason(error)}`,
      onCommandLine(
        'Nothing was sent. Use --journal FILE with a file in a folder that exists and is writable.',
      ),
    );
  });

/** The process that runs the batch of a journal. */
export const journalHolder = (journal: string) => lockHolder(lockPath(journal));

/** Resolves links, so that every name of a journal leads to one lock. */
const lockPath = (journal: string) => `${resolveLinks(journal)}.lock`;
