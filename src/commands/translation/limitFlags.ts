import { usageError } from '../../errors.ts';
import {
  type Limits,
  limitsOf,
  type PresetName,
  presetNames,
  usualPreset,
} from '../../subtitles/lint/limits.ts';
import { parseDuration } from '../../values/duration.ts';
import { type Input, type Option, textOption } from '../command.ts';

const byPreset = "the preset's";

/** What lines are held to. */
export const limitOptions: readonly Option[] = [
  {
    flags: '--preset <name>',
    summary: 'whose published limits to hold lines to',
    choices: presetNames,
    default: usualPreset,
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

/** The limits that were asked for: those of a preset in a language, and in their place those given. */
export function readLimits(input: Input): (language: string | undefined) => Limits {
  const preset: PresetName =
    presetNames.find((name) => name === textOption(input, 'preset')) ?? usualPreset;
  const given: Limits = {
    ...asked('maxWidth', whole(input, 'maxWidth', '--max-width')),
    ...asked('maxLines', whole(input, 'maxLines', '--max-lines')),
    ...asked('maxSpeed', whole(input, 'maxCps', '--max-cps')),
    ...asked('maxWords', whole(input, 'maxWpm', '--max-wpm')),
    ...asked('minDuration', duration(input, 'minDuration', '--min-duration')),
    ...asked('maxDuration', duration(input, 'maxDuration', '--max-duration')),
    ...asked('minGap', duration(input, 'minGap', '--min-gap')),
  };
  return (language) => limitsOf(preset, language, given);
}

const asked = (name: keyof Limits, value: number | undefined): Limits =>
  value === undefined ? {} : { [name]: value };

function whole(input: Input, name: string, flag: string): number | undefined {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(text) && Number(text) > 0) return Number(text);
  throw usageError(`${flag} takes a number above 0, not "${text}"`);
}

function duration(input: Input, name: string, flag: string): number | undefined {
  const text = textOption(input, name);
  return text === undefined ? undefined : parseDuration(text, flag);
}
