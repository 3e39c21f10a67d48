import type { Line } from '../lines.ts';
import type { FileProblem } from '../read.ts';
import { plainText, visibleLines } from '../spans.ts';
import type { LintInput, Problem, Rule } from './rule.ts';
import { emptyText, language, lineCount, lineLength, readingSpeed, tags } from './textRules.ts';
import { durations, gaps, numbers, order, overlaps, timecodes } from './timingRules.ts';

/*
 * To add a check:
 * 1. Write its function in `timingRules.ts` or `textRules.ts`: it yields `error(line, message)` or
 *    `warning(line, message)` for each mistake.
 * 2. Add it below, under the name that users see in `--json` and in annotations.
 * 3. If it has a limit, add the limit to `Limits` and the presets in `limits.ts`, and its flag to
 *    `commands/translation/findings.ts`.
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
  language,
} satisfies Record<string, Rule>;

/** `file` is for mistakes that the reader of a subtitle file finds. */
type RuleName = 'file' | keyof typeof rules;

export interface Finding extends Pick<Problem, 'severity' | 'message'> {
  rule: RuleName;
  /** Its position in the translation, or the row of the file. */
  place: number;
  number?: number;
  startTime?: string;
  text: string;
}

interface LintOptions extends Omit<LintInput, 'lines'> {
  lines: readonly Line[];
  fileProblems?: readonly FileProblem[];
}

/** Finds all mistakes, in the order of the lines and then of the rules. */
export function lint({ fileProblems = [], ...options }: LintOptions): Finding[] {
  const lines = options.lines.map((line) => ({ ...line, visible: visibleLines(line.spans) }));
  const findings = fileProblems.map(({ row, message }): Finding => {
    return { rule: 'file', severity: 'error', place: row, message, text: '' };
  });
  for (const [name, check] of Object.entries<Rule>(rules)) {
    const rule = name as RuleName;
    for (const { line, severity, message, text } of check({ ...options, lines })) {
      const { place, number, start, spans } = line;
      const wrong = text ?? plainText(spans);
      findings.push({ rule, severity, place, number, startTime: start.text, message, text: wrong });
    }
  }
  return findings.sort((a, b) => a.place - b.place);
}
