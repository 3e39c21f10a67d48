import { describe, expect, it } from 'vitest';
import { checkSubtitles } from '../../../src/modules/subtitles/check/check.ts';
import type { Limits } from '../../../src/modules/subtitles/check/guideLimits.ts';
import { limitsFor } from '../../../src/modules/subtitles/check/presets.ts';
import type { Line } from '../../../src/modules/subtitles/line.ts';
import { formatTimecode } from '../../../src/modules/subtitles/timecode.ts';
import { subtitleWords } from '../../words/subtitles.ts';
import { line } from './lines.ts';

const findings = (lines: readonly Line[], limits: Limits = {}, language?: string) =>
  checkSubtitles({ lines, problems: [] }, { limits, language }).map(
    ({ line, severity, rule, message }) => `${line?.number} ${severity} ${rule}: ${message}`,
  );

const one = (html: string, stop = '00:00:02,000') => [line(1, '00:00:01,000', stop, html)];

/** Lines from a second to another. */
const timed = (...times: [start: number, stop: number][]) =>
  times.map(([start, stop], index) => {
    const [from = '', to = ''] = [start, stop].map((at) =>
      formatTimecode(Math.round(at * 1000), ','),
    );
    return line(index + 1, from, to, 'a');
  });

const numbered = (...numbers: (number | undefined)[]) =>
  timed(...numbers.map((_, at): [number, number] => [at, at + 0.9])).map(
    ({ number: _, ...rest }, at): Line => {
      const number = numbers[at];
      return { ...rest, ...(number === undefined ? {} : { number }) };
    },
  );

const netflix = limitsFor({});
const bbc = limitsFor({ preset: 'bbc' });

it.each<[found: string[], lines: Line[], limits?: Limits]>([
  [[], timed([1, 2], [2, 3], [359_998, 359_999.999])],
  [
    [
      `1 error timecode: start time 00:00:01:12 ${subtitleWords.countsFrames}`,
      '1 error timecode: stop time is missing',
    ],
    [line(1, '00:00:01:12', '', 'a')],
  ],
  [
    ['1 warning timecode: start time 00:00:01.000 has a dot instead of a comma'],
    [line(1, '00:00:01.000', '00:00:02,000', 'a')],
  ],
  [['1 error characters: unreadable character (U+FFFD)'], one('a\ufffdb')],
  [['1 error characters: unreadable character (U+FFFD)'], one('NUL: \u0000')],
  ...[
    'DÃ©jÃ\u00a0 vu',
    'donâ€™t',
    'Â¿QuÃ©?',
    'fÃ¼r',
    'StraÃŸe',
    'Ãœber',
    'PrzyjdÅº',
    'Ð\u009fÑ€Ð¸Ð²ÐµÑ‚',
    'ç\u0081¯å\u008f°ã\u0081®',
  ].map((text): [string[], Line[]] => [
    [`1 error characters: ${subtitleWords.encodedTwice}`],
    one(text),
  ]),
  ...[
    'CAFÉ…',
    'AMANHÃ…',
    'AMANHûo',
    'MENÜ“',
    'déjà\u00a0»',
    'JÄ…',
    '«\u00a0café\u00a0»',
    'Ða',
    'À»',
  ].map((text): [string[], Line[]] => [[], one(text)]),
  [[`1 error duration: ${subtitleWords.sameTimes('00:00:01,000')}`], one('a', '00:00:01,000')],
  [
    ['1 error duration: stop time 00:00:00,500 is before start time 00:00:01,000'],
    one('a', '00:00:00,500'),
  ],
  [
    [
      '2 error overlap: starts 7 s before line 1 ends',
      '3 error overlap: starts 0.5 s before line 1 ends',
    ],
    timed([1, 9], [2, 3], [8.5, 10]),
  ],
  [['2 error order: starts earlier than line 1 above it'], timed([5, 6], [1, 2])],
  [
    ['2 warning gap: starts only 0 s after line 1 ends (minimum 0.083 s)'],
    timed([1, 2], [2, 5]),
    netflix,
  ],
  [[], timed([1, 2], [2.083, 5]), netflix],
  [[], timed([1, 2], [2, 5]), bbc],
  [
    ['2 warning gap: starts only 0.5 s after line 1 ends (minimum 1 s)'],
    timed([1, 2], [2.5, 5]),
    bbc,
  ],
  [['1 warning duration: shown for 0.832 s (minimum 0.833 s)'], timed([1, 1.832]), netflix],
  [['1 warning duration: shown for 7.001 s (maximum 7 s)'], timed([1, 8.001]), netflix],
  [[], numbered(5, 6, 7)],
  [
    [
      '3 warning number: number 2 is missing before this line',
      '7 warning number: numbers 4 to 6 are missing before this line',
    ],
    numbered(1, 3, 7),
  ],
  [['1 error number: duplicate number 1'], numbered(1, 1)],
  [['1 error order: number 1 comes after 2'], numbered(2, 1)],
  [['undefined warning number: no number'], numbered(1, undefined)],
  [[`1 error tags: ${subtitleWords.openTag('i')}`], one('<i>a')],
  [['1 error line-count: 3 lines (maximum 2)'], one('a<br>b<br>c'), { maxLines: 2 }],
  [[], one('a<br>b'), { maxLines: 2, maxWidth: 1 }],
  [[], one('a'.repeat(17)), { maxSpeed: 17 }],
  [
    ['1 warning speed: 18 characters per second (maximum 17)'],
    one('a'.repeat(18)),
    { maxSpeed: 17 },
  ],
  [['1 error speed: 30 characters per second (maximum 17)'], one('a'.repeat(30)), { maxSpeed: 17 }],
  [
    ['1 error speed: 240 words per minute (maximum 180)'],
    one('one two three four'),
    { maxWords: 180 },
  ],
  // An emoji and a letter with marks are one character each.
  [[], one('👩‍👩‍👧'.repeat(17)), { maxSpeed: 17 }],
  [[], one(`${'e\u0301'.repeat(17)}\u200b`), { maxSpeed: 17 }],
])('finds %j (%#)', (found, lines, limits) => {
  expect(findings(lines, limits)).toEqual(found);
});

it.each(['', ' ', '<br>', '<i></i>', '&nbsp;', '\u200b', '\u200b\u200d\u2060', '\u3000'])(
  '%j counts as empty',
  (html) => {
    expect(findings(one(html))).toEqual(['1 error empty: no text']);
  },
);

it.each([
  ['Latin letters', 'a'.repeat(42), 'a'.repeat(43)],
  ['combining marks', 'e\u0301'.repeat(42), 'e\u0301'.repeat(43)],
  ['zero-width characters', `${'a'.repeat(42)}\u200b\u200d\u2060`, 'a'.repeat(43)],
  ['Arabic with marks', 'عًا'.repeat(21), 'عًا'.repeat(22)],
  ['Japanese, two columns each', '灯'.repeat(21), '灯'.repeat(22)],
  ['emoji, two columns each', '👩‍👩‍👧'.repeat(21), '👩‍👩‍👧'.repeat(22)],
  ['ruby, without its readings', '<ruby>灯<rt>ともしび</rt></ruby>'.repeat(21), '灯'.repeat(22)],
])('text is measured by its width: %s', (_, fits, tooLong) => {
  expect(findings(one(fits), { maxWidth: 42 })).toEqual([]);
  expect(findings(one(tooLong), { maxWidth: 42 })).toEqual([
    expect.stringMatching(/^1 error line-length: 4[34] columns wide \(maximum 42\)$/),
  ]);
});

describe('dashes of two speakers', () => {
  const both = 'lines of two speakers must start with';
  const second = 'only the second speaker has a dash, written';

  it.each([
    ['eng', '- a<br>- b', `${both} "-"`],
    ['eng', '-a<br>-b', undefined],
    ['fra', '-a<br>-b', `${both} "- "`],
    ['fra', '– a<br>- b', `${both} "- "`],
    ['fra', '- a<br>- b', undefined],
    ['nld', '-a<br>-b', `${second} "-"`],
    ['fin', 'a<br>- b', `${second} "-"`],
    ['heb', 'א<br>–ב', `${second} "-"`],
    ['srp', 'a<br>-b', undefined],
    ['bul', 'а<br>-б', `${second} "- "`],
    ['bul', 'а<br>- б', undefined],
    ['bul', 'а<br>-5', undefined],
    ['nld', '-a<br>b', undefined],
    ['deu', '- a<br>-b', undefined],
  ])('%s: %s', (language, html, message) => {
    const { dash } = limitsFor({ language });
    expect(findings(one(html), { dash })).toEqual(
      message === undefined ? [] : [`1 warning dash: ${message}`],
    );
  });
});

it('a preset depends on the language, and flags replace its limits', () => {
  const limits = (language: string, given: Limits = {}) => limitsFor({ language, given });
  for (const code of ['ja', 'ja-JP', 'jpn']) expect(limits(code)).toEqual(limits('JPN'));
  for (const code of ['chi', 'zho', 'cmn', 'yue', 'zh-Hant']) {
    expect(limits(code)).toMatchObject({ maxWidth: 16, maxSpeed: 9 });
  }
  expect(limits('jpn', { maxWidth: 30 })).toMatchObject({ maxWidth: 30, maxSpeed: 4 });
  expect(limits('constructor')).toEqual(limits('deu'));
  expect(limits('deu', { minGap: 120 }).closedGaps).toBeUndefined();
  expect(limitsFor({ preset: 'none', language: 'fra' })).toEqual({});
});

const french = 'Mon père a gardé ce feu\npendant quarante ans.';
const japanese = '父は四十年間この灯を守り続けた、\n雨の夜も雪の夜も一晩も欠かさずに';
const wrongScript = expect.stringMatching(/error language: .*, but the text is in another script$/);

it.each([
  ['fra', french, true],
  ['jpn', japanese, true],
  ['ja', japanese, true],
  ['ara', 'حرس أبي هذه المنارة أربعين عامًا.', true],
  ['rus', 'Он не пропустил ни одной ночи.', true],
  ['jpn', french, false],
  ['fra', japanese, false],
  // Serbian has two scripts.
  ['srp', 'Nikad nije propustio ni jednu noć.', true],
  ['srp', 'Никад није пропустио ни једну ноћ.', true],
  ['srp', japanese, false],
  // Not checked if the language is unknown or the text is short.
  ['xyz', french, true],
  ['!', french, true],
  ['jpn', 'OK', true],
])('%s must be written in its script: %s', (code, text, isFine) => {
  expect(findings(one(text), {}, code)).toEqual(isFine ? [] : [wrongScript]);
});
