import type { MarError } from '../../errors.ts';
import { pause } from '../../values/duration.ts';

/* For commands that read again and again. */

/** The pauses grow up to this while reads fail. */
const maxPauseMs = 60_000;

export function isTemporary(error: MarError): boolean {
  const { status = 0, retryable = false } = error.details;
  return error.kind === 'network' || retryable || status >= 500;
}

/** Returns a function that waits until the next read, longer while all of the reads fail. */
export function pauses(intervalMs: number, signal: AbortSignal) {
  const max = Math.max(intervalMs, maxPauseMs);
  let failures = 0;
  return async (errors: readonly MarError[], isFailed = errors.length > 0): Promise<void> => {
    failures = isFailed ? failures + 1 : 0;
    const pauseMs = Math.min(max, intervalMs * 2 ** Math.min(failures, 10));
    // Varies by a fifth, so that polls that start together spread out.
    const variedMs = pauseMs * (0.8 + 0.4 * Math.random());
    const requestedMs = errors.map(({ details }) => details.retryAfterMs ?? 0);
    await pause(Math.max(variedMs, ...requestedMs), signal);
  };
}
