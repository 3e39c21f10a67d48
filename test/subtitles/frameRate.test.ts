import { describe, expect, it } from 'vitest';
import {
  frameRateNames,
  framesToMilliseconds,
  millisecondsToFrames,
  parseFrameRate,
} from '../../src/subtitles/frameRate.ts';

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
    expect(parseFrameRate(name, '--fps')).toEqual({ name, frames, seconds });
  });

  it('converts frames to milliseconds and back without loss', () => {
    expect(framesToMilliseconds(70, parseFrameRate('23.976', '--fps'))).toBeCloseTo(2919.583, 3);
    for (const name of frameRateNames) {
      const rate = parseFrameRate(name, '--fps');
      for (const frames of [0, 1, 2, 11, 86_399, 5_178_816]) {
        const milliseconds = framesToMilliseconds(frames, rate);
        expect(millisecondsToFrames(milliseconds, rate)).toBeCloseTo(frames, 6);
        expect(Math.round(millisecondsToFrames(Math.round(milliseconds), rate))).toBe(frames);
      }
    }
  });

  it.each(['', '23.98', '0', '1e3', '-25', '24p', 'constructor'])('rejects %j', (text) => {
    expect(() => parseFrameRate(text, '--fps')).toThrow(`--fps: unknown frame rate "${text}"`);
  });
});
