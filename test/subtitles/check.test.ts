import { describe, expect, it } from 'vitest';
import { checkSubtitles } from '../../src/subtitles/check/check.ts';
import type { Limits } from '../../src/subtitles/check/guideLimits.ts';
import { limitsFor } from '../../src/subtitles/check/presets.ts';
import type { Line } from '../../src/subtitles/line.ts';
import { formatTimecode } from '../../src/subtitles/timecode.ts';
import { line } from './lines.ts';

const findings = (lines: readonly Line[], limits: Limits = {}, language?: string) =>
  checkSubtitles({ lines, problems: [] }, { limits, language }).map(
    ({ line, severity, rule, message }) => `${line?.number} ${severity} ${rule}: ${message}`,
  );

const one = (html: string, stop = '00:00:02,000') => [line(1, '00:00:01,000', stop, html)];

/** Lines with these start and stop times, in seconds. */
const timed = (...times: [start: number, stop: number][]) =>
  times.map(([start, stop], index) => {
    const [from = '', to = ''] = [start, stop].map((at) => formatTimecode(at * 1000, ','));
    return line(index + 1, from, to, 'a');
  });

describe('times', () => {
  it('may touch: a line may start when the one before stops', () => {
    expect(findings(timed([1, 2], [2, 3], [359_998, 359_999.999]))).toEqual([]);
  });

  it('that cannot be read are errors; a dot for the comma is a warning', () => {
    expect(findings([line(1, '00:00:01:12', '', 'a')])).toEqual([
      '1 error timecode: start time 00:00:01:12 counts frames, but the frame rate is unknown',
      '1 error timecode: stop time is missing',
    ]);
    expect(findings([line(1, '00:00:01.000', '00:00:02,000', 'a')])).toEqual([
      '1 warning timecode: start time 00:00:01.000 has a dot instead of a comma',
    ]);
    expect(findings([line(1, '-00:00:01,000', '00:00:02,000', 'a')])).toEqual([
      '1 error timecode: start time -00:00:01,000 is negative',
    ]);
  });

  it('must stop after they start', () => {
    expect(findings(one('a', '00:00:01,000'))).toEqual([
      '1 error duration: start and stop time are both 00:00:01,000',
    ]);
    expect(findings(one('a', '00:00:00,500'))).toEqual([
      '1 error duration: stop time 00:00:00,500 is before start time 00:00:01,000',
    ]);
  });

  it('must not overlap with any earlier line that is still shown', () => {
    expect(findings(timed([1, 9], [2, 3], [8.5, 10]))).toEqual([
      '2 error overlap: starts 7 s before line 1 ends',
      '3 error overlap: starts 0.5 s before line 1 ends',
    ]);
  });

  it('must be in order', () => {
    const expected = ['2 error order: starts earlier than line 1 above it'];
    expect(findings(timed([5, 6], [1, 2]))).toEqual(expected);
  });

  it('must leave the minimum gap', () => {
    const second = (start: number) => timed([1, 2], [start, 5]);
    const netflix = limitsFor({});
    const bbc = limitsFor({ preset: 'bbc' });
    expect(findings(second(2), netflix)).toEqual([
      '2 warning gap: starts only 0 s after line 1 ends (minimum 0.083 s)',
    ]);
    expect(findings(second(2.083), netflix)).toEqual([]);
    expect(findings(second(2), bbc)).toEqual([]);
    expect(findings(second(2.5), bbc)).toEqual([
      '2 warning gap: starts only 0.5 s after line 1 ends (minimum 1 s)',
    ]);
  });

  it('must be neither too short nor too long', () => {
    const limits = limitsFor({});
    expect(findings(one('a', '00:00:01,832'), limits)).toEqual([
      '1 warning duration: shown for 0.832 s (minimum 0.833 s)',
    ]);
    expect(findings(one('a', '00:00:08,001'), limits)).toEqual([
      '1 warning duration: shown for 7.001 s (maximum 7 s)',
    ]);
  });
});

describe('numbers', () => {
  const numbered = (...numbers: (number | undefined)[]) =>
    numbers.map((number, index): Line => {
      const { number: _, ...rest } = line(index, `00:00:0${index},000`, `00:00:0${index},900`, 'a');
      return { ...rest, place: index + 1, ...(number === undefined ? {} : { number }) };
    });

  it('must be present, unique and consecutive', () => {
    expect(findings(numbered(1, 2, 3))).toEqual([]);
    expect(findings(numbered(5, 6, 7))).toEqual([]);
    expect(findings(numbered(1, 3, 7))).toEqual([
      '3 warning number: number 2 is missing before this line',
      '7 warning number: numbers 4 to 6 are missing before this line',
    ]);
    expect(findings(numbered(1, 1))).toEqual(['1 error number: duplicate number 1']);
    expect(findings(numbered(2, 1))).toEqual(['1 error order: number 1 comes after 2']);
    expect(findings(numbered(1, undefined))).toEqual(['undefined warning number: no number']);
  });
});

describe('text', () => {
  it.each(['', ' ', '<br>', '<i></i>', '&nbsp;', '\u200b', '\u200b\u200d\u2060', '\u3000'])(
    '%j counts as empty',
    (html) => {
      expect(findings(one(html))).toEqual(['1 error empty: no text']);
    },
  );

  it('must have matching tags', () => {
    expect(findings(one('<i>a'))).toEqual(['1 error tags: <i> is not closed']);
  });

  it.each([
    ['Latin letters', 'a'.repeat(42), 'a'.repeat(43)],
    ['combining marks', 'e\u0301'.repeat(42), 'e\u0301'.repeat(43)],
    ['zero-width characters', `${'a'.repeat(42)}\u200b\u200d\u2060`, 'a'.repeat(43)],
    ['Hebrew', 'ש'.repeat(42), 'ש'.repeat(43)],
    ['Arabic with marks', 'عًا'.repeat(21), 'عًا'.repeat(22)],
    ['Japanese, two columns each', '灯'.repeat(21), '灯'.repeat(22)],
    ['emoji, two columns each', '👩‍👩‍👧'.repeat(21), '👩‍👩‍👧'.repeat(22)],
    [
      'ruby, whose readings take no width',
      '<ruby>灯<rt>ともしび</rt></ruby>'.repeat(21),
      '灯'.repeat(22),
    ],
  ])('is measured by its width: %s', (_, fits, tooLong) => {
    expect(findings(one(fits), { maxWidth: 42 })).toEqual([]);
    expect(findings(one(tooLong), { maxWidth: 42 })).toEqual([
      expect.stringMatching(/^1 error line-length: 4[34] columns wide \(maximum 42\)$/),
    ]);
  });

  it('must not have too many lines, and each is measured on its own', () => {
    expect(findings(one('a<br>b<br>c'), { maxLines: 2 })).toEqual([
      '1 error line-count: 3 lines (maximum 2)',
    ]);
    expect(findings(one('a<br>b'), { maxLines: 2, maxWidth: 1 })).toEqual([]);
  });

  it('is a warning if a little too fast to read, an error if much too fast', () => {
    expect(findings(one('a'.repeat(17)), { maxSpeed: 17 })).toEqual([]);
    expect(findings(one('a'.repeat(18)), { maxSpeed: 17 })).toEqual([
      '1 warning speed: 18 characters per second (maximum 17)',
    ]);
    expect(findings(one('a'.repeat(30)), { maxSpeed: 17 })).toEqual([
      '1 error speed: 30 characters per second (maximum 17)',
    ]);
    expect(findings(one('one two three four'), { maxWords: 180 })).toEqual([
      '1 error speed: 240 words per minute (maximum 180)',
    ]);
  });

  it('counts an emoji or a letter with marks as one character', () => {
    expect(findings(one('👩‍👩‍👧'.repeat(17)), { maxSpeed: 17 })).toEqual([]);
    expect(findings(one(`${'e\u0301'.repeat(17)}\u200b`), { maxSpeed: 17 })).toEqual([]);
  });
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

describe('a preset', () => {
  it('depends on the language, and flags replace its limits', () => {
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
});

describe('a language', () => {
  const french = one('Il n’a jamais manqué une nuit.');
  const japanese = one('父は40年間この灯を守り続けた、一晩も欠かさずに');

  it('must be written in its script', () => {
    expect(findings(french, {}, 'fra')).toEqual([]);
    expect(findings(japanese, {}, 'jpn')).toEqual([]);
    expect(findings(japanese, {}, 'ja')).toEqual([]);
    expect(findings(one('حرس أبي هذه المنارة أربعين عامًا.'), {}, 'ara')).toEqual([]);
    expect(findings(one('Он не пропустил ни одной ночи.'), {}, 'rus')).toEqual([]);
    expect(findings(french, {}, 'jpn')).toEqual([
      '1 warning language: language is jpn, but only 0 % of the letters are in its script',
    ]);
    expect(findings(japanese, {}, 'fra')).toHaveLength(1);
  });

  it('with two scripts may be written in either', () => {
    expect(findings(one('Nikad nije propustio ni jednu noć.'), {}, 'srp')).toEqual([]);
    expect(findings(one('Никад није пропустио ни једну ноћ.'), {}, 'srp')).toEqual([]);
    expect(findings(japanese, {}, 'srp')).toHaveLength(1);
  });

  it('is not checked if it is unknown or the text is short', () => {
    expect(findings(french, {}, 'xyz')).toEqual([]);
    expect(findings(french, {}, '!')).toEqual([]);
    expect(findings(one('OK'), {}, 'jpn')).toEqual([]);
  });
});
