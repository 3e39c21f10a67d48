import { localeOf } from '../language.ts';
import { assumedFrameRate, type FrameRate, framesToMilliseconds } from '../timecode.ts';
import {
  type Audience,
  type DialogueDash,
  dialogueDashes,
  gapGuide,
  generalGuide,
  type LanguageGuide,
  languageGuides,
} from './guides.ts';

/** Limits for lines. A limit that is not set is not checked. */
export interface Limits {
  /** In terminal columns, where a Chinese character takes two; with `countsFullWidth` in such characters. */
  maxWidth?: number;
  maxLines?: number;
  /** Characters a second. */
  maxSpeed?: number;
  /** Words a minute. */
  maxWords?: number;
  /** How long a line is shown, in milliseconds. */
  minDuration?: number;
  maxDuration?: number;
  /** The pause between two lines, in milliseconds. */
  minGap?: number;
  /** Gaps of this length, in milliseconds, should be closed to `minGap`. */
  closedGaps?: { from: number; to: number };
  /** A line may follow another without any gap; `minGap` is only for real gaps. */
  mayTouch?: true;
  /** Widths and speeds count a Latin letter as half a character. */
  countsFullWidth?: true;
  forbidsItalics?: boolean;
  /** Three dots are written as one character. */
  usesEllipsis?: boolean;
  usesSingleSpaces?: boolean;
  dash?: DialogueDash;
}

export const presetNames = ['netflix', 'bbc', 'none'] as const;
export type PresetName = (typeof presetNames)[number];
export const defaultPreset: PresetName = 'netflix';

/**
 * BBC Subtitle Guidelines, sections 3.1 (37 characters are a line of Teletext; other media have 68 %
 * of the width), 3.3, 4.1 and 4.5. `bbcGuideUrl` has the address.
 */
const bbc: Limits = {
  maxWidth: 37,
  maxLines: 2,
  maxWords: 180,
  minGap: 1000,
  mayTouch: true,
  usesSingleSpaces: true,
};

export interface LimitOptions {
  preset?: PresetName;
  language?: string;
  audience?: Audience;
  frameRate?: FrameRate;
  /** Limits that replace those of the preset. */
  given?: Limits;
}

export function limitsFor({ preset = defaultPreset, given = {}, ...options }: LimitOptions) {
  const limits = preset === 'netflix' ? netflixLimits(options) : preset === 'bbc' ? bbc : {};
  const all: Limits = { ...limits, ...given };
  // The rule for longer gaps belongs to the guide's own minimum.
  if (given.minGap !== undefined) delete all.closedGaps;
  return all;
}

function netflixLimits({
  language,
  audience = 'adult',
  frameRate = assumedFrameRate,
}: LimitOptions) {
  const code = localeOf(language)?.language ?? '';
  const guide = guideFor(language);
  const dash = dialogueDashes.find(({ codes }) => codes.split(' ').includes(code));
  return {
    maxWidth: guide.width,
    maxLines: generalGuide.maxLines,
    maxSpeed: guide.speed[audience],
    minDuration: guide.minDuration ?? generalGuide.minDuration,
    maxDuration: generalGuide.maxDuration,
    ...gapLimits(frameRate),
    countsFullWidth: guide.countsFullWidth,
    forbidsItalics: !guide.hasItalics,
    usesEllipsis: guide.hasEllipsis,
    usesSingleSpaces: true,
    dash,
  };
}

export function guideFor(language: string | undefined): LanguageGuide {
  const code = localeOf(language)?.language ?? '';
  const guide = languageGuides.find(({ codes }) => codes.includes(code));
  return guide ?? (languageGuides.at(-1) as LanguageGuide);
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
