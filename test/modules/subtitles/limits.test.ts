import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withLimitTables } from '../../../scripts/generate/limitTables.ts';
import { checkSubtitles } from '../../../src/modules/subtitles/check/check.ts';
import { type Audience, languageGuides } from '../../../src/modules/subtitles/check/guideLimits.ts';
import { limitsFor } from '../../../src/modules/subtitles/check/presets.ts';
import type { Line } from '../../../src/modules/subtitles/line.ts';
import {
  formatTimecode,
  frameRateNamed,
  frameRateNames,
} from '../../../src/modules/subtitles/timecode.ts';
import { line } from './lines.ts';

const at = (milliseconds: number) => formatTimecode(milliseconds, ',');
const shown = (text: string, milliseconds: number) =>
  line(1, at(1000), at(1000 + milliseconds), text);

type Options = Parameters<typeof limitsFor>[0];
const rulesFound = (lines: readonly Line[], options: Options) =>
  checkSubtitles({ lines, problems: [] }, { ...options, limits: limitsFor(options) }).map(
    ({ rule }) => rule,
  );

/** Published reading speeds: adult, children, SDH, SDH children; width; a letter of the script. */
const published: readonly [language: string, speeds: number[], width: number, letter: string][] = [
  ['eng', [20, 17, 20, 17], 42, 'a'],
  ['ara', [20, 17, 23, 20], 42, 'ب'],
  ['hin', [22, 18, 25, 20], 42, 'क'],
  ['jpn', [4, 4, 7, 7], 13, '灯'],
  ['kor', [12, 9, 14, 11], 16, '등'],
  ['zho', [9, 7, 11, 9], 16, '灯'],
  ['tha', [17, 13, 20, 17], 35, 'ก'],
  ['heb', [17, 13, 20, 17], 42, 'ש'],
  ['fra', [17, 13, 20, 17], 42, 'é'],
  ['rus', [17, 13, 20, 17], 42, 'я'],
];
const audiences: readonly Audience[] = ['adult', 'children', 'sdh', 'sdhChildren'];

describe('the limits of a language and an audience', () => {
  it.each(published)('%s: characters a second', (language, speeds, _width, letter) => {
    // Lines of ten characters, so that only the speed counts.
    const text = (count: number) => letter.repeat(count).replace(/.{10}(?!$)/gu, '$&<br>');
    for (const [index, speed] of speeds.entries()) {
      const options = { language, audience: audiences[index], given: { maxLines: 99 } };
      expect(rulesFound([shown(text(speed * 2), 2000)], options)).toEqual([]);
      expect(rulesFound([shown(text(speed * 2 + 1), 2000)], options)).toEqual(['speed']);
    }
  });

  it.each(published)('%s: width, with Latin letters as half of wide ones', (...row) => {
    const [language, , width, letter] = row;
    const found = (text: string) =>
      rulesFound([shown(text, 2000)], { language, given: { maxSpeed: 1000 } });
    expect(found(letter.repeat(width))).toEqual([]);
    expect(found(letter.repeat(width + 1))).toEqual(['line-length']);
    const fits = letter.repeat(width - 5) + 'x'.repeat(width < 20 ? 10 : 5);
    expect(found(fits)).toEqual([]);
    expect(found(`${fits}x`)).toEqual(['line-length']);
  });

  it.each(published)('%s: shortest and longest time', (language) => {
    const least = language === 'jpn' ? 500 : 833;
    const found = (time: number) =>
      rulesFound([shown('x', time)], { language, given: { maxSpeed: 1000 } });
    expect(found(least)).toEqual([]);
    expect(found(least - 1)).toEqual(['duration']);
    expect(found(7000)).toEqual([]);
    expect(found(7001)).toEqual(['duration']);
  });

  it.each(published)('%s: italics', (language) => {
    const hasItalics = ['eng', 'jpn', 'fra', 'rus'].includes(language);
    expect(rulesFound([shown('<i>x</i>', 2000)], { language })).toEqual(
      hasItalics ? [] : ['italics'],
    );
  });

  it('three dots are one character, in Chinese and Japanese too', () => {
    const found = (language: string, text: string) =>
      rulesFound([shown(text, 2000)], { language, given: { maxSpeed: 1000 } });
    expect(found('fra', 'Oui...')).toEqual(['ellipsis']);
    expect(found('fra', 'Oui…')).toEqual([]);
    expect(found('fra', '1....9')).toEqual([]);
    for (const language of ['jpn', 'zho', 'yue', 'kor']) {
      expect(found(language, '灯...'), language).toEqual(['ellipsis']);
      for (const right of ['灯…', '灯⋯', '灯……']) expect(found(language, right)).toEqual([]);
    }
  });
});

describe('the docs', () => {
  it('have the same limits, each with its source', () => {
    const page = readFileSync(
      new URL('../../../docs/subtitles/formats.md', import.meta.url),
      'utf8',
    );
    expect(withLimitTables(page)).toBe(page);
    for (const { source } of languageGuides) expect(page).toContain(source.url);
  });
});

describe('gaps', () => {
  const gapRules = (gap: number, fps: string) =>
    rulesFound([shown('a', 1000), line(2, at(2000 + gap), at(3000 + gap), 'b')], {
      frameRate: frameRateNamed(fps),
    });

  // The fewest whole milliseconds of two frames; gaps to close: from three frames to half a second less one.
  it.each([
    ['23.976', 83, 125, 459],
    ['24', 83, 125, 458],
    ['25', 80, 120, 440],
    ['29.97', 66, 100, 467],
    ['30', 66, 100, 467],
    ['50', 40, 60, 480],
    ['59.94', 33, 50, 484],
    ['60', 33, 50, 483],
  ])('at %s frames per second', (fps, least, from, to) => {
    const frame = 1000 / Number(fps);
    expect(gapRules(least - 1, fps)).toEqual(['gap']);
    expect(gapRules(least, fps)).toEqual([]);
    expect(gapRules(from, fps)).toEqual(['gap']);
    expect(gapRules(to, fps)).toEqual(['gap']);
    expect(gapRules(Math.round(to + frame), fps)).toEqual([]);
    expect(frameRateNames).toContain(fps);
  });
});
