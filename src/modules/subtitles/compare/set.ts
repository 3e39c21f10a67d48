import { addDeliveryFinding, type Summary } from '../check/summary.ts';
import { formatSeconds, frameRateNamed, framesToMilliseconds } from '../timecode.ts';

/** Adds what differs from all other files. Most of them have the times of the picture. */
export function compareFiles(files: readonly Summary[]): void {
  const [main = [], ...groups] = groupsByTime(files).sort((a, b) => b.length - a.length);
  const isCommon = main.length > 1 && main.length > (groups[0]?.length ?? 0);
  if (isCommon) for (const group of groups) compareTimes(main, group);
}

const tolerance = 300;
/** Fewer cues may be at the same times by chance. */
const minCues = 5;
const minShare = 0.5;

/** The share of cues of the shorter file that start together, if the first one's times were changed. */
function shareTogether(one: Float64Array, other: Float64Array, scale = 1, shift = 0): number {
  let [at, together] = [0, 0];
  for (const start of one) {
    const time = start * scale + shift;
    while (at < other.length && (other[at] as number) < time - tolerance) at += 1;
    if (at < other.length && (other[at] as number) <= time + tolerance) {
      together += 1;
      at += 1;
    }
  }
  return together / Math.min(one.length, other.length);
}

function groupsByTime(files: readonly Summary[]): Summary[][] {
  const groups: [Summary, ...Summary[]][] = [];
  for (const one of files.filter(({ starts }) => starts.length >= minCues)) {
    const own = groups.find(([first]) => shareTogether(first.starts, one.starts) >= minShare);
    if (own) own.push(one);
    else groups.push([one]);
  }
  return groups;
}

function compareTimes(main: readonly Summary[], group: readonly Summary[]): void {
  const [first] = group as [Summary];
  const shift = timeDifference(main[0] as Summary, first);
  if (shift) for (const one of group) addDeliveryFinding(one, shift);
  // Several files with the same times, or another title, are another part of the delivery.
  else if (
    shift === undefined &&
    group.length === 1 &&
    main.some(({ nameFacts }) => nameFacts.title === first.nameFacts.title)
  ) {
    addDeliveryFinding(first, 'its times are not those of the other files', 'warning');
  }
}

const rates = ['24', '23.976', '25', '29.97'].map(frameRateNamed);

/** How the times of a file differ from those of another, if all of them differ alike; empty if they do not. */
function timeDifference(main: Summary, one: Summary): string | undefined {
  const [first = 0] = main.starts;
  for (const [from, to] of rates.flatMap((rate) => rates.map((other) => [rate, other] as const))) {
    const scale = framesToMilliseconds(1, to) / framesToMilliseconds(1, from);
    const shifts = [0, ...one.starts.slice(0, 3).map((start) => start - first * scale)];
    const fits = (time: number) =>
      shareTogether(main.starts, one.starts, scale, time) >= minShare * 1.5;
    const shift = shifts.find(fits);
    if (shift === undefined) continue;
    if (from === to && Math.abs(shift) <= tolerance) return '';
    const when = `${formatSeconds(Math.abs(shift))} ${shift < 0 ? 'earlier' : 'later'}`;
    return from === to
      ? `all its times are ${when} than those of the other files`
      : `its times are for ${to.name} frames per second, those of the other files for ${from.name}`;
  }
  return undefined;
}
