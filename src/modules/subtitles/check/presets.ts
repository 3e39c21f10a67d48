import { localeOf } from '../languages/language.ts';
import { assumedFrameRate, type FrameRate, framesToMilliseconds } from '../timecode.ts';
import {
  type Audience,
  bbcGuide,
  dialogueDashes,
  gapGuide,
  type LanguageGuide,
  type Limits,
  languageGuides,
} from './guideLimits.ts';

export const presetNames = ['netflix', 'bbc', 'none'] as const;
export type PresetName = (typeof presetNames)[number];
export const defaultPreset: PresetName = 'netflix';

export interface LimitOptions {
  preset?: PresetName;
  language?: string;
  audience?: Audience;
  frameRate?: FrameRate;
  /** Limits that replace those of the preset. */
  given?: Limits;
}

export function limitsFor({ preset = defaultPreset, given = {}, ...options }: LimitOptions) {
  const limits = { netflix: netflixLimits(options), bbc: bbcGuide.limits, none: {} }[preset];
  const all: Limits = { ...limits, ...given };
  // The rule for longer gaps belongs to the guide's own minimum.
  if (given.minGap !== undefined) delete all.closedGaps;
  return all;
}

function netflixLimits(options: LimitOptions): Limits {
  const { language, audience = 'adult', frameRate = assumedFrameRate } = options;
  const code = localeOf(language)?.language ?? '';
  const { limits, speed } = guideFor(language);
  const dash = dialogueDashes.find(({ codes }) => codes.split(' ').includes(code));
  return { ...limits, maxSpeed: speed[audience], ...gapLimits(frameRate), dash };
}

export function guideFor(language: string | undefined): LanguageGuide {
  const code = localeOf(language)?.language ?? '';
  const guide = languageGuides.find(({ codes }) => codes.includes(code));
  return guide ?? (languageGuides.at(-1) as LanguageGuide);
}

/** `Netflix: Japanese`; undefined if no guide applies. */
export function guideName(preset: PresetName, language: string | undefined): string | undefined {
  if (preset === 'none') return undefined;
  return preset === 'bbc' ? 'BBC' : `Netflix: ${guideFor(language).language}`;
}

/** A file has whole milliseconds, so two frames at 24 a second may be 83 ms. */
function gapLimits(rate: FrameRate): Pick<Limits, 'minGap' | 'closedGaps'> {
  const { minFrames, minClosedFrames } = gapGuide;
  const halfSecond = Math.floor(Math.round(rate.frames / rate.seconds) / 2);
  return {
    minGap: Math.floor(framesToMilliseconds(minFrames, rate)),
    // A gap counts as the nearest number of frames.
    closedGaps: {
      from: Math.ceil(framesToMilliseconds(minClosedFrames - 0.5, rate)),
      to: Math.floor(framesToMilliseconds(halfSecond - 0.5, rate)),
    },
  };
}
