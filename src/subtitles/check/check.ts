import { type Line, sortedByStart } from '../line.ts';
import { plainText, visibleLines } from '../spans.ts';
import { nounOf, type Subtitles } from '../subtitles.ts';
import type { ChosenLimits } from './limits.ts';
import type { CheckedLine, Problem, Rule, RuleInput } from './rules/rule.ts';
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
} from './rules/text.ts';
import { durations, gaps, numbers, order, overlaps, timecodes } from './rules/timing.ts';

/*
 * To add a check:
 * 1. Write its function in `rules/timing.ts` or `rules/text.ts`: it yields `error(line, message)` or
 *    `warning(line, message)` for each mistake.
 * 2. Add it below, under the name that users see in `--json` and in annotations.
 * 3. If it has a limit, add the limit to `Limits` in `limits.ts` and to the guides in `guides.ts`,
 *    and its flag to `commands/translation/findings.ts`.
 * 4. Test it in `test/subtitles/check.test.ts`.
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

export interface CheckedSubtitles extends ChosenLimits {
  subtitles: Subtitles;
  findings: readonly Finding[];
}

/** Finds all mistakes, in the order of the lines and then of the rules. */
export function checkSubtitles(
  subtitles: Pick<Subtitles, 'lines' | 'problems' | 'format'>,
  options: Pick<RuleInput, 'limits' | 'language'>,
): Finding[] {
  const { problems, format } = subtitles;
  const noun = nounOf(subtitles);
  const lines = subtitles.lines.map(toCheckedLine);
  const timed = sortedByStart(lines);
  const input = { ...options, noun, lines, timed, needsNumbers: format?.needsNumbers ?? true };
  const findings = problems.map(({ row, message }): Finding => {
    return { rule: 'file', severity: 'error', place: row, message, text: '' };
  });
  if (lines.length === 0) {
    findings.push({ rule: 'empty', severity: 'error', place: 1, message: `no ${noun}s`, text: '' });
  }
  for (const [name, check] of Object.entries<Rule>(rules)) {
    const rule = name as RuleName;
    for (const { line, severity, message, text } of check(input)) {
      const { place, index, number, start, spans } = line;
      const where = { place, index, number, startTime: start.text };
      findings.push({ rule, severity, ...where, message, text: text ?? plainText(spans) });
    }
  }
  return findings.sort((a, b) => a.place - b.place);
}

/** Each field by its name: spreading the lines of a film takes a tenth of a check. */
function toCheckedLine(line: Line, index: number): CheckedLine {
  const { place, number, start, stop, spans, tagProblems, placement } = line;
  const visible = visibleLines(spans);
  return { place, number, start, stop, spans, tagProblems, placement, index, visible };
}
