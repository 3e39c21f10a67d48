import { usageError } from '../errors.ts';
import type { Input } from '../input.ts';
import type { Context } from '../session/context.ts';
import { describeHolder, type Holder, lockJournal } from './journal/journalLock.ts';

/**
 * Locks a journal: two runs of one batch at a time would send rows twice. With `--break-lock`, the lock
 * of a process on another machine is taken over, with `--yes` or once `confirm` has asked the user.
 */
export function lockBatch(
  context: Context,
  journal: string,
  { options }: Input,
  confirm: () => Promise<void>,
): Promise<() => Promise<void>> {
  const takeOver = async (holder: Holder) => {
    if (options.yes) return;
    const danger = `the journal ${journal} is locked by ${describeHolder(holder)}; if it still runs, rows are sent twice`;
    if (!context.reporter.isInteractive) {
      throw usageError(danger, 'Nothing was sent. Use --yes to take over its batch.');
    }
    context.reporter.reportOnce(danger, 'essential');
    await confirm();
  };
  return lockJournal(journal, context.world.processes, options.breakLock ? takeOver : undefined);
}
