/*
 * The published limits of subtitles, one row for each guide. `check` and `fix` read this table, and
 * `npm run generate` writes it into docs/subtitles.md.
 */

/** Viewers that a guide has limits for. SDH: subtitles for the deaf and hard of hearing. */
export const audiences = {
  adult: 'adult',
  children: 'children',
  sdh: 'SDH',
  sdhChildren: 'SDH children',
} as const;
export type Audience = keyof typeof audiences;

export interface GuideSource {
  url: string;
  /** The day when the numbers were read. */
  read: string;
}

export interface LanguageGuide {
  language: string;
  /** `Intl` codes; the guide without codes is for all other languages. */
  codes: readonly string[];
  /** Characters a second. */
  speed: Readonly<Record<Audience, number>>;
  /** Characters in a line. */
  width: number;
  /** Characters are counted by their width: a Latin letter is half a character. */
  countsFullWidth?: true;
  /** In milliseconds, if it is not the general one. */
  minDuration?: number;
  hasItalics: boolean;
  /** The guide asks for the character … instead of three dots. */
  hasEllipsis: boolean;
  source: GuideSource;
  /** The part of the row that a copy of the guide itself confirmed; the rest is second-hand. */
  confirmed: string;
}

const partnerHelp = 'https://partnerhelp.netflixstudios.com/hc/en-us/articles';
/** The day of SubtitleEdit's update to the current guides, which has all speeds. */
const read = '2026-08-07';
const guide = (page: string): GuideSource => ({ url: `${partnerHelp}/${page}`, read });

/** The title of a guide, from its address: `217350977-English-Timed-Text-Style-Guide`. */
export const guideTitle = (url: string) => url.replace(/^.*\/\d+-/, '').replaceAll('-', ' ');

export const bbcGuideUrl = 'https://www.bbc.co.uk/accessibility/forproducts/guides/subtitles/';

/** In the order of `audiences`. */
const speeds = (adult: number, children: number, sdh: number, sdhChildren: number) => ({
  adult,
  children,
  sdh,
  sdhChildren,
});

const otherSpeeds = speeds(17, 13, 20, 17);

export const generalGuide = {
  maxLines: 2,
  /** 5/6 of a second. */
  minDuration: 833,
  maxDuration: 7000,
  source: guide('215758617-Timed-Text-Style-Guide-General-Requirements'),
};

/** Frames, whatever their rate. */
export const gapGuide = {
  minFrames: 2,
  /** A gap from here to half a second less a frame is closed to `minFrames`. */
  minClosedFrames: 3,
  source: guide('360051554394-Timed-Text-Style-Guide-Subtitle-Timing-Guidelines'),
};

export const languageGuides: readonly LanguageGuide[] = [
  {
    language: 'English',
    codes: ['en'],
    speed: speeds(20, 17, 20, 17),
    width: 42,
    hasItalics: true,
    hasEllipsis: true,
    source: guide('217350977-English-Timed-Text-Style-Guide'),
    confirmed: 'width',
  },
  {
    language: 'Arabic',
    codes: ['ar'],
    speed: speeds(20, 17, 23, 20),
    width: 42,
    hasItalics: false,
    hasEllipsis: true,
    source: guide('215517947-Arabic-Timed-Text-Style-Guide'),
    confirmed: 'width',
  },
  {
    language: 'Chinese',
    codes: ['zh', 'yue'],
    speed: speeds(9, 7, 11, 9),
    width: 16,
    countsFullWidth: true,
    hasItalics: false,
    hasEllipsis: false,
    source: guide('215994807-Chinese-Traditional-Timed-Text-Style-Guide'),
    confirmed: 'width',
  },
  {
    language: 'Hebrew',
    codes: ['he'],
    speed: otherSpeeds,
    width: 42,
    hasItalics: false,
    hasEllipsis: true,
    source: guide('220636427-Hebrew-Timed-Text-Style-Guide'),
    confirmed: 'width',
  },
  {
    language: 'Hindi',
    codes: ['hi'],
    speed: speeds(22, 18, 25, 20),
    width: 42,
    hasItalics: false,
    hasEllipsis: true,
    source: guide('115003196707-Hindi-Timed-Text-Style-Guide'),
    confirmed: 'width',
  },
  {
    language: 'Japanese',
    codes: ['ja'],
    speed: speeds(4, 4, 7, 7),
    width: 13,
    countsFullWidth: true,
    minDuration: 500,
    hasItalics: true,
    hasEllipsis: false,
    source: guide('215767517-Japanese-Timed-Text-Style-Guide'),
    confirmed: 'width, half-width characters',
  },
  {
    language: 'Korean',
    codes: ['ko'],
    speed: speeds(12, 9, 14, 11),
    width: 16,
    countsFullWidth: true,
    hasItalics: false,
    hasEllipsis: true,
    source: guide('216001127-Korean-Timed-Text-Style-Guide'),
    confirmed: 'width, half-width characters',
  },
  {
    language: 'Thai',
    codes: ['th'],
    speed: otherSpeeds,
    width: 35,
    hasItalics: false,
    hasEllipsis: true,
    source: guide('220448308-Thai-Timed-Text-Style-Guide'),
    confirmed: 'width',
  },
  {
    language: 'others',
    codes: [],
    speed: otherSpeeds,
    width: 42,
    hasItalics: true,
    hasEllipsis: true,
    source: generalGuide.source,
    confirmed: 'durations, lines',
  },
];

/** The start of each line if two people speak, for languages whose guide says it. */
export const dialogueDashes: Readonly<Record<string, readonly string[]>> = {
  '- ': 'ar cs es fr hu id it ko ms pl pt ro ru sk th vi'.split(' '),
  '-': ['en'],
};
