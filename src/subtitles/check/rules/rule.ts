import type { LanguageClaim } from '../../../languages/language.ts';
import type { Detect } from '../../../languages/languageOfText.ts';
import type { Line } from '../../line.ts';
import type { Limits } from '../guideLimits.ts';

export interface CheckedLine extends Line {
  /** Its index in the translation or file. */
  index: number;
  visible: readonly string[];
}

export interface RuleInput {
  lines: readonly CheckedLine[];
  /** The lines that have usable times, by their start. */
  timed: readonly CheckedLine[];
  limits: Limits;
  language?: string;
  /** What says the language, if that is to be checked; empty if nothing does. */
  claims?: readonly LanguageClaim[];
  /** Undefined if the text is too short to be recognised. */
  detect?: Detect;
  /** False for formats with optional numbers. */
  needsNumbers: boolean;
  noun: 'line' | 'cue';
}

/** The name of a line or cue in messages. */
export const numberOf = ({ number, index }: CheckedLine): number => number ?? index + 1;

export interface Problem {
  /** Absent if the mistake belongs to none. */
  line?: CheckedLine;
  severity: 'error' | 'warning';
  message: string;
  /** The part of the line's text that is wrong; all of it if absent. */
  text?: string;
  /** The measured value, the limit that it exceeds or misses, and the unit of both. */
  value?: number;
  limit?: number;
  unit?: string;
}

/** A check of all lines. A rule whose limit is not set finds nothing. */
export type Rule = (input: RuleInput) => Iterable<Problem>;

/** A rule that needs to see only one line at a time. */
export const eachLine =
  (check: (line: CheckedLine, input: RuleInput) => Problem | Problem[]): Rule =>
  (input) =>
    input.lines.flatMap((line) => check(line, input));

const problemOf =
  (severity: Problem['severity']) =>
  (line: CheckedLine, message: string, more?: Partial<Problem>): Problem => {
    return { line, severity, message, ...more };
  };
export const error = problemOf('error');
export const warning = problemOf('warning');
