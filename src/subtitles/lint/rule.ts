import type { Line } from '../lines.ts';
import type { Limits } from './limits.ts';

export interface LintLine extends Line {
  /** Its index in the translation or file. */
  index: number;
  visible: readonly string[];
}

export interface LintInput {
  lines: readonly LintLine[];
  /** The lines that have usable times, by their start. */
  timed: readonly LintLine[];
  limits: Limits;
  language?: string;
  /** The format has optional numbers. */
  mayLackNumbers?: boolean;
  /** Entries of a file are called cues, because a line is a line of the file. */
  noun: 'line' | 'cue';
}

/** For messages: `line 3` of a translation, `cue 3` of a file. */
export const nameOf = ({ number, index, place }: LintLine, noun: LintInput['noun']): string =>
  `${noun} ${number ?? (noun === 'cue' ? index + 1 : place)}`;

export interface Problem {
  line: LintLine;
  severity: 'error' | 'warning';
  message: string;
  /** The part of the line's text that is wrong; all of it if absent. */
  text?: string;
}

/** A check of all lines. A rule whose limit is not set finds nothing. */
export type Rule = (input: LintInput) => Iterable<Problem>;

export const error = (line: LintLine, message: string, text?: string): Problem => {
  return { line, severity: 'error', message, text };
};

export const warning = (line: LintLine, message: string): Problem => {
  return { line, severity: 'warning', message };
};
