import { MarError } from '../../errors.ts';
import { isPassing } from '../../http/failure.ts';
import { valueAt } from '../../json/fields.ts';
import { cellText } from '../../terminal/columns.ts';
import type { Shown } from '../../terminal/view.ts';
import { longestTimerMs } from '../../values/duration.ts';

/** The statuses that end a wait, for better or worse. */
export interface Goal {
  reached: readonly string[];
  failed: readonly string[];
}

export interface Poll {
  read(signal: AbortSignal): Promise<Shown>;
  goal: Goal;
  intervalMs: number;
  /** When it aborts, what is known by then is the end of it. */
  deadline: AbortSignal;
  /** The user's. */
  interruption: AbortSignal;
  /** Told of each status that is not that of the read before. */
  onStatus(record: Shown, status: string, before: string | undefined): void;
  /** Told of each read that failed, and will be done again. */
  onTrouble(error: MarError): void;
  /** Told of each read that did not. */
  onAnswer(): void;
}

/** How a wait ended, and the record as it was last seen. */
export interface Ending {
  how: 'reached' | 'failed' | 'out-of-time';
  status?: string;
  record?: Shown;
}

/** While the service is in trouble it is asked less and less often, down to this. */
const longestPauseMs = 60_000;

/** Reads a record over and over until it has one of the statuses, or time is up. */
export async function poll(options: Poll): Promise<Ending> {
  const { goal, intervalMs, deadline, interruption } = options;
  const signal = AbortSignal.any([interruption, deadline]);
  const seen: Omit<Ending, 'how'> = {};
  let failures = 0;
  try {
    for (;;) {
      const { record, error } = await attempt(options, signal);
      failures = error ? failures + 1 : 0;
      if (record) {
        const status = cellText(valueAt(record.value, 'status'));
        if (status !== seen.status) options.onStatus(record, status, seen.status);
        Object.assign(seen, { record, status });
        if (goal.reached.includes(status)) return { how: 'reached', ...seen };
        if (goal.failed.includes(status)) return { how: 'failed', ...seen };
      }
      const wanted = error?.details.retryAfterMs ?? 0;
      await pause(Math.max(wanted, pauseAfter(failures, intervalMs)), signal);
    }
  } catch (error) {
    if (interruption.aborted || !deadline.aborted) throw error;
    return { how: 'out-of-time', ...seen };
  }
}

/** One read: its record, or a failure that may pass. Any other failure is the end. */
async function attempt({ read, onAnswer, onTrouble }: Poll, signal: AbortSignal) {
  try {
    const record = await read(signal);
    onAnswer();
    return { record };
  } catch (error) {
    if (signal.aborted || !(error instanceof MarError) || !mayPass(error)) throw error;
    onTrouble(error);
    return { error };
  }
}

/** Whether the next read may well be answered: the network, and a service that is in trouble. */
function mayPass(error: MarError): boolean {
  const { status = 0 } = error.details;
  if (error.kind === 'network' || isPassing(error)) return true;
  return status >= 500 || status === 429 || status === 408;
}

/** A fifth more or less: who began together does not ask together for ever. */
function pauseAfter(failures: number, intervalMs: number): number {
  const longest = Math.max(intervalMs, longestPauseMs);
  const usual = Math.min(longest, intervalMs * 2 ** Math.min(failures, 10));
  return usual * (0.8 + 0.4 * Math.random());
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { setTimeout } = await import('node:timers/promises');
  await setTimeout(Math.min(ms, longestTimerMs), undefined, { signal }).catch(() => {
    throw signal.reason;
  });
}
