import { expect, it } from 'vitest';
import { changesBetween } from '../../src/subtitles/difference.ts';
import type { Line } from '../../src/subtitles/lines.ts';
import { formatTimecode, readTimecode } from '../../src/subtitles/timecode.ts';
import { line } from './lines.ts';

/** A line every two seconds, each a second long. */
const script = (texts: readonly string[], shift = 0): Line[] =>
  texts.map((text, index) => {
    const start = index * 2000 + shift;
    return line(index + 1, formatTimecode(start, ','), formatTimecode(start + 1000, ','), text);
  });

const told = (before: readonly Line[], after: readonly Line[]) =>
  changesBetween(before, after).map(({ before: from, after: to, isRetimed, isReworded }) => [
    from?.number,
    to?.number,
    [isRetimed ? 're-timed' : '', isReworded ? 're-worded' : ''].join(''),
  ]);

it('the same lines have no difference', () => {
  expect(told(script(['a', 'b', 'c']), script(['a', 'b', 'c']))).toEqual([]);
  expect(told([], [])).toEqual([]);
});

it('a line in between is new, and the rest is only later', () => {
  expect(told(script(['a', 'b', 'c']), script(['a', 'x', 'b', 'c']))).toEqual([
    [undefined, 2, ''],
    [2, 3, 're-timed'],
    [3, 4, 're-timed'],
  ]);
});

it('a line that is gone is told as gone', () => {
  const [first, , third] = script(['a', 'b', 'c']);
  expect(told(script(['a', 'b', 'c']), [first, third] as Line[])).toEqual([[2, undefined, '']]);
});

it('of lines that say the same, the one that is gone is told by its time, however written', () => {
  const [first, , ...others] = script(['No.', 'No.', 'No.', 'Yes.']).map((one) => {
    const dotted = (text: string) => readTimecode(text.replace(',', '.'));
    return { ...one, start: dotted(one.start.text), stop: dotted(one.stop.text) };
  });
  expect(told(script(['No.', 'No.', 'No.', 'Yes.']), [first as Line, ...others])).toEqual([
    [2, undefined, ''],
  ]);
});

it('other words at the same time are re-worded, a little later re-timed as well', () => {
  expect(told(script(['a', 'b', 'c']), script(['a', 'B!', 'c']))).toEqual([[2, 2, 're-worded']]);
  expect(told(script(['a']), script(['A'], 300))).toEqual([[1, 1, 're-timedre-worded']]);
});

it('other words at another time are a line gone and a line new', () => {
  expect(told(script(['a']), script(['b'], 5000))).toEqual([
    [1, undefined, ''],
    [undefined, 1, ''],
  ]);
});

it('all moved by a second is all re-timed', () => {
  const texts = Array.from({ length: 40 }, (_, index) =>
    index % 3 === 0 ? 'Yes.' : `line ${index}`,
  );
  const changes = told(script(texts), script(texts, 1000));
  expect(changes).toEqual(texts.map((_, index) => [index + 1, index + 1, 're-timed']));
});

it('italics alone are another wording, ruby in brackets is not', () => {
  expect(told(script(['a']), script(['<i>a</i>']))).toEqual([[1, 1, 're-worded']]);
  expect(told(script(['<ruby>漢<rt>かん</rt></ruby>']), script(['漢(かん)']))).toEqual([]);
});

it('three thousand lines that say the same are compared', () => {
  const texts = Array.from({ length: 3000 }, () => '…');
  expect(told(script(texts), script(texts))).toEqual([]);
  expect(told(script(texts), script(texts, 1000))).toHaveLength(3000);
});
