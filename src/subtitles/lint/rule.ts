import type { Line } from '../lines.ts';
import type { Limits } from './limits.ts';

interface LintLine extends Line {
  visible: readonly string[];
}

export interface LintInput {
  lines: readonly LintLine[];
  limits: Limits;
  language?: string;
  /** The format has optional numbers. */
  mayLackNumbers?: boolean;
}

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
