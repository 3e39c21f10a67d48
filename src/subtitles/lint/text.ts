import { displayWidth, graphemes, simpleWidth } from '../../terminal/width.ts';
import type { Line } from '../lines.ts';
import { shownLines } from '../spans.ts';
import { about, type Checked, type Finding, localeOf } from './finding.ts';
import { durationOf } from './timing.ts';

const letter = /[a-z]/i;

/** Lines without anything to see; zero-width characters are nothing to see. */
export function* emptiness({ lines, shown }: Checked): Generator<Finding> {
  for (const [index, line] of lines.entries()) {
    const isEmpty = (shown[index] ?? []).every(
      (text) => !letter.test(text) && (text.trim() === '' || displayWidth(text) === 0),
    );
    if (isEmpty) yield about(line, 'empty', 'error', 'has no text');
  }
}

export function* tags({ lines }: Checked): Generator<Finding> {
  for (const line of lines) {
    for (const problem of line.tagProblems) yield about(line, 'tags', 'error', problem);
  }
}

export function* lineLengths({ lines, shown, limits: { maxWidth } }: Checked): Generator<Finding> {
  if (maxWidth === undefined) return;
  for (const [index, line] of lines.entries()) {
    for (const text of shown[index] ?? []) {
      const width = displayWidth(text);
      if (width <= maxWidth) continue;
      const message = `${width} columns (at most ${maxWidth})`;
      yield about(line, 'line-length', 'error', message, text);
    }
  }
}

export function* lineCounts({ lines, shown, limits: { maxLines } }: Checked): Generator<Finding> {
  if (maxLines === undefined) return;
  for (const [index, line] of lines.entries()) {
    const count = shown[index]?.length ?? 0;
    if (count <= maxLines) continue;
    yield about(line, 'line-count', 'error', `${count} lines (at most ${maxLines})`);
  }
}

/** A little too fast is for people to judge; more than this is too fast for anybody. */
const tooFast = 1.25;

/** Text that is gone before it can be read. */
export function* speeds({ lines, shown, limits }: Checked): Generator<Finding> {
  const { maxSpeed, maxWords, countsFullWidth } = limits;
  if (maxSpeed === undefined && maxWords === undefined) return;
  for (const [index, line] of lines.entries()) {
    const seconds = (durationOf(line) ?? 0) / 1000;
    if (seconds <= 0) continue;
    const texts = shown[index] ?? [];
    const speed = sum(texts, countsFullWidth ? fullWidth : characters) / seconds;
    if (maxSpeed !== undefined && rounded(speed) > maxSpeed) {
      const message = `${rounded(speed)} characters a second (at most ${maxSpeed})`;
      yield about(line, 'speed', severityOf(speed, maxSpeed), message);
    }
    if (maxWords === undefined) continue;
    const words = (sum(texts, wordCount) / seconds) * 60;
    if (Math.round(words) > maxWords) {
      const message = `${Math.round(words)} words a minute (at most ${maxWords})`;
      yield about(line, 'speed', severityOf(words, maxWords), message);
    }
  }
}

const severityOf = (speed: number, most: number) => (speed > most * tooFast ? 'error' : 'warning');

const sum = (texts: readonly string[], count: (text: string) => number) =>
  texts.reduce((total, text) => total + count(text), 0);

/** What a reader counts: an emoji is one, whatever it is made of, and zero width is nothing. */
function characters(text: string): number {
  let simple = 0;
  while (simple < text.length && simpleWidth(text.charCodeAt(simple)) > 0) simple += 1;
  if (simple === text.length) return simple;
  let count = 0;
  for (const { width } of graphemes(text)) if (width > 0) count += 1;
  return count;
}

const fullWidth = (text: string) => displayWidth(text) / 2;
/** Words are what stands between spaces; where there are none, words are not counted but one. */
const wordCount = (text: string) =>
  text.split(/\s+/).filter((word) => /\p{L}|\p{N}/u.test(word)).length;
const rounded = (speed: number) => Number(speed.toFixed(1));

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
