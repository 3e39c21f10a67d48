import { frameRateNames } from '../config/config.ts';
import { usageError } from '../errors.ts';

export { frameRateNames };

/** Frames a second as an exact fraction: 23.976 is 24000/1001. */
export interface FrameRate {
  name: (typeof frameRateNames)[number];
  frames: number;
  seconds: number;
}

/** 23.976, 29.97 and 59.94 are 1000/1001 of the next whole rate. */
function rateNamed(name: FrameRate['name']): FrameRate {
  const isWhole = !name.includes('.');
  const nominal = Math.round(Number(name));
  return { name, frames: isWhole ? nominal : nominal * 1000, seconds: isWhole ? 1 : 1001 };
}

/** Two frames are longest at 24, so a gap that is long enough there is long enough everywhere. */
export const assumedFrameRate = rateNamed('24');

/** `origin` is the flag or attribute that the text comes from, for the error. */
export function parseFrameRate(text: string, origin: string): FrameRate {
  const name = frameRateNames.find((known) => known === text.trim().replace(/\.0+$/, ''));
  if (name !== undefined) return rateNamed(name);
  throw usageError(
    `${origin}: unknown frame rate "${text}"`,
    `Known frame rates: ${frameRateNames.join(', ')}`,
  );
}

/** Not rounded: round for the use at hand. */
export const framesToMilliseconds = (frames: number, rate: FrameRate): number =>
  (frames * rate.seconds * 1000) / rate.frames;

/** Not rounded, like `framesToMilliseconds`. */
export const millisecondsToFrames = (milliseconds: number, rate: FrameRate): number =>
  (milliseconds * rate.frames) / (rate.seconds * 1000);
