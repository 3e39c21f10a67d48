import { plural } from '../../../core/values/numbers.ts';
import { sortedByStart } from '../line.ts';
import { plainText, visibleLines } from '../spans.ts';
import { nounOf, type Subtitles } from '../subtitles.ts';
import type { Problem, RuleInput } from './checks.ts';
import type { Limits } from './guideLimits.ts';
import type { LimitOptions } from './presets.ts';
import { type RuleName, ruleNames, rules } from './rules.ts';

export interface Finding extends Problem {
  rule: RuleName;
  /** Its position in the translation, or the line of the file. */
  place: number;
  text: string;
  /** If it was compared with an earlier delivery, which may have it. */
  state?: 'new' | 'remaining';
}

/** The contradiction between the text and what says its language, or between the latter. */
export const languageError = ({ findings }: { findings: readonly Finding[] }) =>
  findings.find(({ rule, severity }) => rule === 'language' && severity === 'error');

type Counts = Record<'errors' | 'warnings', number>;

export function countsOf(findings: readonly Pick<Finding, 'severity'>[]): Counts {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: findings.length - errors };
}

/** `2 errors and 1 warning`; empty if there is nothing. */
export function countText({ errors, warnings }: Counts): string {
  const parts = [errors && plural(errors, 'error'), warnings && plural(warnings, 'warning')];
  return parts.filter(Boolean).join(' and ');
}

export interface CheckedSubtitles extends Required<Pick<LimitOptions, 'preset'>> {
  /** In the language that was named, if one was. */
  subtitles: Subtitles;
  /** Those that apply. */
  limits: Limits;
  frameRate: { name: string; from: '--fps' | 'setting' | 'header' | 'assumed' };
  findings: readonly Finding[];
  /** The text cannot contradict the language that is named. */
  hasLittleText: boolean;
}

/** Finds all mistakes, in the order of the lines and then of the rules. */
export function checkSubtitles(
  subtitles: Pick<Subtitles, 'lines' | 'problems' | 'format'>,
  options: Pick<RuleInput, 'limits' | 'language' | 'claims' | 'detect'>,
): Finding[] {
  const { problems, format } = subtitles;
  const noun = nounOf(subtitles);
  const lines = subtitles.lines.map((line, index) => {
    return { ...line, index, visible: visibleLines(line.spans) };
  });
  const timed = sortedByStart(lines);
  const input = { ...options, noun, lines, timed, needsNumbers: format?.needsNumbers ?? true };
  const findings = problems.map(({ row, ...problem }): Finding => {
    return { rule: 'file', severity: 'error', place: row, text: '', ...problem };
  });
  if (lines.length === 0 && (format || problems.length === 0)) {
    findings.push({ rule: 'empty', severity: 'error', place: 1, message: `no ${noun}s`, text: '' });
  }
  for (const rule of ruleNames) {
    for (const problem of rules[rule].check(input)) {
      const { line, text = plainText(line?.spans ?? []) } = problem;
      findings.push({ rule, ...problem, place: line?.place ?? 1, text });
    }
  }
  return findings.sort((a, b) => a.place - b.place);
}
