import type { Line } from '../lines.ts';
import type { FileProblem } from '../read.ts';
import { plainText, visibleLines } from '../spans.ts';
import type { LintInput, LintLine, Problem, Rule } from './rule.ts';
import {
  dash,
  ellipsis,
  emptyText,
  italics,
  language,
  lineCount,
  lineLength,
  readingSpeed,
  spaces,
  tags,
} from './textRules.ts';
import {
  durations,
  gaps,
  numbers,
  order,
  overlaps,
  sortedByStart,
  timecodes,
} from './timingRules.ts';

/*
 * To add a check:
 * 1. Write its function in `timingRules.ts` or `textRules.ts`: it yields `error(line, message)` or
 *    `warning(line, message)` for each mistake.
 * 2. Add it below, under the name that users see in `--json` and in annotations.
 * 3. If it has a limit, add the limit to `Limits` in `limits.ts` and to the guides in `limitTable.ts`,
 *    and its flag to `commands/translation/findings.ts`.
 * 4. Test it in `test/subtitles/lint.test.ts`.
 */
const rules = {
  timecode: timecodes,
  duration: durations,
  order,
  overlap: overlaps,
  gap: gaps,
  number: numbers,
  empty: emptyText,
  tags,
  'line-length': lineLength,
  'line-count': lineCount,
  speed: readingSpeed,
  italics,
  ellipsis,
  dash,
  spaces,
  language,
} satisfies Record<string, Rule>;

/** `file` is for mistakes that the reader of a subtitle file finds. */
export type RuleName = 'file' | keyof typeof rules;

export interface Finding extends Pick<Problem, 'severity' | 'message'> {
  rule: RuleName;
  /** Its position in the translation, or the line of the file. */
  place: number;
  /** The index of the line or cue; absent if the mistake belongs to none. */
  index?: number;
  number?: number;
  startTime?: string;
  text: string;
}

interface LintOptions extends Omit<LintInput, 'lines' | 'timed' | 'noun'> {
  lines: readonly Line[];
  fileProblems?: readonly FileProblem[];
  isFile?: boolean;
}

/** Finds all mistakes, in the order of the lines and then of the rules. */
export function lint({ fileProblems = [], isFile = false, ...options }: LintOptions): Finding[] {
  const noun = isFile ? 'cue' : 'line';
  const lines = options.lines.map(toLintLine);
  const timed = sortedByStart(lines);
  const findings = fileProblems.map(({ row, message }): Finding => {
    return { rule: 'file', severity: 'error', place: row, message, text: '' };
  });
  if (lines.length === 0) {
    findings.push({ rule: 'empty', severity: 'error', place: 1, message: `no ${noun}s`, text: '' });
  }
  for (const [name, check] of Object.entries<Rule>(rules)) {
    const rule = name as RuleName;
    for (const { line, severity, message, text } of check({ ...options, noun, lines, timed })) {
      const { place, index, number, start, spans } = line;
      const where = { place, index, number, startTime: start.text };
      findings.push({ rule, severity, ...where, message, text: text ?? plainText(spans) });
    }
  }
  return findings.sort((a, b) => a.place - b.place);
}

/** Each field by its name: spreading the lines of a film takes a tenth of a check. */
function toLintLine(line: Line, index: number): LintLine {
  const { place, number, start, stop, spans, tagProblems, placement } = line;
  const visible = visibleLines(spans);
  return { place, number, start, stop, spans, tagProblems, placement, index, visible };
}
