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

/** The columns: speeds for each of `audiences`, the width, and the page of the guide. */
function languageGuide(
  language: string,
  codes: string,
  [adult, children, sdh, sdhChildren]: readonly [number, number, number, number],
  width: number,
  page: string,
  more: Partial<LanguageGuide> = {},
): LanguageGuide {
  return {
    language,
    codes: codes.split(' '),
    speed: { adult, children, sdh, sdhChildren },
    width,
    hasItalics: true,
    hasEllipsis: true,
    source: guide(`${page}-Timed-Text-Style-Guide`),
    confirmed: 'width',
    ...more,
  };
}

const noItalics = { hasItalics: false } as const;
const fullWidth = { countsFullWidth: true } as const;
const halfWidths = 'width, half-width characters';

export const languageGuides: readonly LanguageGuide[] = [
  languageGuide('English', 'en', [20, 17, 20, 17], 42, '217350977-English'),
  languageGuide('Arabic', 'ar', [20, 17, 23, 20], 42, '215517947-Arabic', noItalics),
  languageGuide('Chinese', 'zh yue', [9, 7, 11, 9], 16, '215994807-Chinese-Traditional', {
    ...fullWidth,
    ...noItalics,
    hasEllipsis: false,
  }),
  languageGuide('Hebrew', 'he', [17, 13, 20, 17], 42, '220636427-Hebrew', noItalics),
  languageGuide('Hindi', 'hi', [22, 18, 25, 20], 42, '115003196707-Hindi', noItalics),
  languageGuide('Japanese', 'ja', [4, 4, 7, 7], 13, '215767517-Japanese', {
    ...fullWidth,
    minDuration: 500,
    hasEllipsis: false,
    confirmed: halfWidths,
  }),
  languageGuide('Korean', 'ko', [12, 9, 14, 11], 16, '216001127-Korean', {
    ...fullWidth,
    ...noItalics,
    confirmed: halfWidths,
  }),
  languageGuide('Thai', 'th', [17, 13, 20, 17], 35, '220448308-Thai', noItalics),
  languageGuide('others', '', [17, 13, 20, 17], 42, '', {
    codes: [],
    source: generalGuide.source,
    confirmed: 'durations, lines',
  }),
];

/** How lines start if two people speak. */
export interface DialogueDash {
  text: string;
  /** The line of the first speaker has none. */
  isOnlySecond?: true;
}

/** For the languages whose guide says it. */
export const dialogueDashes: readonly (DialogueDash & { codes: string })[] = [
  { text: '- ', codes: 'ar cs es fr hu id it ko ms pl pt ro ru sk th vi' },
  { text: '-', codes: 'en' },
  { text: '-', isOnlySecond: true, codes: 'fi he nl sr' },
  { text: '- ', isOnlySecond: true, codes: 'bg' },
];
