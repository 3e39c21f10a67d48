import { expect, it } from 'vitest';
import { changesBetween } from '../../src/subtitles/compare/difference.ts';
import type { Line } from '../../src/subtitles/line.ts';
import { formatTimecode, readTimecode } from '../../src/subtitles/timecode.ts';
import { line } from './lines.ts';

/** A line every two seconds, each a second long. */
const script = (texts: readonly string[], shift = 0): Line[] =>
  texts.map((text, index) => {
    const start = index * 2000 + shift;
    return line(index + 1, formatTimecode(start, ','), formatTimecode(start + 1000, ','), text);
  });

const summary = (before: readonly Line[], after: readonly Line[]) =>
  changesBetween(before, after).map(({ before: from, after: to, kind }) => [
    from?.number,
    to?.number,
    kind,
  ]);

it('the same lines have no difference', () => {
  expect(summary(script(['a', 'b', 'c']), script(['a', 'b', 'c']))).toEqual([]);
  expect(summary([], [])).toEqual([]);
});

it('an inserted line is new, and the lines after it are re-timed', () => {
  expect(summary(script(['a', 'b', 'c']), script(['a', 'x', 'b', 'c']))).toEqual([
    [undefined, 2, 'added'],
    [2, 3, 're-timed'],
    [3, 4, 're-timed'],
  ]);
});

it('a removed line is reported as removed', () => {
  const [first, , third] = script(['a', 'b', 'c']);
  expect(summary(script(['a', 'b', 'c']), [first, third] as Line[])).toEqual([
    [2, undefined, 'removed'],
  ]);
});

it('among lines with the same text, the removed one is found by its time, in either notation', () => {
  const [first, , ...others] = script(['No.', 'No.', 'No.', 'Yes.']).map((one) => {
    const dotted = (text: string) => readTimecode(text.replace(',', '.'));
    return { ...one, start: dotted(one.start.text), stop: dotted(one.stop.text) };
  });
  expect(summary(script(['No.', 'No.', 'No.', 'Yes.']), [first as Line, ...others])).toEqual([
    [2, undefined, 'removed'],
  ]);
});

it('other words at the same time are re-worded, and slightly later also re-timed', () => {
  expect(summary(script(['a', 'b', 'c']), script(['a', 'B!', 'c']))).toEqual([[2, 2, 're-worded']]);
  expect(summary(script(['a']), script(['A'], 300))).toEqual([[1, 1, 're-timed, re-worded']]);
});

it('other words at another time are one removed and one new line', () => {
  expect(summary(script(['a']), script(['b'], 5000))).toEqual([
    [1, undefined, 'removed'],
    [undefined, 1, 'added'],
  ]);
});

it('moving all lines by a second re-times all of them', () => {
  const texts = Array.from({ length: 40 }, (_, index) =>
    index % 3 === 0 ? 'Yes.' : `line ${index}`,
  );
  const changes = summary(script(texts), script(texts, 1000));
  expect(changes).toEqual(texts.map((_, index) => [index + 1, index + 1, 're-timed']));
});

it('adding italics is a change, writing ruby in brackets is not', () => {
  expect(summary(script(['a']), script(['<i>a</i>']))).toEqual([[1, 1, 're-worded']]);
  expect(summary(script(['<ruby>漢<rt>かん</rt></ruby>']), script(['漢(かん)']))).toEqual([]);
});

it('three thousand lines with the same text are compared quickly', () => {
  const texts = Array.from({ length: 3000 }, () => '…');
  expect(summary(script(texts), script(texts))).toEqual([]);
  expect(summary(script(texts), script(texts, 1000))).toHaveLength(3000);
});
