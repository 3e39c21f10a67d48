import type { Limits } from '../check/guideLimits.ts';
import { durationProblem, gapProblem, readingOf } from '../check/measure.ts';
import { type Line, sortedByStart, startOf, stopOf } from '../line.ts';
import { visibleLines } from '../spans.ts';
import { formatTimecode } from '../timecode.ts';

/** Lines that need no change are the same objects as before. */
export function fixTimesAndNumbers(lines: readonly Line[], limits: Limits, needsNumbers = false) {
  const ordered = sortedByStart(lines);
  const starts = ordered.map(startOf);
  const stops = new Map(
    ordered.map((line, index) => [line, bestStop(line, starts[index + 1], limits)]),
  );
  const numbers = fixedNumbers(lines, needsNumbers);
  return lines.map((line, index): Line => {
    const milliseconds = stops.get(line) ?? stopOf(line);
    const number = numbers[index];
    if (milliseconds === stopOf(line)) return number === line.number ? line : { ...line, number };
    const mark = line.stop.text.includes('.') ? '.' : ',';
    return { ...line, number, stop: { text: formatTimecode(milliseconds, mark), milliseconds } };
  });
}

/** Right numbers have no gaps, are in order, and none is missing where one is needed. */
function fixedNumbers(lines: readonly Line[], needsNumbers: boolean) {
  const present = lines.flatMap(({ number }) => number ?? []);
  const isComplete = !needsNumbers || present.length === lines.length;
  const first = present[0] ?? 1;
  const isRight = isComplete && present.every((number, index) => number === first + index);
  let last = 0;
  return lines.map(({ number }) => {
    if (isRight || (!needsNumbers && number === undefined)) return number;
    last += 1;
    return last;
  });
}

/**
 * Chooses a stop time for a line: the one with the fewest problems, and of these the one nearest to
 * the line's own. Start times stay, because they follow the speech.
 */
function bestStop(line: Line, next: number | undefined, limits: Limits): number {
  const { minDuration = 0, maxDuration = Number.POSITIVE_INFINITY, minGap = 0 } = limits;
  const [start, own] = [startOf(line), stopOf(line)];
  const reading = readingOf(visibleLines(line.spans), limits);
  /** The levels of each kind of problem: too short, too long, too fast, overlap, gap. */
  const levelsAt = (stop: number) => {
    const duration = stop - start;
    const problem = durationProblem(duration, limits);
    const gap = next === undefined ? Number.POSITIVE_INFINITY : next - stop;
    return [
      Number(problem === 'short'),
      Number(problem === 'long'),
      sum(reading.speedsIn(duration).map(({ level }) => level)),
      gap < 0 ? 2 : 0,
      Number(gapProblem(gap, limits) !== undefined),
    ] as const;
  };
  const before = levelsAt(own);
  if (sum(before) === 0) return own;

  /** The latest stop that leaves the minimum gap; a line may also touch the next one in some guides. */
  const latest = next === undefined ? own + maxAdded : next - (limits.mayTouch ? 0 : minGap);
  const isOnlyOpen = sum(before) === 1 && before[4] === 1 && latest > own;
  if (isOnlyOpen && latest <= start + maxDuration) return latest;
  const ends = [
    minDuration,
    maxDuration,
    reading.needed,
    ...(next === undefined
      ? []
      : [next - minGap - start, next - (limits.closedGaps?.to ?? minGap) - 1 - start]),
  ].map((duration) => start + Math.min(duration, maxDuration));
  const candidates = [...new Set([own, latest, ...ends.map((end) => Math.min(end, latest))])]
    .filter((stop) => stop > start && stop <= Math.max(own, start + maxDuration))
    .map((stop) => ({ stop, levels: levelsAt(stop) }))
    // No kind of problem may get worse, not even for another that goes away.
    .filter(({ levels }) => levels.every((level, kind) => level <= (before[kind] ?? 0)));
  const least = Math.min(...candidates.map(({ levels }) => sum(levels)));
  const best = candidates.filter(({ levels }) => sum(levels) === least);
  const stops = best.map(({ stop }) => stop);
  // Still too fast: as slow as the limits allow.
  if (best.some(({ levels: [, , speed] }) => speed > 0)) return Math.max(...stops);
  // Later rather than earlier: an open gap is closed, not widened.
  const later = stops.filter((stop) => stop >= own);
  return later.length > 0 ? Math.min(...later) : Math.max(...stops);
}

const sum = (levels: readonly number[]) => levels.reduce((total, level) => total + level, 0);

/** The last line has no other after it; its time is bounded by the other limits, or by this. */
const maxAdded = 60_000;
