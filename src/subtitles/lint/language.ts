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

/** Languages that are written in a second script as well, which `Intl` does not tell. */
const secondScripts: Readonly<Record<string, string>> = {
  sr: 'Latn',
  kk: 'Latn',
  uz: 'Cyrl',
  az: 'Cyrl',
};

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
  const own = scriptsOf(code).flatMap((script) => letters[script] ?? []);
  const first = lines[0];
  if (own.length === 0 || first === undefined) return;
  const ownIn = (text: string) => own.reduce((sum, one) => sum + countOf(text, one), 0);
  const step = Math.ceil(lines.length / sample);
  const text = lines
    .filter((_, index) => index % step === 0)
    .map(wordsOf)
    .join(' ');
  const all = countOf(text, anyLetter);
  const matching = ownIn(text);
  if (all < enough || matching * 2 >= all) return;
  const line = lines.find((one) => ownIn(wordsOf(one)) === 0) ?? first;
  const share = Math.round((matching / all) * 100);
  const message = `the language is ${code}, but ${share} % of the letters are of its script`;
  yield about(line, 'language', 'warning', message);
}

const wordsOf = ({ spans }: Line) => shownLines(spans).join(' ');

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

function scriptsOf(code: string | undefined): string[] {
  const { language: name = '', script } = localeOf(code)?.maximize() ?? {};
  const second = Object.hasOwn(secondScripts, name) ? secondScripts[name] : undefined;
  return [...new Set([script, second])].filter((one) => one !== undefined);
}
