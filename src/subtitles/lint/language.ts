import type { Line } from '../lines.ts';
import { shownLines } from '../spans.ts';
import { about, type Checked, type Finding } from './finding.ts';
import { localeOf } from './locale.ts';

/** The scripts whose letters can be told apart, by the codes that `Intl` has for them. */
const letters: Readonly<Record<string, RegExp>> = {
  Latn: /\p{Script=Latin}/gu,
  Cyrl: /\p{Script=Cyrillic}/gu,
  Grek: /\p{Script=Greek}/gu,
  Arab: /\p{Script=Arabic}/gu,
  Hebr: /\p{Script=Hebrew}/gu,
  Thai: /\p{Script=Thai}/gu,
  Deva: /\p{Script=Devanagari}/gu,
  Jpan: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu,
  Kore: /[\p{Script=Hangul}\p{Script=Han}]/gu,
  Hans: /\p{Script=Han}/gu,
  Hant: /\p{Script=Han}/gu,
};
const anyLetter = /\p{L}/gu;

/** Less text than this may be a name. */
const enough = 20;
/** So many lines, from all over the text, tell as much as all of them. */
const sample = 200;

/**
 * Whether the text as a whole is in the script of its language: a French file under `jpn` is found.
 * French under `spa` is not: what tells languages of one script apart is wrong too often on lines as
 * short as these.
 */
export function* language({ lines, language: code }: Checked): Generator<Finding> {
  const script = localeOf(code)?.maximize().script;
  const own = script === undefined ? undefined : letters[script];
  const first = lines[0];
  if (own === undefined || first === undefined) return;
  const step = Math.ceil(lines.length / sample);
  const text = lines
    .filter((_, index) => index % step === 0)
    .map(wordsOf)
    .join(' ');
  const all = text.match(anyLetter)?.length ?? 0;
  const matching = text.match(own)?.length ?? 0;
  if (all < enough || matching * 2 >= all) return;
  const line = lines.find((one) => (wordsOf(one).match(own)?.length ?? 0) === 0) ?? first;
  const share = Math.round((matching / all) * 100);
  const message = `the language is ${code}, but ${share} % of the letters are of its script`;
  yield about(line, 'language', 'warning', message);
}

const wordsOf = ({ spans }: Line) => shownLines(spans).join(' ');
