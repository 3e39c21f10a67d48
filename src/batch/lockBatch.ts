import { usageError } from '../errors.ts';
import type { Input } from '../input.ts';
import type { Context } from '../session/context.ts';
import { describeHolder, type Holder, lockJournal } from './journal/journalLock.ts';

/**
 * Locks a journal: two runs of one batch at a time would send rows twice. With `--break-lock`, the lock
 * of a process on another machine is taken over, with `--yes` or once the user has agreed.
 */
export function lockBatch({ reporter, world }: Context, journal: string, { options }: Input) {
  const takeOver = async (holder: Holder) => {
    if (options.yes) return;
    const danger = `the journal ${journal} is locked by ${describeHolder(holder)}; if it still runs, rows are sent twice`;
    if (!reporter.isInteractive) {
      throw usageError(danger, 'Nothing was sent. Use --yes to take over its batch.');
    }
    reporter.reportOnce(danger, 'essential');
    await reporter.confirm('Take over this batch?', 'Nothing was sent.');
  };
  return lockJournal(journal, world.processes, options.breakLock ? takeOver : undefined);
}
