import { displayWidth, graphemes, isSimple } from '../../terminal/width.ts';
import { localeOf } from './limits.ts';
import { error, type LintInput, type Problem, warning } from './rule.ts';
import { durationOf } from './timingRules.ts';

const letter = /[a-z]/i;

/** Zero-width characters do not count as text. */
export function* emptyText({ lines }: LintInput): Generator<Problem> {
  for (const line of lines) {
    const isEmpty = line.visible.every(
      (text) => !letter.test(text) && (text.trim() === '' || displayWidth(text) === 0),
    );
    if (isEmpty) yield error(line, 'no text');
  }
}

export function* tags({ lines }: LintInput): Generator<Problem> {
  for (const line of lines) {
    for (const problem of line.tagProblems) yield error(line, problem);
  }
}

export function* lineLength({ lines, limits }: LintInput): Generator<Problem> {
  const { maxWidth = Number.POSITIVE_INFINITY } = limits;
  for (const line of lines) {
    for (const text of line.visible) {
      const width = displayWidth(text);
      if (width > maxWidth) yield error(line, `${width} columns wide (maximum ${maxWidth})`, text);
    }
  }
}

export function* lineCount({ lines, limits }: LintInput): Generator<Problem> {
  const { maxLines = Number.POSITIVE_INFINITY } = limits;
  for (const line of lines) {
    const count = line.visible.length;
    if (count > maxLines) yield error(line, `${count} lines (maximum ${maxLines})`);
  }
}

/** Above the limit is a warning, since a little too fast may be fine; beyond this factor, an error. */
const errorFactor = 1.25;

export function* readingSpeed({ lines, limits }: LintInput): Generator<Problem> {
  const { maxSpeed, maxWords, countsFullWidth } = limits;
  for (const line of lines) {
    const seconds = (durationOf(line) ?? 0) / 1000;
    if (seconds <= 0) continue;
    if (maxSpeed !== undefined) {
      const speed = sum(line.visible, countsFullWidth ? fullWidth : characters) / seconds;
      const message = `${rounded(speed)} characters per second (maximum ${maxSpeed})`;
      if (rounded(speed) > maxSpeed) yield problemFor(speed, maxSpeed)(line, message);
    }
    if (maxWords !== undefined) {
      const words = (sum(line.visible, wordCount) / seconds) * 60;
      const message = `${Math.round(words)} words per minute (maximum ${maxWords})`;
      if (Math.round(words) > maxWords) yield problemFor(words, maxWords)(line, message);
    }
  }
}

const problemFor = (speed: number, max: number) => (speed > max * errorFactor ? error : warning);

const sum = (texts: readonly string[], count: (text: string) => number) =>
  texts.reduce((total, text) => total + count(text), 0);

/** Counts like a reader: an emoji is one character, and zero width is none. */
function characters(text: string): number {
  if (isSimple(text)) return text.length;
  return graphemes(text).filter(({ width }) => width > 0).length;
}

const fullWidth = (text: string) => displayWidth(text) / 2;
/** A text in a script without spaces counts as one word. */
const wordCount = (text: string) =>
  text.split(/\s+/).filter((word) => /\p{L}|\p{N}/u.test(word)).length;
const rounded = (speed: number) => Number(speed.toFixed(1));

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

/** Languages with a second script, which `Intl` does not know. */
const secondScripts: Readonly<Record<string, string>> = {
  sr: 'Latn',
  kk: 'Latn',
  uz: 'Cyrl',
  az: 'Cyrl',
};

/** A shorter text may be only a name. */
const minLetters = 20;
/** Lines from all over the text; more would not change the result. */
const maxSampled = 200;

/**
 * Checks that the text as a whole is in the script of its language, so French marked as `jpn` is
 * found. French marked as `spa` is not: language detection is too often wrong on lines this short.
 */
export function* language({ lines, language: code }: LintInput): Generator<Problem> {
  const own = scriptsOf(code).flatMap((script) => letters[script] ?? []);
  const [first] = lines;
  if (own.length === 0 || first === undefined) return;
  const ownIn = (text: string) => own.reduce((sum, one) => sum + countOf(text, one), 0);
  const step = Math.ceil(lines.length / maxSampled);
  const sampled = lines.filter((_, index) => index % step === 0);
  const text = sampled.flatMap(({ visible }) => visible).join(' ');
  const all = countOf(text, anyLetter);
  const matching = ownIn(text);
  if (all < minLetters || matching * 2 >= all) return;
  const line = lines.find(({ visible }) => ownIn(visible.join(' ')) === 0) ?? first;
  const share = Math.round((matching / all) * 100);
  yield warning(line, `language is ${code}, but only ${share} % of the letters are in its script`);
}

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

function scriptsOf(code: string | undefined): string[] {
  const { language: name = '', script } = localeOf(code)?.maximize() ?? {};
  const second = Object.hasOwn(secondScripts, name) ? secondScripts[name] : undefined;
  return [...new Set([script, second])].filter((one) => one !== undefined);
}
