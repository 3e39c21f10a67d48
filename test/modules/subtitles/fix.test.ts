import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSubtitles, type Finding } from '../../../src/modules/subtitles/check/check.ts';
import {
  audiences,
  type Limits,
  languageGuides,
} from '../../../src/modules/subtitles/check/guideLimits.ts';
import { limitsFor, presetNames } from '../../../src/modules/subtitles/check/presets.ts';
import { fixSubtitles, haveSameWords } from '../../../src/modules/subtitles/fix/fix.ts';
import { formatNamed, formats } from '../../../src/modules/subtitles/formats/registry.ts';
import {
  formatTimecode,
  frameRateNamed,
  frameRateNames,
} from '../../../src/modules/subtitles/timecode.ts';

const parsers = new Map(
  await Promise.all(formats.map(async (format) => [format, await format.parser()] as const)),
);

function fix(text: string, name: string, limits: Limits) {
  const format = formatNamed(name);
  const parser = format && parsers.get(format);
  if (!parser) throw new Error(`no format for ${name}`);
  const decoded = { text, encoding: 'utf-8', hasMark: false, isNamed: false };
  const file = { ...decoded, bytes: Buffer.from(text), parser };
  const subtitles = { ...parser.read(text, name), name, format, file, claims: [] };
  return { text, ...fixSubtitles(subtitles, limits) };
}

const english = limitsFor({ language: 'eng' });

const srt = (...cues: readonly [times: string, ...text: string[]][]) =>
  cues.map((rows, index) => `${index + 1}\n${rows.join('\n')}\n`).join('\n');

const fixed = (text: string, limits: Limits = english, name = 'a.srt') =>
  fix(text, name, limits).text;

describe('stop times', () => {
  const bbc = limitsFor({ preset: 'bbc' });

  it.each<[name: string, times: string, stops: string, text?: string, limits?: Limits]>([
    ['a gap of less than two frames', '01,000-04,000 04,000-06,000', '03,917 06,000'],
    ['a gap of eleven frames', '01,000-04,000 04,458-06,000', '04,375 06,000'],
    ['an overlap', '01,000-04,000 03,900-06,000', '03,817 06,000'],
    ['a gap of two frames', '01,000-04,000 04,083-06,000', '04,000 06,000'],
    ['a gap of half a second', '01,000-04,000 04,500-06,000', '04,000 06,000'],
    ['BBC subtitles may touch', '01,000-03,000 03,400-05,000', '03,400 05,000', 'One.', bbc],
    ['the minimum duration', '01,000-01,200', '01,833', 'Go!'],
    ['a readable speed', '01,000-02,000', '03,000', 'x'.repeat(40)],
    ['room for speed', '01,000-02,000 02,583-04,000', '02,500 04,000', 'x'.repeat(40)],
    ['the maximum duration', '01,000-09,000', '08,000'],
    ['no worse speed', '01,000-01,833 01,834-04,000', '01,833 04,000', 'x'.repeat(16)],
    ['two speakers at once', '01,000-03,000 01,000-03,000', '03,000 03,000'],
  ])('%s', (_, times, stops, text = 'One.', limits = english) => {
    const cues = times.split(' ').map((time, at): [string, string] => {
      const [start, stop] = time.split('-');
      return [`00:00:${start} --> 00:00:${stop}`, at === 0 ? text : 'Two.'];
    });
    const found = fixed(srt(...cues), limits).match(/(?<=--> 00:00:)\S+/g);
    expect(found?.join(' ')).toBe(stops);
  });
});

describe('text', () => {
  const one = (text: string, limits?: Limits) =>
    fixed(srt(['00:00:01,000 --> 00:00:06,000', text]), limits)
      .split('\n')
      .slice(2, -1)
      .join('|');

  it.each([
    ['Well...', 'Well…'],
    ['1....9', '1....9'],
    ['a  b   c', 'a b c'],
    ['<i>a </i> b', '<i>a </i>b'],
    ['<i>a', '<i>a</i>'],
    ['<b><i>a', '<b><i>a</i></b>'],
    ['a</i> <b>b', 'a</i> <b>b'],
    ['- Yes?\n– No.', '-Yes?|-No.'],
    ['{\\an8}- Yes?\n<i>- No.</i>', '{\\an8}-Yes?|<i>-No.</i>'],
    [
      'This is a line that is far too long for one line.',
      'This is a line that is|far too long for one line.',
    ],
    [
      'It was late, and nobody in the harbour had\nnoticed that the light of the lighthouse was out',
      'It was late, and nobody in the harbour had|noticed that the light of the lighthouse was out',
    ],
    [
      'Nobody in the harbour noticed that the light\nwas out',
      'Nobody in the harbour noticed|that the light was out',
    ],
    ['One\ntwo\nthree', 'One two|three'],
    ['<b>x</b> – Yes?\n- No.', '<b>x</b> – Yes?|- No.'],
    ['{\\an8} – Yes?\n- No.', '{\\an8}-Yes?|-No.'],
    ['One –\n-\ntwo', 'One –|-|two'],
    [
      '-Nobody in the harbour noticed that the light\n-was out',
      '-Nobody in the harbour noticed that the light|-was out',
    ],
  ])('%j', (before, after) => {
    expect(one(before)).toBe(after);
  });

  it.each([
    ['nld', '- Kom je?\n- Zo.', 'Kom je?|-Zo.'],
    ['nld', '<i>– Kom je?</i>\n-Zo.', '<i>Kom je?</i>|-Zo.'],
    ['bul', 'Идваш ли?\n–Да.', 'Идваш ли?|- Да.'],
    ['bul', 'Навън е\n-5 градуса.', 'Навън е|-5 градуса.'],
  ])('of two speakers in %s has the dash of its guide: %j', (language, before, after) => {
    expect(one(before, limitsFor({ language }))).toBe(after);
  });

  it('in a script without spaces is broken only after a phrase', () => {
    const japanese = limitsFor({ language: 'jpn' });
    expect(one('父はこの灯を守った、一晩も欠かさずに', japanese)).toBe(
      '父はこの灯を守った、|一晩も欠かさずに',
    );
    expect(one('父はこの灯を守ったのだ一晩も欠かさずに', japanese)).toBe(
      '父はこの灯を守ったのだ一晩も欠かさずに',
    );
  });
});

describe('a file', () => {
  it('keeps everything that is not wrong', () => {
    const vtt = [
      ...['WEBVTT - A film', 'Kind: captions', '', 'STYLE', '::cue {}', '', 'NOTE A  note...', ''],
      ...['intro', '00:01.000 --> 00:01.200 line:0 align:start', '<v.loud Ana>Go  on...</v>', ''],
      ...['9', '00:05.000 --> 00:07.000 region:a', 'Q &amp; A<c.yellow>!</c>', '', ''],
    ].join('\r\n');
    const timed = vtt.replace('00:01.000 --> 00:01.200', '00:00:01.000 --> 00:00:01.833');
    expect(fixed(vtt, english, 'a.vtt')).toBe(timed.replace('Go  on...<', 'Go on…<'));
  });

  it.each([
    ['a.srt', '1\r\n00:00:01,000 --> 00:00:03,000\nOne\r\n\r', undefined],
    [
      'a.srt',
      '1\r\n00:00:04,000 --> 00:00:09,000\r\nThis is a line that is far too long for one line.\n\r\n',
      '1\r\n00:00:04,000 --> 00:00:09,000\r\nThis is a line that is\r\nfar too long for one line.\n\r\n',
    ],
    [
      'a.srt',
      '7\n00:00:01.000 -> 00:00:02.000 X1:5\na\n\n00:00:03,000-->00:00:04,000\nb...',
      '1\n00:00:01,000 --> 00:00:02,000 X1:5\na\n\n2\n00:00:03,000 --> 00:00:04,000\nb…',
    ],
    ['a.vtt', '00:00:01,000 --> 00:00:02,000\na\n', '00:00:01.000 --> 00:00:02.000\na\n'],
  ])(
    'gets numbers, commas, dots and arrows, and keeps its line ends: %s %j',
    (name, text, after) => {
      expect(fixed(text, english, name)).toBe(after ?? text);
    },
  );

  it('never gets a new cue from a line break in another place', () => {
    const words = 'It says 00:00:07,000 --> 00:00:09,000 is wrong';
    const text = srt(['00:00:01,000 --> 00:00:06,000', `${words}, I say.`]);
    expect(fix(text, 'a.srt', english).after.lines).toHaveLength(1);
  });

  it.each([
    ['dots', '...'.repeat(30_000)],
    ['spaces', ' '.repeat(100_000)],
    ['tags', '<i>'.repeat(20_000)],
    ['dashes', '- a\n'.repeat(10_000)],
    ['characters without width', '\u200b'.repeat(30_000)],
    ['cues', '\n\n1\n00:00:01,000 --> 00:00:01,100\na...'.repeat(1_000)],
  ])('with very many %s is fixed quickly', (_, text) => {
    const content = `1\n00:00:01,000 --> 00:00:01,500\nx${text}x\n`;
    expect(fixed(content).length).toBeGreaterThan(20);
  });
});

describe('any file, with any limits', () => {
  const word = fc.constantFrom(
    ...'one|Straße|two...|a  b|–|- |...|父は、|灯を守った。|حرس أبي|ถ้า ฉัน|👩‍👩‍👧'.split('|'),
    ...'42|…|-->|<i>x</i>|<i>|</b>|&amp;|&|<v Ana>|{\\an8}|\u00a0'.split('|'),
  );
  const cue = fc.record({
    pause: fc.integer({ min: -900, max: 1500 }),
    duration: fc.oneof(fc.integer({ min: 0, max: 9000 }), fc.integer({ min: 300, max: 1200 })),
    lines: fc.array(fc.array(word, { minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 3 }),
    number: fc.oneof({ weight: 8, arbitrary: fc.constant('next') }, fc.constantFrom('3', '')),
  });
  const file = fc.record({
    cues: fc.array(cue, { minLength: 1, maxLength: 8 }),
    isVtt: fc.boolean(),
    ending: fc.constantFrom('\n', '\r\n'),
  });
  const limits = fc.record({
    preset: fc.constantFrom(...presetNames),
    language: fc.constantFrom('fra', ...languageGuides.flatMap(({ codes }) => codes)),
    audience: fc.constantFrom(...(Object.keys(audiences) as (keyof typeof audiences)[])),
    fps: fc.constantFrom(...frameRateNames),
  });

  function write({ cues, isVtt, ending }: Parameters<Parameters<typeof file.map>[0]>[0]): string {
    let time = 0;
    const rows = cues.flatMap(({ pause, duration, lines, number }, index) => {
      const start = Math.max(0, time + pause);
      time = start + duration;
      const at = (value: number) => formatTimecode(value, isVtt ? '.' : ',');
      const name = number === 'next' ? String(index + 1) : number;
      const text = lines.map((words) => words.join(' ').trim()).filter((row) => row !== '');
      return [...(name === '' ? [] : [name]), `${at(start)} --> ${at(time)}`, ...text, ''];
    });
    return [...(isVtt ? ['WEBVTT', ''] : []), ...rows].join(ending);
  }

  it('keeps its words and start times, gets no new problem, and is fixed once and for all', () => {
    fc.assert(
      fc.property(file, limits, (content, { fps, ...options }) => {
        const chosen = limitsFor({ ...options, frameRate: frameRateNamed(fps) });
        const name = content.isVtt ? 'a.vtt' : 'a.srt';
        const { text, before, after } = fix(write(content), name, chosen);
        expect(haveSameWords(before.lines, after.lines)).toBe(true);
        expect(after.lines.map(({ start }) => start.milliseconds)).toEqual(
          before.lines.map(({ start }) => start.milliseconds),
        );
        // A gap may come to light where an overlap is gone.
        const key = ({ line, rule }: Finding) => `${line?.index} ${rule.replace('overlap', 'gap')}`;
        const old = checkSubtitles(before, { limits: chosen });
        const known = new Set(old.map(key));
        const remaining = checkSubtitles(after, { limits: chosen });
        expect(remaining.filter((finding) => !known.has(key(finding)))).toEqual([]);
        const always = ['number', 'ellipsis', 'spaces', 'dash'];
        expect(remaining.filter(({ rule }) => always.includes(rule))).toEqual([]);
        expect(fix(text, name, chosen).text).toBe(text);
      }),
      { numRuns: 100, seed: 21 },
    );
  });
});
