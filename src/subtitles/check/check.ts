import type { LanguageClaim } from '../../languages/language.ts';
import { type Line, sortedByStart } from '../line.ts';
import { plainText, visibleLines } from '../spans.ts';
import { nounOf, type Subtitles } from '../subtitles.ts';
import type { Limits } from './guideLimits.ts';
import { guideName, type LimitOptions } from './presets.ts';
import type { CheckedLine, Problem, RuleInput } from './rules/rule.ts';
import { type RuleName, ruleNames, rules } from './rules/rules.ts';

export interface Finding extends Problem {
  rule: RuleName;
  /** Its position in the translation, or the line of the file. */
  place: number;
  text: string;
}

/** What says the language contradicts the rest, and the user did not decide. */
export const languageClash = ({ findings, claims }: CheckedSubtitles): Finding | undefined =>
  claims[0]?.by === '--language'
    ? undefined
    : findings.find(({ rule, severity }) => rule === 'language' && severity === 'error');

export type Counts = Record<'errors' | 'warnings', number>;

export function countsOf({
  findings,
  dropped = { errors: 0, warnings: 0 },
}: Pick<CheckedSubtitles, 'findings' | 'dropped'>): Counts {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  return { errors: errors + dropped.errors, warnings: warnings + dropped.warnings };
}

/** The limits are those that apply, `given` those of them that flags have set. */
export interface CheckedSubtitles extends Required<Pick<LimitOptions, 'given' | 'preset'>> {
  subtitles: Subtitles;
  claims: readonly LanguageClaim[];
  /** The number of lines, which are not kept if nothing shows them. */
  cues: number;
  limits: Limits;
  language?: string;
  frameRate?: { name: string; from: '--fps' | 'header' | 'assumed' };
  findings: readonly Finding[];
  /** Findings that were only counted, because nothing shows them. */
  dropped?: Counts;
}

/** What subtitles are taken for, and what says so. */
export const factsOf = ({ subtitles, ...checked }: CheckedSubtitles) => ({
  language: checked.language ?? null,
  languageFrom: checked.claims[0]?.by ?? null,
  format: subtitles.format?.title ?? null,
  encoding: subtitles.file?.encoding ?? null,
  encodingFrom: subtitles.file?.isNamed ? '--encoding' : null,
  frameRate: checked.frameRate?.name ?? null,
  frameRateFrom: checked.frameRate?.from ?? null,
  guide: guideName(checked.preset, checked.language) ?? null,
});

/** `fr (name), SRT, utf-8, 24 fps (assumed), Netflix: others`. */
export function takenFor(checked: CheckedSubtitles): string {
  const { language, format, encoding, frameRate, guide, ...from } = factsOf(checked);
  const parts: readonly [text: string | null, from?: string | null][] = [
    [language ?? 'unknown language', from.languageFrom],
    [format],
    [encoding, from.encodingFrom],
    [frameRate && `${frameRate} fps`, from.frameRateFrom],
    [guide],
  ];
  return parts
    .flatMap(([text, origin]) => (text ? text + (origin ? ` (${origin})` : '') : []))
    .join(', ');
}

/** A finding about a file as a part of its delivery, with the name of the file. */
export type DeliveryFinding = readonly [name: string, finding: Finding];

export const deliveryFinding = (
  name: string,
  message: string,
  severity: Finding['severity'] = 'error',
): DeliveryFinding => [name, { rule: 'delivery', severity, message, place: 1, text: '' }];

/** Finds all mistakes, in the order of the lines and then of the rules. */
export function checkSubtitles(
  subtitles: Pick<Subtitles, 'lines' | 'problems' | 'format'>,
  options: Pick<RuleInput, 'limits' | 'language' | 'claims' | 'detect'>,
): Finding[] {
  const { problems, format } = subtitles;
  const noun = nounOf(subtitles);
  const lines = subtitles.lines.map(toCheckedLine);
  const timed = sortedByStart(lines);
  const input = { ...options, noun, lines, timed, needsNumbers: format?.needsNumbers ?? true };
  const findings = problems.map(({ row, message }): Finding => {
    return { rule: 'file', severity: 'error', place: row, message, text: '' };
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

/** Each field by its name: spreading the lines of a film takes a tenth of a check. */
function toCheckedLine(line: Line, index: number): CheckedLine {
  const { place, number, start, stop, spans, tagProblems, placement } = line;
  const visible = visibleLines(spans);
  return { place, number, start, stop, spans, tagProblems, placement, index, visible };
}
