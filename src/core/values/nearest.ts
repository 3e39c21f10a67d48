import { sanitise } from './sanitise.ts';

/** A name that is not known, and the known one that it resembles. */
export interface UnknownField {
  path: string;
  meant?: string;
}

/** `unknown field "langauge" (did you mean "language"?)` */
export const describeUnknown = (kind: string, { path, meant }: UnknownField): string =>
  `unknown ${kind} "${sanitise(path)}"${meant === undefined ? '' : ` (did you mean "${meant}"?)`}`;

/** Letters of other scripts, each before the Latin one that it looks like. */
const lookAlikes =
  'аaеeоoрpсcхxуyіiѕsјjһhԁdԛqԝwкkмmтtвbнhАAВBЕEКKМMНHОOРPСCТTУYХXІIЅSЈJαaεeιiκkνvοoρpτtυuχxΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXıi';

/** Full-width letters and those that look like a Latin one, as these. */
export const inLatin = (text: string): string =>
  /^[ -~]*$/.test(text)
    ? text
    : text.normalize('NFKC').replace(/[^ -~]/g, (letter) => {
        const at = lookAlikes.indexOf(letter);
        return at % 2 === 0 ? (lookAlikes[at + 1] ?? letter) : letter;
      });

/** The parts of a list that somebody wrote as one value: `online,broadcast`. */
export const listedWords = (value: string): string[] => value.split(/[\s,;:|/+&]+/).filter(Boolean);

/** `tags2` and `tags`, `imax3d` and `imax2d`: mostly names of their own, no slips. */
export const differInDigits = (one: string, other: string): boolean =>
  one !== other && one.replaceAll(/\d/g, '') === other.replaceAll(/\d/g, '');

/** The known word that is closest, if it is close enough to be meant. */
export function nearest(
  word: string,
  known: readonly string[],
  maxDistance = 2,
): string | undefined {
  /** One letter in a short word, two in a longer one: more would suggest other words. */
  const tolerance = (candidate: string) => Math.min(maxDistance, candidate.length < 6 ? 1 : 2);

  const [best] = known
    // The difference in length is a lower bound, and quicker to compute.
    .filter((candidate) => Math.abs(word.length - candidate.length) <= tolerance(candidate))
    .map((candidate) => ({ candidate, distance: distance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= tolerance(candidate))
    .sort((a, b) => a.distance - b.distance);
  return best?.candidate;
}

/** With another first letter, it is a typo only if a single letter differs: incomplete is not complete. */
export function closest(given: string, known: readonly string[]): string | undefined {
  const value = inLatin(given).toLowerCase();
  const byWord = new Map(known.map((one) => [one.toLowerCase(), one]));
  const words = [...byWord.keys()];
  const alike = words.filter((one) => one[0] === value[0]);
  const word = byWord.has(value) ? value : (nearest(value, words, 1) ?? nearest(value, alike));
  return byWord.get(word ?? '');
}

/** The number of letters to add, drop, change or swap with the next one. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const at = (up: number, left: number) => rows[i - up]?.[j - left] ?? 0;
      const choices = [at(1, 0) + 1, (row[j - 1] ?? 0) + 1, at(1, 1) + cost];
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        choices.push(at(2, 2) + 1);
      }
      row.push(Math.min(...choices));
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
