import { MarError } from '../../errors.ts';
import { valueAt } from '../../json/fields.ts';
import type { ServiceRecord } from '../../json/serviceRecord.ts';
import { cellText } from '../../values/cell.ts';
import { maxTimerMs } from '../../values/duration.ts';

/** Statuses in lower case. */
export interface Goal {
  reached: readonly string[];
  failed: readonly string[];
}

export interface Poll {
  read(signal: AbortSignal): Promise<ServiceRecord>;
  goal: Goal;
  intervalMs: number;
  deadline: AbortSignal;
  interruption: AbortSignal;
  /** Called when the status differs from that of the previous read. */
  onStatus(record: ServiceRecord, status: string, before: string | undefined): void;
  onFailure(error: MarError): void;
  onSuccess(): void;
}

export interface Ending {
  how: 'reached' | 'failed' | 'out-of-time';
  status?: string;
  record?: ServiceRecord;
}

/** The pauses grow up to this while reads fail. */
const maxPauseMs = 60_000;

export async function poll(options: Poll): Promise<Ending> {
  const { goal, intervalMs, deadline, interruption } = options;
  const signal = AbortSignal.any([interruption, deadline]);
  const seen: Omit<Ending, 'how'> = {};
  let failures = 0;
  try {
    for (;;) {
      const { record, error } = await readOnce(options, signal);
      failures = error ? failures + 1 : 0;
      if (record) {
        const status = cellText(valueAt(record.value, 'status'));
        if (status !== seen.status) options.onStatus(record, status, seen.status);
        Object.assign(seen, { record, status });
        // Statuses are compared without regard to case.
        const current = status.toLowerCase();
        if (goal.reached.includes(current)) return { how: 'reached', ...seen };
        if (goal.failed.includes(current)) return { how: 'failed', ...seen };
      }
      const retryAfterMs = error?.details.retryAfterMs ?? 0;
      await pause(Math.max(retryAfterMs, pauseAfter(failures, intervalMs)), signal);
    }
  } catch (error) {
    if (interruption.aborted || !deadline.aborted) throw error;
    return { how: 'out-of-time', ...seen };
  }
}

async function readOnce({ read, onSuccess, onFailure }: Poll, signal: AbortSignal) {
  try {
    const record = await read(signal);
    onSuccess();
    return { record };
  } catch (error) {
    if (signal.aborted || !(error instanceof MarError) || !isTemporary(error)) throw error;
    onFailure(error);
    return { error };
  }
}

export function isTemporary(error: MarError): boolean {
  const { status = 0, retryable = false } = error.details;
  return error.kind === 'network' || retryable || status >= 500;
}

/** Varies by a fifth, so that polls that start together spread out. */
export function pauseAfter(failures: number, intervalMs: number): number {
  const max = Math.max(intervalMs, maxPauseMs);
  const pauseMs = Math.min(max, intervalMs * 2 ** Math.min(failures, 10));
  return pauseMs * (0.8 + 0.4 * Math.random());
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { setTimeout } = await import('node:timers/promises');
  await setTimeout(Math.min(ms, maxTimerMs), undefined, { signal }).catch(() => {
    throw signal.reason;
  });
}
