/*
 * The published limits of subtitles, one row for each guide. `check` and `fix` read this table, and
 * `npm run generate` writes it into docs/subtitles/formats.md.
 */

/** Viewers that a guide has limits for. SDH: subtitles for the deaf and hard of hearing. */
export const audiences = {
  adult: 'adult',
  children: 'children',
  sdh: 'SDH',
  sdhChildren: 'SDH children',
} as const;
export type Audience = keyof typeof audiences;

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
  forbidsItalics?: true;
  /** Three dots are written as one character. Chinese and Japanese may also have it in the middle: ⋯ */
  usesEllipsis?: true;
  usesSingleSpaces?: true;
  dash?: DialogueDash;
}

/** How lines start if two people speak. */
interface DialogueDash {
  text: string;
  /** The line of the first speaker has none. */
  isOnlySecond?: true;
}

const partnerHelp = 'https://partnerhelp.netflixstudios.com/hc/en-us/articles';
const guide = (page: string) => ({ url: `${partnerHelp}/${page}` });

/** The title of a guide, from its address: `217350977-English-Timed-Text-Style-Guide`. */
export const guideTitle = (url: string) => url.replace(/^.*\/\d+-/, '').replaceAll('-', ' ');

/** Sections 3.1 (37 characters are a line of Teletext; other media have 68 % of the width), 3.3, 4.1, 4.5. */
export const bbcGuide = {
  limits: {
    maxWidth: 37,
    maxLines: 2,
    maxWords: 180,
    minGap: 1000,
    mayTouch: true,
    usesSingleSpaces: true,
  } satisfies Limits,
  name: 'BBC Subtitle Guidelines',
  url: 'https://www.bbc.co.uk/accessibility/forproducts/guides/subtitles/',
};

export const generalGuide = {
  limits: {
    maxWidth: 42,
    maxLines: 2,
    /** 5/6 of a second. */
    minDuration: 833,
    maxDuration: 7000,
    usesEllipsis: true,
    usesSingleSpaces: true,
  } satisfies Limits,
  source: guide('215758617-Timed-Text-Style-Guide-General-Requirements'),
};

/** Frames, whatever their rate. */
export const gapGuide = {
  minFrames: 2,
  /** A gap from here to half a second less a frame is closed to `minFrames`. */
  minClosedFrames: 3,
  source: guide('360051554394-Timed-Text-Style-Guide-Subtitle-Timing-Guidelines'),
};

export type LanguageGuide = ReturnType<typeof languageGuide>;

/**
 * The columns: `Intl` codes (none for all other languages), characters a second for each of `audiences`,
 * the page of the guide, and the limits that differ from the general ones.
 */
function languageGuide(
  language: string,
  codes: string,
  [adult, children, sdh, sdhChildren]: readonly [number, number, number, number],
  page: string,
  limits: Limits = {},
) {
  return {
    language,
    codes: codes.split(' '),
    speed: { adult, children, sdh, sdhChildren } satisfies Record<Audience, number>,
    source: guide(`${page}-Timed-Text-Style-Guide`),
    limits: { ...generalGuide.limits, ...limits },
  };
}

const noItalics = { forbidsItalics: true } as const;
const fullWidth = { maxWidth: 16, countsFullWidth: true } as const;

export const languageGuides: readonly LanguageGuide[] = [
  languageGuide('English', 'en', [20, 17, 20, 17], '217350977-English'),
  languageGuide('Arabic', 'ar', [20, 17, 23, 20], '215517947-Arabic', noItalics),
  languageGuide('Chinese', 'zh yue', [9, 7, 11, 9], '215994807-Chinese-Traditional', {
    ...fullWidth,
    ...noItalics,
  }),
  languageGuide('Hebrew', 'he', [17, 13, 20, 17], '220636427-Hebrew', noItalics),
  languageGuide('Hindi', 'hi', [22, 18, 25, 20], '115003196707-Hindi', noItalics),
  languageGuide('Japanese', 'ja', [4, 4, 7, 7], '215767517-Japanese', {
    ...fullWidth,
    maxWidth: 13,
    minDuration: 500,
  }),
  languageGuide('Korean', 'ko', [12, 9, 14, 11], '216001127-Korean', {
    ...fullWidth,
    ...noItalics,
  }),
  languageGuide('Russian', 'ru', [17, 13, 20, 17], '215346638-Russian'),
  languageGuide('Thai', 'th', [17, 13, 20, 17], '220448308-Thai', {
    ...noItalics,
    maxWidth: 35,
  }),
  {
    ...languageGuide('others', '', [17, 13, 20, 17], ''),
    source: generalGuide.source,
  },
];

/** For the languages whose guide says it. */
export const dialogueDashes: readonly (DialogueDash & { codes: string })[] = [
  { text: '- ', codes: 'ar cs es fr hu id it ko ms pl pt ro ru sk th vi' },
  { text: '-', codes: 'en' },
  { text: '-', isOnlySecond: true, codes: 'fi he nl sr' },
  { text: '- ', isOnlySecond: true, codes: 'bg' },
];
