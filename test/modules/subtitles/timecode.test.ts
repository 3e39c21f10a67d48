import { describe, expect, it } from 'vitest';
import {
  formatTimecode,
  frameRateNamed,
  frameRateNames,
  framesToMilliseconds,
  readTimecode,
} from '../../../src/modules/subtitles/timecode.ts';
import { subtitleWords } from '../../words/subtitles.ts';

describe('a timecode', () => {
  it.each([
    ['00:00:00,000', 0],
    ['00:00:03,200', 3200],
    ['99:59:59,999', 359_999_999],
    ['100:00:00,001', 360_000_001],
    ['1234567:00:00,000', 4_444_441_200_000],
    [' 0:00:01,000 ', 1000],
    ['-00:00:00,000', 0],
  ])('%s is read', (text, milliseconds) => {
    expect(readTimecode(text)).toEqual({ text: text.trim(), milliseconds });
  });

  it('accepts a dot for the comma and marks it', () => {
    expect(readTimecode('00:00:01.500')).toMatchObject({ milliseconds: 1500, hasDot: true });
  });

  it.each([
    ['-00:00:01,000', 'is negative'],
    ['−00:00:01,000', 'is negative'],
    ['00:00:01:12', subtitleWords.countsFrames],
    ['00:00:01;12', subtitleWords.countsFrames],
    ['00:60:00,000', subtitleWords.tooManyMinutes],
    ['00:00:60,000', 'has more than 59 seconds'],
    ['9999999999:00:00,000', 'is too large'],
    ['00:00:01,5', subtitleWords.threeDigits('comma')],
    ['00:00:01', subtitleWords.threeDigits('comma')],
    ['00:00:01,0000', subtitleWords.threeDigits('comma')],
    ['12.5', 'is not in the form HH:MM:SS,mmm'],
    ['00:00', 'is not in the form HH:MM:SS,mmm'],
    ['', 'is missing'],
    [undefined, 'is missing'],
    [3200, 'is missing'],
  ])('%s has a problem: it %s', (text, problem) => {
    expect(readTimecode(text)).toMatchObject({ problem });
  });

  it.each([0, 999, 3_599_999, 360_000_001])('of %i milliseconds reads back', (milliseconds) => {
    expect(readTimecode(formatTimecode(milliseconds, ','))).toMatchObject({ milliseconds });
  });
});

describe('a frame rate', () => {
  it.each([
    ['23.976', 24000, 1001],
    ['24', 24, 1],
    ['25', 25, 1],
    ['29.97', 30000, 1001],
    ['30', 30, 1],
    ['50', 50, 1],
    ['59.94', 60000, 1001],
    ['60', 60, 1],
  ])('%s is an exact fraction', (name, frames, seconds) => {
    expect(frameRateNamed(name)).toEqual({ name, frames, seconds });
  });

  it('converts frames to milliseconds without loss', () => {
    for (const name of frameRateNames) {
      const rate = frameRateNamed(name);
      for (const frames of [0, 1, 2, 11, 86_399, 5_178_816]) {
        const milliseconds = Math.round(framesToMilliseconds(frames, rate));
        expect(Math.round((milliseconds * rate.frames) / (rate.seconds * 1000))).toBe(frames);
      }
    }
    expect(framesToMilliseconds(70, frameRateNamed('23.976'))).toBeCloseTo(2919.583, 3);
  });
});
