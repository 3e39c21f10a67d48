import path from 'node:path';
import { agree } from '../../languages/language.ts';
import { fileNameFacts } from '../../languages/languageOfName.ts';
import { type CheckedSubtitles, type DeliveryFinding, deliveryFinding } from '../check/check.ts';
import { sortedByStart, startOf } from '../line.ts';
import { formatSeconds, frameRateNamed, framesToMilliseconds } from '../timecode.ts';
import { isSentence, wordsOf } from './languages.ts';

/** What is kept of a file to compare it with the others: a delivery may have hundreds. */
export type SetMember = ReturnType<typeof setMember>;

const maxSentences = 100;

export function setMember({ subtitles, claims, findings }: CheckedSubtitles) {
  const { name, lines, frameRate } = subtitles;
  const sentences = lines.slice(0, maxSentences).map(wordsOf).filter(isSentence);
  return {
    name,
    ...fileNameFacts(name),
    languages: claims.map(({ code }) => code),
    starts: Float64Array.from(sortedByStart(lines), startOf),
    sentences: new Set(sentences.map((words) => words.join(' '))),
    rate: frameRate?.name,
    isDoubtful: findings.some(({ rule, severity }) => rule === 'language' && severity === 'error'),
  };
}

/** What differs from all other files. Most of them have the times of the picture. */
export function setFindings(members: readonly SetMember[]): DeliveryFinding[] {
  const [main = [], ...groups] = groupsByTime(members).sort((a, b) => b.length - a.length);
  const isCommon = main.length > 1 && main.length > (groups[0]?.length ?? 0);
  return [
    ...(isCommon ? groups.flatMap((group) => otherTimes(main, group)) : []),
    ...main.flatMap((one) => {
      const others = main.filter((other) => other !== one && other.kind === one.kind);
      return [...otherCount(one, others), ...otherRate(one, others)];
    }),
    ...members.flatMap((one) => copied(one, members)),
  ];
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
    if (at < other.length && (other[at] as number) <= time + tolerance) together += 1;
  }
  return together / Math.min(one.length, other.length);
}

function groupsByTime(members: readonly SetMember[]): SetMember[][] {
  const groups: [SetMember, ...SetMember[]][] = [];
  for (const one of members.filter(({ starts }) => starts.length >= minCues)) {
    const own = groups.find(([first]) => shareTogether(first.starts, one.starts) >= minShare);
    if (own) own.push(one);
    else groups.push([one]);
  }
  return groups;
}

function otherTimes(main: readonly SetMember[], group: readonly SetMember[]): DeliveryFinding[] {
  const [first] = group as [SetMember];
  const shift = timeDifference(main[0] as SetMember, first);
  if (shift !== undefined) return group.map(({ name }) => deliveryFinding(name, shift));
  // Several files with the same times, or another title, are another part of the delivery.
  if (group.length > 1 || main.every(({ title }) => title !== first.title)) return [];
  return [deliveryFinding(first.name, 'its times are not those of the other files', 'warning')];
}

const rates = ['24', '23.976', '25', '29.97'].map(frameRateNamed);

/** How the times of a file differ from those of another, if all of them differ alike. */
function timeDifference(main: SetMember, one: SetMember): string | undefined {
  const [first = 0] = main.starts;
  for (const [from, to] of rates.flatMap((rate) => rates.map((other) => [rate, other] as const))) {
    const scale = framesToMilliseconds(1, to) / framesToMilliseconds(1, from);
    const shifts = [0, ...one.starts.slice(0, 3).map((start) => start - first * scale)];
    const fits = (time: number) =>
      shareTogether(main.starts, one.starts, scale, time) >= minShare * 1.5;
    const shift = shifts.find(fits);
    if (shift === undefined) continue;
    const when = `${formatSeconds(Math.abs(shift))} ${shift < 0 ? 'earlier' : 'later'}`;
    return from === to
      ? `all its times are ${when} than those of the other files`
      : `its times are for ${to.name} frames per second, those of the other files for ${from.name}`;
  }
  return undefined;
}

function otherCount(one: SetMember, others: readonly SetMember[]): DeliveryFinding[] {
  const counts = others.map(({ starts }) => starts.length);
  const [least, most, own] = [Math.min(...counts), Math.max(...counts), one.starts.length];
  if (others.length < 2 || (own >= least * 0.8 && own <= most * 1.25)) return [];
  const range = least === most ? least : `${least} to ${most}`;
  return [deliveryFinding(one.name, `has ${own} cues, the other files have ${range}`, 'warning')];
}

function otherRate({ name, rate }: SetMember, others: readonly SetMember[]): DeliveryFinding[] {
  const [common, ...more] = new Set(others.flatMap((other) => other.rate ?? []));
  if (!rate || !common || more.length > 0 || common === rate) return [];
  const message = `declares ${rate} frames per second, the other files ${common}`;
  return [deliveryFinding(name, message, 'warning')];
}

/** If the text of one of the two is in doubt, that one is the copy. */
function copied(one: SetMember, members: readonly SetMember[]): DeliveryFinding[] {
  const original = members.find((other) => {
    const least = Math.min(one.sentences.size, other.sentences.size);
    const areKnown = one.languages.length > 0 && other.languages.length > 0;
    const agrees = one.languages.some((code) => other.languages.some((own) => agree(own, code)));
    if (least < minCues || !areKnown || agrees) return false;
    return [...one.sentences].filter((text) => other.sentences.has(text)).length >= least * 0.8;
  });
  if (!original || (original.isDoubtful && !one.isDoubtful)) return [];
  const message = `has the text of ${path.basename(original.name)}, which is in another language`;
  return [deliveryFinding(one.name, message)];
}
