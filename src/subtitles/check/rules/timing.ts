import { durationOf, type Line, startOf, stopOf, timeProblem } from '../../line.ts';
import { formatSeconds } from '../../timecode.ts';
import { durationProblem, gapProblem } from '../measure.ts';
import {
  type CheckedLine,
  eachLine,
  error,
  numberOf,
  type Problem,
  type RuleInput,
  warning,
} from './rule.ts';

export const timecodes = eachLine((line) =>
  (['start', 'stop'] as const).flatMap((name) => {
    const { text, problem, hasDot } = line[name];
    const time = text === '' ? `${name} time` : `${name} time ${text}`;
    if (problem !== undefined) return error(line, `${time} ${problem}`);
    return hasDot ? warning(line, `${time} has a dot instead of a comma`) : [];
  }),
);

export const durations = eachLine((line, { limits }) => {
  const { minDuration = 0, maxDuration = 0 } = limits;
  const duration = durationOf(line);
  if (duration === undefined) return [];
  if (duration <= 0) return error(line, timeProblem(line) ?? '');
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
    yield error(line, `number ${number} comes after ${last}`);
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
