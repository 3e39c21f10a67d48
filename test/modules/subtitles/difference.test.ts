import { expect, it } from 'vitest';
import { changesBetween } from '../../../src/modules/subtitles/compare/difference.ts';
import type { Line } from '../../../src/modules/subtitles/line.ts';
import { formatTimecode, readTimecode } from '../../../src/modules/subtitles/timecode.ts';
import { line } from './lines.ts';

/** A line every two seconds, each a second long. */
const script = (texts: readonly string[], shift = 0): Line[] =>
  texts.map((text, index) => {
    const start = index * 2000 + shift;
    return line(index + 1, formatTimecode(start, ','), formatTimecode(start + 1000, ','), text);
  });

/** Each change as the numbers before and after, and its kind. */
const summary = (before: readonly Line[], after: readonly Line[]) =>
  changesBetween(before, after).map(
    ({ before: from, after: to, kind }) => `${from?.number ?? '-'} ${to?.number ?? '-'} ${kind}`,
  );

const [a, abc] = [script(['a']), script(['a', 'b', 'c'])];

it.each<[name: string, before: Line[], after: Line[], changes: string[]]>([
  ['the same lines', abc, abc, []],
  ['no lines', [], [], []],
  [
    'an inserted line re-times those after it',
    abc,
    script(['a', 'x', 'b', 'c']),
    ['- 2 added', '2 3 re-timed', '3 4 re-timed'],
  ],
  ['a removed line', abc, abc.toSpliced(1, 1), ['2 - removed']],
  ['other words at the same time', abc, script(['a', 'B!', 'c']), ['2 2 re-worded']],
  ['other words a little later', a, script(['A'], 300), ['1 1 re-timed, re-worded']],
  ['other words at another time', a, script(['b'], 5000), ['1 - removed', '- 1 added']],
  ['italics', a, script(['<i>a</i>']), ['1 1 re-worded']],
  ['ruby in brackets', script(['<ruby>漢<rt>かん</rt></ruby>']), script(['漢(かん)']), []],
])('%s', (_, before, after, changes) => {
  expect(summary(before, after)).toEqual(changes);
});

it('among lines with the same text, the removed one is found by its time, in either notation', () => {
  const [first, , ...others] = script(['No.', 'No.', 'No.', 'Yes.']).map((one) => {
    const dotted = (text: string) => readTimecode(text.replace(',', '.'));
    return { ...one, start: dotted(one.start.text), stop: dotted(one.stop.text) };
  });
  expect(summary(script(['No.', 'No.', 'No.', 'Yes.']), [first as Line, ...others])).toEqual([
    '2 - removed',
  ]);
});

it('moving all lines by a second re-times all of them', () => {
  const texts = Array.from({ length: 40 }, (_, index) =>
    index % 3 === 0 ? 'Yes.' : `line ${index}`,
  );
  const changes = summary(script(texts), script(texts, 1000));
  expect(changes).toEqual(texts.map((_, index) => `${index + 1} ${index + 1} re-timed`));
});
