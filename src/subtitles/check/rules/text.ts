import { displayWidth } from '../../../values/width.ts';
import { localeOf } from '../../language.ts';
import { durationOf } from '../../line.ts';
import type { Limits } from '../guideLimits.ts';
import { readingOf, styleEdits, widthOf } from '../measure.ts';
import { eachLine, error, type Problem, type RuleInput, warning } from './rule.ts';

const letter = /[a-z]/i;

/** Zero-width characters do not count as text. */
export const emptyText = eachLine((line) =>
  line.visible.every(
    (text) => !letter.test(text) && (text.trim() === '' || displayWidth(text) === 0),
  )
    ? error(line, 'no text')
    : [],
);

export const tags = eachLine((line) => line.tagProblems.map((problem) => error(line, problem)));

export const lineLength = eachLine((line, { limits }) => {
  const { maxWidth = Number.POSITIVE_INFINITY, countsFullWidth } = limits;
  const unit = countsFullWidth ? 'full-width characters' : 'columns';
  return line.visible.flatMap((text) => {
    const width = widthOf(text, limits);
    if (width <= maxWidth) return [];
    const message = `${width} ${unit}${countsFullWidth ? '' : ' wide'} (maximum ${maxWidth})`;
    return error(line, message, { text, value: width, limit: maxWidth, unit });
  });
});

export const lineCount = eachLine((line, { limits: { maxLines = Number.POSITIVE_INFINITY } }) => {
  const value = line.visible.length;
  const measured = { value, limit: maxLines, unit: 'lines' };
  return value > maxLines ? error(line, `${value} lines (maximum ${maxLines})`, measured) : [];
});

export const readingSpeed = eachLine((line, { limits }) => {
  const duration = durationOf(line) ?? 0;
  if (duration <= 0) return [];
  const speeds = readingOf(line.visible, limits).speedsIn(duration);
  return speeds.flatMap(({ rate, max, unit, level }) => {
    const problem = level > 1 ? error : warning;
    const measured = { value: rate, limit: max, unit };
    return level === 0 ? [] : problem(line, `${rate} ${unit} (maximum ${max})`, measured);
  });
});

export const italics = eachLine((line, { limits, language: code }) =>
  limits.forbidsItalics && line.spans.some(({ italic }) => italic)
    ? warning(line, `italics are not used in ${code ?? 'this language'}`)
    : [],
);

/** A rule for something that `styleEdits` changes. */
const styleRule = (name: keyof typeof styleEdits, message: (limits: Limits) => string) =>
  eachLine((line, { limits }) => {
    const edits = styleEdits[name](line.visible.join('\n'), limits);
    return edits.length > 0 ? warning(line, message(limits)) : [];
  });

export const ellipsis = styleRule('ellipsis', () => 'three dots instead of the character …');
export const spaces = styleRule('spaces', () => 'more than one space between words');
export const dash = styleRule('dash', ({ dash: { text, isOnlySecond } = { text: '' } }) =>
  isOnlySecond
    ? `only the second speaker has a dash, written "${text}"`
    : `lines of two speakers must start with "${text}"`,
);

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
export function* language({ lines, language: code }: RuleInput): Generator<Problem> {
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
