import { usageError } from '../../../core/errors.ts';
import { type Input, type Option, option, optionKey, stringOption } from '../../../core/input.ts';
import { fieldOf, textAt, valueAt } from '../../../core/json/fields.ts';
import type { Column } from '../../../core/output/viewType.ts';
import type { Context } from '../../../core/session/context.ts';
import { words } from '../../../core/values/commandLine.ts';
import { parseDuration } from '../../../core/values/duration.ts';
import { plural } from '../../../core/values/numbers.ts';
import { type CheckedSubtitles, checkSubtitles, countText, languageError } from '../check/check.ts';
import type { Limits } from '../check/guideLimits.ts';
import { defaultPreset, limitsFor, presetNames } from '../check/presets.ts';
import { changesText, type Summary, stateNames } from '../check/summary.ts';
import { claimsOf } from '../languages/languageOfFile.ts';
import { detectorFor, isDetectable } from '../languages/languageOfText.ts';
import { plainText } from '../spans.ts';
import { nounOf, type Subtitles } from '../subtitles.ts';
import { assumedFrameRate } from '../timecode.ts';
import { chosenFrameRate, fpsOption, isFileName } from './source.ts';

/** The flag of each limit. A `<duration>` is a time, anything else a number. */
const limitFlags: readonly [limit: keyof Limits, flags: string, summary: string][] = [
  ['maxWidth', '--max-width <n>', 'maximum width of a line of text'],
  ['maxLines', '--max-lines <n>', 'maximum number of lines of a subtitle'],
  ['maxSpeed', '--max-cps <n>', 'maximum number of characters per second'],
  ['maxWords', '--max-wpm <n>', 'maximum number of words per minute'],
  ['minDuration', '--min-duration <duration>', 'minimum time a subtitle is shown, such as 800ms'],
  ['maxDuration', '--max-duration <duration>', 'maximum time a subtitle is shown, such as 7s'],
  ['minGap', '--min-gap <duration>', 'minimum gap between two subtitles, such as 80ms'],
];

export const limitOptions: readonly Option[] = [
  option('--preset <name>', 'style guide whose limits apply', {
    choices: presetNames,
    default: defaultPreset,
  }),
  option('--children', 'use the reading speeds for children (netflix)'),
  option('--sdh', 'use the reading speeds for the deaf and hard of hearing (netflix)'),
  fpsOption,
  ...limitFlags.map(([, flags, summary]) => ({ flags, summary, default: 'from the preset' })),
];

function readLimit(flags: string, value: string): number {
  const [flag = '', kind] = flags.split(' ');
  if (kind === '<duration>') return parseDuration(value, flag);
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(value) && Number(value) > 0) return Number(value);
  throw usageError(`${flag} takes a number above 0, not "${value}"`, undefined, { flag, value });
}

export const languageOption = option(
  '--language <code>',
  'language of the files; decides the limits of netflix',
  { default: 'from the translation, the header or the file name' },
);

/** Checks subtitles by the limits of their language. Flags replace the limits that the preset has. */
export function subtitlesChecker(context: Context, input: Input) {
  const preset =
    presetNames.find((name) => name === stringOption(input, 'preset')) ?? defaultPreset;
  const given: Limits = Object.fromEntries(
    limitFlags.flatMap(([limit, flags]) => {
      const value = stringOption(input, optionKey(flags));
      return value === undefined ? [] : [[limit, readLimit(flags, value)]];
    }),
  );
  const { children, sdh } = input.options;
  const audience = sdh ? (children ? 'sdhChildren' : 'sdh') : children ? 'children' : 'adult';
  const named = stringOption(input, 'language');
  const chosen = chosenFrameRate(context.session, input);
  return async (read: Subtitles): Promise<CheckedSubtitles> => {
    const claims = named === undefined ? read.claims : claimsOf({ '--language': named });
    const language = named ?? read.language;
    const subtitles = { ...read, language, claims };
    const frameRate = chosen ?? subtitles.frameRate;
    if (!frameRate && preset === 'netflix' && given.minGap === undefined) {
      context.reporter.reportOnce({
        text: `Assuming ${assumedFrameRate.name} frames per second for gaps. For others, use --fps, or run:`,
        command: words`mar config set fps RATE`,
      });
    }
    const detect = await detectorFor(
      subtitles.lines.map(({ spans }) => plainText(spans)),
      claims.map(({ code }) => code),
    );
    const limits = limitsFor({ preset, language, audience, frameRate, given });
    const findings = context.world.interruptible(() =>
      checkSubtitles(subtitles, { language, claims, detect, limits }),
    );
    const own = input.options.fps ? '--fps' : 'setting';
    const from = chosen ? own : subtitles.frameRate ? 'header' : 'assumed';
    const rate = { name: (frameRate ?? assumedFrameRate).name, from } as const;
    const isUnsure = !detect && !languageError({ findings });
    const hasLittleText = isUnsure && claims.some(({ code }) => isDetectable(code));
    return { subtitles, findings, frameRate: rate, limits, preset, hasLittleText };
  };
}

export function summaryOf(file: Summary): string {
  const { name, cues, findings } = file;
  const noun = nounOf(file);
  if (cues === 0 && findings.length === 1) return `${name} has no ${noun}s`;
  const taken = file.takenFor && `taken for ${file.takenFor}`;
  const found = `${name}: ${countText(file) || 'no problems'} in ${plural(cues, noun)}`;
  return [found, changesText([file]), taken].filter(Boolean).join('; ');
}

export function findingColumns(names: readonly string[], isCompared: boolean): Column[] {
  const areFiles = names.every((name) => isFileName(name));
  const columns: readonly (Column | false)[] = [
    names.length > 1 && { title: 'Source', path: 'source', kind: 'id' },
    {
      title: 'Line',
      path: areFiles ? 'line' : 'number',
      kind: 'number',
      read: (record) =>
        valueAt(record, 'line') ?? valueAt(record, 'number') ?? valueAt(record, 'place'),
    },
    areFiles && { title: 'Cue', path: 'cue', kind: 'number' },
    { title: 'Start', path: 'startTime', kind: 'id' },
    isCompared && {
      title: 'State',
      path: 'state',
      kind: 'id',
      show: (record) => fieldOf(stateNames, textAt(record, 'state')),
    },
    {
      title: 'Level',
      path: 'severity',
      importance: 3,
      paint: (text, style) => (text === 'error' ? style.red(text) : text),
    },
    // On a terminal, the message says enough.
    { title: 'Rule', path: 'rule', isOffScreen: true },
    // Never cut, because its end has the limit.
    { title: 'Problem', path: 'message', kind: 'id' },
    { title: 'Text', path: 'text', importance: 1 },
  ];
  return columns.filter((column) => column !== false);
}
