import type { Line } from '../lines.ts';
import type { Limits } from './limits.ts';

export interface LintInput {
  lines: readonly Line[];
  /** The visible rows of each line, at the same index. */
  visible: readonly (readonly string[])[];
  limits: Limits;
  language?: string;
  /** The format has optional numbers. */
  mayLackNumbers?: boolean;
}

/** A mistake in one line. */
export interface Problem {
  line: Line;
  severity: 'error' | 'warning';
  message: string;
  /** The part of the line's text that is wrong; all of it if absent. */
  text?: string;
}

/** A check of all lines. A rule whose limit is not set finds nothing. */
export type Rule = (input: LintInput) => Iterable<Problem>;

export const error = (line: Line, message: string, text?: string): Problem => {
  return { line, severity: 'error', message, text };
};

export const warning = (line: Line, message: string): Problem => {
  return { line, severity: 'warning', message };
};
