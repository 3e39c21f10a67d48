import { agree, claimsOf, languageName } from '../../../languages/language.ts';
import {
  lettersIn,
  otherLanguage,
  sampleOf,
  scriptCounter,
} from '../../../languages/languageOfText.ts';
import { displayWidth } from '../../../values/width.ts';
import { durationOf } from '../../line.ts';
import type { Limits } from '../guideLimits.ts';
import { readingOf, styleEdits, widthOf } from '../measure.ts';
import { eachLine, error, type Problem, type RuleInput, warning } from './rule.ts';

/** Zero-width characters do not count as text. */
export const emptyText = eachLine((line) =>
  line.visible.every((text) => text.trim() === '' || displayWidth(text) === 0)
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

/** A shorter text may be only a name. */
const minLetters = 20;

/** What says the language, against each other and against the text. */
export function* language(input: RuleInput): Generator<Problem> {
  const { lines, language: code, detect } = input;
  if (input.claims?.length === 0 && lines.length > 0) {
    const what = code === undefined ? 'language unknown' : `unknown language "${code}"`;
    yield { severity: 'warning', message: `${what}: its own limits are not applied` };
  }
  const texts = sampleOf(lines);
  const claims = input.claims ?? claimsOf({ '--language': code });
  const said = claims.map(
    ({ by, code: one }) => `${by === '--language' ? '' : 'the '}${by} says ${languageName(one)}`,
  );
  const [first] = claims;
  const found = claims.map((claim) => otherLanguage(claim.code, texts, detect)).find(Boolean);
  if (claims.some((claim) => first && !agree(first.code, claim.code))) {
    const text = found === undefined ? '' : `, the text is ${found}`;
    yield { severity: 'error', message: said.join(', ') + text };
  } else if (found !== undefined) {
    yield { severity: 'error', message: `${said.join(' and ')}, but the text is ${found}` };
  } else yield* mixedScripts(input, texts.join(' '));
}

function* mixedScripts({ lines, language: code }: RuleInput, text: string): Generator<Problem> {
  const ownIn = scriptCounter(code);
  const [all, matching] = [lettersIn(text), ownIn?.(text) ?? 0];
  if (!ownIn || all < minLetters || matching * 2 >= all) return;
  const line = lines.find(({ visible }) => ownIn(visible.join(' ')) === 0) ?? lines[0];
  const share = Math.round((matching / all) * 100);
  const message = `language is ${code}, but only ${share} % of the letters are in its script`;
  yield { line, severity: 'warning', message };
}
