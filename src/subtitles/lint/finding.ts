import type { Line } from '../lines.ts';
import { textOf } from '../spans.ts';
import type { Limits } from './limits.ts';

export const ruleNames = [
  'file',
  'timecode',
  'duration',
  'order',
  'overlap',
  'gap',
  'number',
  'empty',
  'tags',
  'line-length',
  'line-count',
  'speed',
  'language',
] as const;
export type RuleName = (typeof ruleNames)[number];

/** A mistake, or what may be one. */
export interface Finding {
  rule: RuleName;
  severity: 'error' | 'warning';
  /** Its place in the translation, or the line of the file. */
  place: number;
  number?: number;
  startTime?: string;
  message: string;
  /** The words that it is about. */
  text: string;
}

/** What is looked at: lines, what they must keep to, and the language they should be in. */
export interface Checked {
  lines: readonly Line[];
  /** What a reader sees of each of them, line by line. */
  shown: readonly (readonly string[])[];
  limits: Limits;
  language?: string;
  /** They come from a format whose entries need no numbers. */
  mayLackNumbers?: boolean;
}

/** One kind of mistake, found anywhere in the lines. */
export type Rule = (checked: Checked) => Iterable<Finding>;

/** A finding about a line. */
export function about(
  { place, number, start, spans }: Line,
  rule: RuleName,
  severity: Finding['severity'],
  message: string,
  /** All of the line, unless given. */
  text = textOf(spans),
): Finding {
  return {
    rule,
    severity,
    place,
    ...(number === undefined ? {} : { number }),
    startTime: start.text,
    message,
    text,
  };
}

/** A language by its code, in two letters or three: `jpn`, `ja` and `ja-JP` are one language. */
export function localeOf(code: string | undefined): Intl.Locale | undefined {
  if (code === undefined) return undefined;
  try {
    return new Intl.Locale(code);
  } catch {
    return undefined;
  }
}
