import { frameRateNames } from '../../core/config/configFile.ts';

export interface Timecode {
  text: string;
  milliseconds?: number;
  problem?: string;
  /** It has a dot where `HH:MM:SS,mmm` has a comma. */
  hasDot?: true;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const timecodePattern = /^([-−]?)(\d+):(\d{2}):(\d{2})([,.])(\d{3})$/;
const withFrames = /^[-−]?\d+:\d{2}:\d{2}[:;]\d{2,3}$/;
const otherFraction = /^[-−]?\d+:\d{2}:\d{2}(?:[,.]\d*)?$/;

/** Reads `HH:MM:SS,mmm`; a dot may replace the comma. `expectedMark` is only for messages. */
export function readTimecode(written: unknown, expectedMark: ',' | '.' = ','): Timecode {
  if (typeof written !== 'string') return { text: '', problem: 'is missing' };
  const text = written.trim();
  const [, sign, hours, minutes, seconds, mark, fraction] = timecodePattern.exec(text) ?? [];
  if (mark === undefined) return { text, problem: formatProblem(text, expectedMark) };
  if (Number(minutes) > 59) return { text, problem: 'has more than 59 minutes' };
  if (Number(seconds) > 59) return { text, problem: 'has more than 59 seconds' };
  const milliseconds =
    Number(hours) * hour + Number(minutes) * minute + Number(seconds) * second + Number(fraction);
  if (!Number.isSafeInteger(milliseconds)) return { text, problem: 'is too large' };
  const hasDot = mark === '.' || undefined;
  if (sign === '' || milliseconds === 0) return { text, milliseconds, hasDot };
  return { text, milliseconds: -milliseconds, problem: 'is negative', hasDot };
}

function formatProblem(text: string, mark: ',' | '.'): string {
  if (text === '') return 'is missing';
  if (withFrames.test(text)) return 'counts frames, but the frame rate is unknown';
  if (otherFraction.test(text))
    return `needs three digits after a ${mark === ',' ? 'comma' : 'dot'}`;
  return `is not in the form HH:MM:SS${mark}mmm`;
}

export function formatTimecode(milliseconds: number, mark: ',' | '.'): string {
  const hours = String(Math.floor(milliseconds / hour)).padStart(2, '0');
  const rest = new Date(milliseconds % hour).toISOString().slice('1970-01-01T00:'.length, -1);
  return `${hours}:${rest.replace('.', mark)}`;
}

/** `0.4 s`, `2.7 s`: for messages. */
export const formatSeconds = (milliseconds: number): string =>
  `${Number((milliseconds / second).toFixed(3))} s`;

export { frameRateNames };

/** Frames a second as an exact fraction: 23.976 is 24000/1001. */
export interface FrameRate {
  name: string;
  frames: number;
  seconds: number;
}

/** One of `frameRateNames`. 23.976, 29.97 and 59.94 are 1000/1001 of the next whole rate. */
export function frameRateNamed(name: string): FrameRate {
  const isWhole = !name.includes('.');
  const nominal = Math.round(Number(name));
  return { name, frames: isWhole ? nominal : nominal * 1000, seconds: isWhole ? 1 : 1001 };
}

/** Two frames are longest at 24, so a gap that is long enough there is long enough everywhere. */
export const assumedFrameRate = frameRateNamed('24');

/** Not rounded. */
export const framesToMilliseconds = (frames: number, rate: FrameRate): number =>
  (frames * rate.seconds * 1000) / rate.frames;
