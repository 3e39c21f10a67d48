import type { ErrorKind } from '../../errors.ts';

/** How a check ended: well, with something to know, or badly. `skipped` had nothing to check. */
export type State = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Finding {
  name: string;
  state: State;
  message: string;
  /** What to do about it. */
  hint?: string;
  /** Of a failure: what a command that meets it would fail with. */
  kind?: ErrorKind;
}

export const ok = (name: string, message: string): Finding => ({ name, state: 'ok', message });

export const warning = (name: string, message: string, hint?: string): Finding => ({
  name,
  state: 'warning',
  message,
  hint,
});

export const failed = (name: string, kind: ErrorKind, message: string, hint?: string): Finding => ({
  name,
  state: 'failed',
  kind,
  message,
  hint,
});

export const skipped = (name: string, message: string): Finding => ({
  name,
  state: 'skipped',
  message,
});
