import { usageError } from '../../errors.ts';
import {
  defaultPreset,
  type Limits,
  type PresetName,
  presetLimits,
  presetNames,
} from '../../subtitles/lint/limits.ts';
import { parseDuration } from '../../values/duration.ts';
import { type Input, type Option, textOption } from '../command.ts';

const byPreset = "the preset's";

export const limitOptions: readonly Option[] = [
  {
    flags: '--preset <name>',
    summary: 'whose published limits to hold lines to',
    choices: presetNames,
    default: defaultPreset,
  },
  { flags: '--max-width <columns>', summary: 'the widest line of text', default: byPreset },
  { flags: '--max-lines <n>', summary: 'the most lines at once', default: byPreset },
  { flags: '--max-cps <n>', summary: 'the most characters a second', default: byPreset },
  { flags: '--max-wpm <n>', summary: 'the most words a minute', default: byPreset },
  {
    flags: '--min-duration <duration>',
    summary: 'the shortest time of a line: 800ms',
    default: byPreset,
  },
  {
    flags: '--max-duration <duration>',
    summary: 'the longest time of a line: 7s',
    default: byPreset,
  },
  {
    flags: '--min-gap <duration>',
    summary: 'the shortest gap between two lines: 80ms',
    default: byPreset,
  },
];

/** Reads the limit flags. They replace the limits that the preset has for a language. */
export function readLimits(input: Input): (language: string | undefined) => Limits {
  const preset: PresetName =
    presetNames.find((name) => name === textOption(input, 'preset')) ?? defaultPreset;
  const given: Limits = {
    ...limit('maxWidth', numberOption(input, 'maxWidth', '--max-width')),
    ...limit('maxLines', numberOption(input, 'maxLines', '--max-lines')),
    ...limit('maxSpeed', numberOption(input, 'maxCps', '--max-cps')),
    ...limit('maxWords', numberOption(input, 'maxWpm', '--max-wpm')),
    ...limit('minDuration', durationOption(input, 'minDuration', '--min-duration')),
    ...limit('maxDuration', durationOption(input, 'maxDuration', '--max-duration')),
    ...limit('minGap', durationOption(input, 'minGap', '--min-gap')),
  };
  return (language) => presetLimits(preset, language, given);
}

const limit = (name: keyof Limits, value: number | undefined): Limits =>
  value === undefined ? {} : { [name]: value };

function numberOption(input: Input, name: string, flag: string): number | undefined {
  const value = textOption(input, name);
  if (value === undefined) return undefined;
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(value) && Number(value) > 0) return Number(value);
  throw usageError(`${flag} takes a number above 0, not "${value}"`);
}

function durationOption(input: Input, name: string, flag: string): number | undefined {
  const value = textOption(input, name);
  return value === undefined ? undefined : parseDuration(value, flag);
}
