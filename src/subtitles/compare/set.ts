import path from 'node:path';
import { agree } from '../../languages/language.ts';
import { fileNameFacts } from '../../languages/languageOfName.ts';
import { type CheckedSubtitles, deliveryFinding, type Finding } from '../check/check.ts';
import { sortedByStart, startOf } from '../line.ts';
import { formatSeconds } from '../timecode.ts';
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

/** What differs from all other files, by the name of the file. Most files have the times of the picture. */
export function setFindings(members: readonly SetMember[]): Map<string, Finding[]> {
  const found = new Map(members.map(({ name }): [string, Finding[]] => [name, []]));
  const add = ({ name }: SetMember, severity: Finding['severity'], message: string) =>
    found.get(name)?.push(deliveryFinding(severity, message));

  const [main = [], ...groups] = groupsByTime(members).sort((a, b) => b.length - a.length);
  const isCommon = main.length > 1 && main.length > (groups[0]?.length ?? 0);
  for (const group of isCommon ? groups : []) {
    const shift = timeDifference(main[0] as SetMember, group[0] as SetMember);
    const isSameTitle = main.some(({ title }) => title === group[0]?.title);
    const [alone] = group.length === 1 && isSameTitle ? group : [];
    if (shift !== undefined) for (const one of group) add(one, 'error', shift);
    else if (alone) add(alone, 'warning', 'its times are not those of the other files');
  }
  for (const one of main) {
    const others = main.filter((other) => other !== one && other.kind === one.kind);
    const counts = others.map(({ starts }) => starts.length);
    const [least, most, own] = [Math.min(...counts), Math.max(...counts), one.starts.length];
    if (others.length > 1 && (own < least * 0.8 || own > most * 1.25)) {
      const range = least === most ? least : `${least} to ${most}`;
      add(one, 'warning', `has ${own} cues, the other files have ${range}`);
    }
    const rates = new Set(others.flatMap(({ rate }) => rate ?? []));
    const [rate] = rates;
    if (one.rate && rates.size === 1 && rate !== one.rate) {
      add(one, 'warning', `declares ${one.rate} frames per second, the other files ${rate}`);
    }
  }
  for (const [one, other] of copies(members)) {
    const isOther = other.isDoubtful && !one.isDoubtful;
    if (!isOther)
      add(
        one,
        'error',
        `has the text of ${path.basename(other.name)}, which is in another language`,
      );
  }
  return found;
}

const tolerance = 300;
/** Fewer cues may be at the same times by chance. */
const minCues = 5;

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

const minShare = 0.5;

function groupsByTime(members: readonly SetMember[]): SetMember[][] {
  const groups: [SetMember, ...SetMember[]][] = [];
  for (const one of members.filter(({ starts }) => starts.length >= minCues)) {
    const own = groups.find(([first]) => shareTogether(first.starts, one.starts) >= minShare);
    if (own) own.push(one);
    else groups.push([one]);
  }
  return groups;
}

const rates: readonly [name: string, rate: number][] = [
  ['23.976', 24000 / 1001],
  ['24', 24],
  ['25', 25],
  ['29.97', 30000 / 1001],
];

/** How the times of a file differ from those of another, if all of them differ alike. */
function timeDifference(main: SetMember, one: SetMember): string | undefined {
  const [first = 0] = main.starts;
  const shiftsAt = (scale: number) =>
    [...one.starts.slice(0, 3)].map((start) => start - first * scale);
  const fits = (scale: number, shift: number) =>
    shareTogether(main.starts, one.starts, scale, shift) >= minShare * 1.5;
  const shift = shiftsAt(1).find((time) => fits(1, time));
  if (shift !== undefined) {
    const when = `${formatSeconds(Math.abs(shift))} ${shift < 0 ? 'earlier' : 'later'}`;
    return `all its times are ${when} than those of the other files`;
  }
  for (const [mainName, mainRate] of rates) {
    for (const [name, rate] of rates) {
      const scale = mainRate / rate;
      if (name === mainName || ![0, ...shiftsAt(scale)].some((time) => fits(scale, time))) continue;
      return `its times are for ${name} frames per second, those of the other files for ${mainName}`;
    }
  }
  return undefined;
}

/** Each file with the text of one that should be in another language. */
function copies(members: readonly SetMember[]): [SetMember, SetMember][] {
  const isCopy = (one: SetMember, other: SetMember) => {
    const least = Math.min(one.sentences.size, other.sentences.size);
    const areOther = one.languages.every(
      (code) => !other.languages.some((own) => agree(own, code)),
    );
    if (least < minCues || !areOther || !one.languages[0] || !other.languages[0]) return false;
    const shared = [...one.sentences].filter((text) => other.sentences.has(text)).length;
    return shared >= least * 0.8;
  };
  return members.flatMap((one): [SetMember, SetMember][] => {
    const other = members.find((candidate) => candidate !== one && isCopy(one, candidate));
    return other ? [[one, other]] : [];
  });
}
