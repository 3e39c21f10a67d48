import { displayWidth } from '../../../core/values/width.ts';
import { agree, languageName } from '../languages/language.ts';
import { claimsOf, type LanguageClaim } from '../languages/languageOfFile.ts';
import { type Detect, otherLanguage, sampleOf } from '../languages/languageOfText.ts';
import { durationOf, type Line, startOf, stopOf, timeProblem } from '../line.ts';
import { formatSeconds } from '../timecode.ts';
import type { Limits } from './guideLimits.ts';
import { durationProblem, gapProblem, readingOf, styleEdits, widthOf } from './measure.ts';

/* The checks of lines: of times and numbers first, then of the text. rules.ts lists them. */

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
  /** The places that name a language, if they are to be compared. */
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
  /** `fix` repairs it, or not, unlike others of its rule. */
  fixable?: boolean;
}

/** A check of all lines. A rule whose limit is not set finds nothing. */
export type Check = (input: RuleInput) => Iterable<Problem>;

/** A rule that needs to see only one line at a time. */
const eachLine =
  (check: (line: CheckedLine, input: RuleInput) => Problem | Problem[]): Check =>
  (input) =>
    input.lines.flatMap((line) => check(line, input));

const problemOf =
  (severity: Problem['severity']) =>
  (line: CheckedLine, message: string, more?: Partial<Problem>): Problem => {
    return { line, severity, message, ...more };
  };
const error = problemOf('error');
const warning = problemOf('warning');

export const timecodes = eachLine((line) =>
  (['start', 'stop'] as const).flatMap((name) => {
    const { text, problem, hasDot, milliseconds = -1 } = line[name];
    const fixable = milliseconds >= 0;
    const time = text === '' ? `${name} time` : `${name} time ${text}`;
    if (problem !== undefined) return error(line, `${time} ${problem}`, { fixable });
    return hasDot ? warning(line, `${time} has a dot instead of a comma`, { fixable }) : [];
  }),
);

export const durations = eachLine((line, { limits }) => {
  const { minDuration = 0, maxDuration = 0 } = limits;
  const duration = durationOf(line);
  if (duration === undefined) return [];
  if (duration <= 0) return error(line, timeProblem(line) ?? '', { fixable: false });
  const problem = durationProblem(duration, limits);
  if (problem === undefined) return [];
  const [word, limit] = problem === 'short' ? ['minimum', minDuration] : ['maximum', maxDuration];
  const message = `shown for ${formatSeconds(duration)} (${word} ${formatSeconds(limit)})`;
  return warning(line, message, { value: duration, limit, unit: 'ms' });
});

export function* order({ lines, noun }: RuleInput): Generator<Problem> {
  let before: CheckedLine | undefined;
  for (const line of lines.filter((one) => durationOf(one) !== undefined)) {
    if (before && startOf(line) < startOf(before)) {
      yield error(line, `starts earlier than ${noun} ${numberOf(before)} above it`);
    }
    before = line;
  }
  for (const { line, number, last, isDuplicate } of numbered(lines)) {
    if (isDuplicate || number >= last) continue;
    yield error(line, `number ${number} comes after ${last}`, { fixable: true });
  }
}

export function* numbers({ lines, needsNumbers, noun }: RuleInput): Generator<Problem> {
  for (const line of needsNumbers ? lines : []) {
    if (line.number === undefined) yield warning(line, 'no number');
  }
  for (const { line, number, last, isDuplicate } of numbered(lines)) {
    if (isDuplicate) yield error(line, `duplicate number ${number}`);
    else if (number === last + 2)
      yield warning(line, `number ${last + 1} is missing before this ${noun}`);
    else if (number > last + 2) {
      yield warning(line, `numbers ${last + 1} to ${number - 1} are missing before this ${noun}`);
    }
  }
}

/** The lines with a number, each with the number before it. */
function* numbered<One extends Line>(lines: readonly One[]) {
  const seen = new Set<number>();
  let last: number | undefined;
  for (const line of lines) {
    const { number } = line;
    if (number === undefined) continue;
    yield { line, number, last: last ?? number, isDuplicate: seen.has(number) };
    seen.add(number);
    last = number;
  }
}

export function* overlaps({ timed, noun }: RuleInput): Generator<Problem> {
  for (const { line, before } of withLongestBefore(timed)) {
    const common = stopOf(before) - startOf(line);
    if (common <= 0) continue;
    const message = `starts ${formatSeconds(common)} before ${noun} ${numberOf(before)} ends`;
    yield error(line, message, { value: -common, limit: 0, unit: 'ms' });
  }
}

export function* gaps({ timed, limits, noun }: RuleInput): Generator<Problem> {
  const { minGap } = limits;
  if (minGap === undefined) return;
  for (const { line, before } of withLongestBefore(timed)) {
    const gap = startOf(line) - stopOf(before);
    const problem = gapProblem(gap, limits);
    if (problem === undefined) continue;
    const after = `${formatSeconds(gap)} after ${noun} ${numberOf(before)} ends`;
    const [only, advice] = problem === 'short' ? ['only ', 'minimum'] : ['', 'close this gap to'];
    const message = `starts ${only}${after} (${advice} ${formatSeconds(minGap)})`;
    yield warning(line, message, { value: gap, limit: minGap, unit: 'ms' });
  }
}

/** Each line, by start time, with the earlier line that stays longest. */
function* withLongestBefore(timed: readonly CheckedLine[]) {
  let before: CheckedLine | undefined;
  for (const line of timed) {
    if (before) yield { line, before };
    if (!before || stopOf(line) > stopOf(before)) before = line;
  }
}

/** Zero-width characters do not count as text. */
export const emptyText = eachLine((line) =>
  line.visible.every((text) => text.trim() === '' || displayWidth(text) === 0)
    ? error(line, 'no text')
    : [],
);

/** A byte of UTF-8 after the first one, as Windows-1252 shows it. */
const byte = '[\\u0080-\\u00bf\\ufffdŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]';
/** UTF-8 that was read as Windows-1251. */
const cyrillicByte = '[\\u0080-\\u00bf\\u0402-\\u040f\\u0452-\\u045f\\u2013-\\u203aІіҐґ€№™]';
/** Letters and quotes as they look if their bytes were taken for characters; no pair that occurs in a language. */
const encodedTwice = new RegExp(
  `Ã[\\u00a1-\\u00ba\\u00bc-\\u00bfŸœ„]|Â[¿¡]|â€|[ÄÅÈ][ƒŸ‚„‡™›¡¯±³º¼¾]|(?:[Î-Ù]${byte}){3}|(?:[à-ï]${byte}{2}){2}|(?:[РС]${cyrillicByte}){3}`,
);

/** NUL and other control characters are read as U+FFFD. */
export const characters = eachLine((line) => {
  const text = line.visible.join('\n');
  if (encodedTwice.test(text)) return error(line, 'text was encoded twice');
  return text.includes('\ufffd') ? error(line, 'unreadable character (U+FFFD)') : [];
});

export const tags = eachLine((line) =>
  line.tagProblems.map((problem, at) =>
    error(line, problem, { fixable: at < (line.closable?.length ?? 0) }),
  ),
);

export const lineLength = eachLine((line, { limits }) => {
  const { maxWidth = Number.POSITIVE_INFINITY, countsFullWidth } = limits;
  const unit = countsFullWidth ? 'full-width characters' : 'columns';
  return line.visible.flatMap((text) => {
    const width = widthOf(text, limits);
    if (width <= maxWidth) return [];
    const message = `${width} ${unit}${countsFullWidth ? '' : ' wide'} (maximum ${maxWidth})`;
    return error(line, message, { text, value: width, limit: maxWidth, unit });
  });
});

export const lineCount = eachLine((line, { limits: { maxLines = Number.POSITIVE_INFINITY } }) => {
  const value = line.visible.length;
  const measured = { value, limit: maxLines, unit: 'lines' };
  return value > maxLines ? error(line, `${value} lines (maximum ${maxLines})`, measured) : [];
});

export const readingSpeed = eachLine((line, { limits }) => {
  const duration = durationOf(line) ?? 0;
  if (duration <= 0) return [];
  const speeds = readingOf(line.visible, limits).speedsIn(duration);
  return speeds.flatMap(({ rate, max, unit, level }) => {
    const problem = level > 1 ? error : warning;
    const measured = { value: rate, limit: max, unit };
    return level === 0 ? [] : problem(line, `${rate} ${unit} (maximum ${max})`, measured);
  });
});

export const italics = eachLine((line, { limits, language: code }) =>
  limits.forbidsItalics && line.spans.some(({ italic }) => italic)
    ? warning(line, `italics are not used in ${code ?? 'this language'}`)
    : [],
);

/** A rule for something that `styleEdits` changes. */
const styleRule = (name: keyof typeof styleEdits, message: (limits: Limits) => string) =>
  eachLine((line, { limits }) => {
    const edits = styleEdits[name](line.visible.join('\n'), limits);
    return edits.length > 0 ? warning(line, message(limits)) : [];
  });

export const ellipsis = styleRule('ellipsis', () => 'three dots instead of the character …');
export const spaces = styleRule('spaces', () => 'more than one space between words');
export const dash = styleRule('dash', ({ dash: { text, isOnlySecond } = { text: '' } }) =>
  isOnlySecond
    ? `only the second speaker has a dash, written "${text}"`
    : `lines of two speakers must start with "${text}"`,
);

/** Compares the places that name a language with each other and with the text. */
export function* language(input: RuleInput): Generator<Problem> {
  const { lines, language: code, detect } = input;
  if (input.claims?.length === 0 && lines.length > 0) {
    const what = code === undefined ? 'language unknown' : `unknown language "${code}"`;
    yield { severity: 'warning', message: `${what}: its own limits are not applied` };
  }
  const texts = sampleOf(lines);
  const claims = input.claims ?? claimsOf({ '--language': code });
  const said = claims.map(
    ({ by, code: one }) => `${by === '--language' ? '' : 'the '}${by} says ${languageName(one)}`,
  );
  const [first] = claims;
  const found = claims.map((claim) => otherLanguage(claim.code, texts, detect)).find(Boolean);
  if (claims.some((claim) => first && !agree(first.code, claim.code))) {
    const text = found === undefined ? '' : `, the text is ${found}`;
    yield { severity: 'error', message: said.join(', ') + text };
  } else if (found !== undefined) {
    yield { severity: 'error', message: `${said.join(' and ')}, but the text is ${found}` };
  }
}
