import { timeProblem } from '../cues.ts';
import type { Line } from '../lines.ts';
import { inSeconds } from '../timecode.ts';
import { about, type Checked, type Finding } from './finding.ts';

/** Times that cannot be read, or are not written as they should be. */
export function* timecodes({ lines }: Checked): Generator<Finding> {
  for (const line of lines) {
    for (const [name, { text, problem, hasDot }] of [
      ['start', line.start],
      ['stop', line.stop],
    ] as const) {
      const shown = text === '' ? `the ${name} time` : `the ${name} time ${text}`;
      if (problem !== undefined) yield about(line, 'timecode', 'error', `${shown} ${problem}`);
      else if (hasDot) {
        yield about(line, 'timecode', 'warning', `${shown} has a dot in place of the comma`);
      }
    }
  }
}

/** Lines that end before they begin, and those that are there too short or too long. */
export function* durations({ lines, limits }: Checked): Generator<Finding> {
  const { minDuration = 0, maxDuration = Number.POSITIVE_INFINITY } = limits;
  for (const line of lines) {
    const duration = durationOf(line);
    if (duration === undefined) continue;
    if (duration <= 0) yield about(line, 'duration', 'error', timeProblem(line) ?? '');
    else if (duration < minDuration) {
      const message = `shown for ${inSeconds(duration)} (at least ${inSeconds(minDuration)})`;
      yield about(line, 'duration', 'warning', message);
    } else if (duration > maxDuration) {
      const message = `shown for ${inSeconds(duration)} (at most ${inSeconds(maxDuration)})`;
      yield about(line, 'duration', 'warning', message);
    }
  }
}

/** How long it is shown, where both of its times can be read. */
export function durationOf({ start, stop }: Line): number | undefined {
  if (start.problem !== undefined || stop.problem !== undefined) return undefined;
  return (stop.milliseconds ?? 0) - (start.milliseconds ?? 0);
}

/** Lines that start before the one they follow. */
export function* order({ lines }: Checked): Generator<Finding> {
  for (const { line, before } of neighbours(lines)) {
    if (startOf(line) >= startOf(before)) continue;
    const message = `starts before ${nameOf(before)}, which stands before it`;
    yield about(line, 'order', 'error', message);
  }
}

/** Lines that are shown while another one still is. */
export function* overlaps({ lines }: Checked): Generator<Finding> {
  for (const { line, before } of byTime(lines)) {
    const common = stopOf(before) - startOf(line);
    if (common <= 0) continue;
    const message = `starts ${inSeconds(common)} before ${nameOf(before)} stops`;
    yield about(line, 'overlap', 'error', message);
  }
}

/** Gaps too short to be seen as such. */
export function* gaps({ lines, limits }: Checked): Generator<Finding> {
  const { minGap, mayTouch } = limits;
  if (minGap === undefined) return;
  for (const { line, before } of byTime(lines)) {
    const gap = startOf(line) - stopOf(before);
    if (gap < 0 || gap >= minGap || (gap === 0 && mayTouch)) continue;
    const message = `${inSeconds(gap)} after ${nameOf(before)} (at least ${inSeconds(minGap)})`;
    yield about(line, 'gap', 'warning', message);
  }
}

const startOf = ({ start }: Line) => start.milliseconds ?? 0;
const stopOf = ({ stop }: Line) => stop.milliseconds ?? 0;
const nameOf = ({ number, place }: Line) => `line ${number ?? place}`;

interface Neighbours {
  line: Line;
  before: Line;
}

/** Each line with the one before it; those without usable times are passed over. */
function* neighbours(lines: readonly Line[]): Generator<Neighbours> {
  let before: Line | undefined;
  for (const line of lines) {
    if (durationOf(line) === undefined) continue;
    if (before) yield { line, before };
    before = line;
  }
}

/** Each line, as they are shown, with the one before it that is shown longest. */
function* byTime(lines: readonly Line[]): Generator<Neighbours> {
  let before: Line | undefined;
  const timed = lines.filter((line) => (durationOf(line) ?? 0) > 0);
  for (const line of timed.toSorted((a, b) => startOf(a) - startOf(b))) {
    if (before) yield { line, before };
    if (!before || stopOf(line) > stopOf(before)) before = line;
  }
}
