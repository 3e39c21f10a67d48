import type { MarError } from '../../errors.ts';

/* For commands that read again and again. */

/** The pauses grow up to this while reads fail. */
const maxPauseMs = 60_000;

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
