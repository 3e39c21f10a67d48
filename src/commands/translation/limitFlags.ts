import { usageError } from '../../errors.ts';
import {
  defaultPreset,
  type Limits,
  presetLimits,
  presetNames,
} from '../../subtitles/lint/limits.ts';
import { parseDuration } from '../../values/duration.ts';
import { type Input, type Option, optionKey, stringOption } from '../command.ts';

/** The flag of each limit. A `<duration>` is a time, anything else a number. */
const limitFlags: readonly [limit: keyof Limits, flags: string, summary: string][] = [
  ['maxWidth', '--max-width <columns>', 'the widest line of text'],
  ['maxLines', '--max-lines <n>', 'the most lines at once'],
  ['maxSpeed', '--max-cps <n>', 'the most characters a second'],
  ['maxWords', '--max-wpm <n>', 'the most words a minute'],
  ['minDuration', '--min-duration <duration>', 'the shortest time of a line: 800ms'],
  ['maxDuration', '--max-duration <duration>', 'the longest time of a line: 7s'],
  ['minGap', '--min-gap <duration>', 'the shortest gap between two lines: 80ms'],
];

export const limitOptions: readonly Option[] = [
  {
    flags: '--preset <name>',
    summary: 'whose published limits to hold lines to',
    choices: presetNames,
    default: defaultPreset,
  },
  ...limitFlags.map(([, flags, summary]) => ({ flags, summary, default: "the preset's" })),
];

/** Reads the limit flags. They replace the limits that the preset has for a language. */
export function readLimits(input: Input): (language: string | undefined) => Limits {
  const preset =
    presetNames.find((name) => name === stringOption(input, 'preset')) ?? defaultPreset;
  const given: Limits = Object.fromEntries(
    limitFlags.flatMap(([limit, flags]) => {
      const value = stringOption(input, optionKey(flags));
      return value === undefined ? [] : [[limit, readLimit(flags, value)]];
    }),
  );
  return (language) => presetLimits(preset, language, given);
}

function readLimit(flags: string, value: string): number {
  const [flag = '', kind] = flags.split(' ');
  if (kind === '<duration>') return parseDuration(value, flag);
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(value) && Number(value) > 0) return Number(value);
  throw usageError(`${flag} takes a number above 0, not "${value}"`);
}
