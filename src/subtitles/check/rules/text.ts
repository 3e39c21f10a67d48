import { displayWidth } from '../../../values/width.ts';
import { localeOf } from '../../language.ts';
import { durationOf } from '../../line.ts';
import { readingOf, styleEdits, widthOf } from '../measure.ts';
import { error, type Problem, type Rule, type RuleInput, warning } from './rule.ts';

const letter = /[a-z]/i;

/** Zero-width characters do not count as text. */
export function* emptyText({ lines }: RuleInput): Generator<Problem> {
  for (const line of lines) {
    const isEmpty = line.visible.every(
      (text) => !letter.test(text) && (text.trim() === '' || displayWidth(text) === 0),
    );
    if (isEmpty) yield error(line, 'no text');
  }
}

export function* tags({ lines }: RuleInput): Generator<Problem> {
  for (const line of lines) {
    for (const problem of line.tagProblems) yield error(line, problem);
  }
}

export function* lineLength({ lines, limits }: RuleInput): Generator<Problem> {
  const { maxWidth = Number.POSITIVE_INFINITY, countsFullWidth } = limits;
  const unit = countsFullWidth ? 'full-width characters' : 'columns';
  for (const line of lines) {
    for (const text of line.visible) {
      const width = widthOf(text, limits);
      if (width <= maxWidth) continue;
      const message = `${width} ${unit}${countsFullWidth ? '' : ' wide'} (maximum ${maxWidth})`;
      yield error(line, message, { text, value: width, limit: maxWidth, unit });
    }
  }
}

export function* lineCount({ lines, limits }: RuleInput): Generator<Problem> {
  const { maxLines = Number.POSITIVE_INFINITY } = limits;
  for (const line of lines) {
    const count = line.visible.length;
    if (count <= maxLines) continue;
    const measured = { value: count, limit: maxLines, unit: 'lines' };
    yield error(line, `${count} lines (maximum ${maxLines})`, measured);
  }
}

export function* readingSpeed({ lines, limits }: RuleInput): Generator<Problem> {
  for (const line of lines) {
    const duration = durationOf(line) ?? 0;
    if (duration <= 0) continue;
    for (const { rate, max, unit, level } of readingOf(line.visible, limits).speedsIn(duration)) {
      if (level === 0) continue;
      const measured = { value: rate, limit: max, unit };
      yield (level > 1 ? error : warning)(line, `${rate} ${unit} (maximum ${max})`, measured);
    }
  }
}

export function* italics({ lines, limits, language: code }: RuleInput): Generator<Problem> {
  if (!limits.forbidsItalics) return;
  for (const line of lines) {
    if (line.spans.some(({ italic }) => italic)) {
      yield warning(line, `italics are not used in ${code ?? 'this language'}`);
    }
  }
}

/** A rule for something that `styleEdits` changes. */
const styleRule = (name: keyof typeof styleEdits, message: (input: RuleInput) => string): Rule =>
  function* ({ lines, ...input }) {
    for (const line of lines) {
      const edits = styleEdits[name](line.visible.join('\n'), input.limits);
      if (edits.length > 0) yield warning(line, message({ lines, ...input }));
    }
  };

export const ellipsis = styleRule('ellipsis', () => 'three dots instead of the character …');
export const spaces = styleRule('spaces', () => 'more than one space between words');
export const dash = styleRule('dash', ({ limits }) =>
  limits.dash?.isOnlySecond
    ? `only the second speaker has a dash, written "${limits.dash.text}"`
    : `lines of two speakers must start with "${limits.dash?.text}"`,
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
