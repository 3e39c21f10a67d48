import type { Line } from '../lines.ts';
import type { Limits } from '../lint/limits.ts';
import { durationProblem, gapProblem, readingOf } from '../lint/measure.ts';
import { sortedByStart, startOf, stopOf } from '../lint/timingRules.ts';
import { visibleLines } from '../spans.ts';

/**
 * Chooses a stop time for each line: the one with the fewest problems, and of these the one nearest to
 * the line's own. Start times stay, because they follow the speech. Returns only the times that change.
 */
export function fixedStops(lines: readonly Line[], limits: Limits): Map<Line, number> {
  const stops = new Map<Line, number>();
  const ordered = sortedByStart(lines);
  for (const [index, line] of ordered.entries()) {
    const next = ordered[index + 1];
    const stop = bestStop(line, next && startOf(next), limits);
    if (stop !== stopOf(line)) stops.set(line, stop);
  }
  return stops;
}

function bestStop(line: Line, next: number | undefined, limits: Limits): number {
  const { minDuration = 0, maxDuration = Number.POSITIVE_INFINITY, minGap = 0 } = limits;
  const [start, own] = [startOf(line), stopOf(line)];
  const reading = readingOf(visibleLines(line.spans), limits);
  const problemsAt = (stop: number) => {
    const duration = stop - start;
    const problem = durationProblem(duration, limits);
    const gap = next === undefined ? Number.POSITIVE_INFINITY : next - stop;
    return {
      short: Number(problem === 'short'),
      long: Number(problem === 'long'),
      speed: reading.speedsIn(duration).reduce((sum, { level }) => sum + level, 0),
      overlap: gap < 0 ? 2 : 0,
      gap: Number(gapProblem(gap, limits) !== undefined),
    };
  };
  const before = problemsAt(own);
  if (Object.values(before).every((level) => level === 0)) return own;

  /** The latest stop that leaves the minimum gap; a line may also touch the next one in some guides. */
  const latest = next === undefined ? own + maxAdded : next - (limits.mayTouch ? 0 : minGap);
  const ends = [
    minDuration,
    maxDuration,
    reading.needed,
    ...(next === undefined
      ? []
      : [next - minGap - start, next - (limits.closedGaps?.to ?? minGap) - 1 - start]),
  ].map((duration) => start + Math.min(duration, maxDuration));
  const candidates = [own, latest, ...ends.map((end) => Math.min(end, latest))]
    .filter((stop) => stop > start && stop <= Math.max(own, start + maxDuration))
    .map((stop) => ({ stop, problems: problemsAt(stop) }))
    // No kind of problem may get worse, not even for another that goes away.
    .filter(({ problems }) =>
      Object.entries(problems).every(
        ([kind, level]) => level <= before[kind as keyof typeof before],
      ),
    );
  const levelOf = ({ problems }: (typeof candidates)[number]) =>
    Object.values(problems).reduce((sum, level) => sum + level, 0);
  const least = Math.min(...candidates.map(levelOf));
  const best = candidates.filter((candidate) => levelOf(candidate) === least);
  // Still too fast: as slow as the limits allow.
  if (best.some(({ problems }) => problems.speed > 0)) {
    return Math.max(...best.map(({ stop }) => stop));
  }
  // Later rather than earlier: an open gap is closed, not widened.
  const stops = best.map(({ stop }) => stop);
  const later = stops.filter((stop) => stop >= own);
  return later.length > 0 ? Math.min(...later) : Math.max(...stops);
}

/** The last line has no other after it; its time is bounded by the other limits, or by this. */
const maxAdded = 60_000;
