import { localeOf } from './finding.ts';

/** What lines must keep to; what is not given is not looked at. */
export interface Limits {
  /** Columns of a terminal: a Latin letter takes one, a Chinese or Japanese character two. */
  maxWidth?: number;
  maxLines?: number;
  /** Characters a second. */
  maxSpeed?: number;
  /** Words a minute. */
  maxWords?: number;
  /** Of one line, in milliseconds. */
  minDuration?: number;
  maxDuration?: number;
  /** Between two lines, in milliseconds. */
  minGap?: number;
  /** One line may follow another at once, where `minGap` is meant for real gaps. */
  mayTouch?: true;
  /** Characters are counted by their width: half of one for a Latin letter. */
  countsFullWidth?: true;
}

export interface Preset {
  limits: Limits;
  /** What is different in some languages, by the code that `Intl` has for them. */
  languages?: Readonly<Record<string, Limits>>;
  /** Where the numbers were published. */
  source: string;
}

/** Two frames at 30 a second: of the usual frame rates, the one where they are shortest. */
const twoFrames = 66;

const chinese: Limits = { maxWidth: 32, maxSpeed: 9, countsFullWidth: true };

export const presets = {
  /**
   * General requirements: 5/6 of a second to 7 seconds, two lines, two frames between. From the
   * guides of the languages: 42 characters a line and 17 a second for adults, but 20 a second in
   * English, 13 full-width characters and 4 a second in Japanese, 16 and 12 in Korean, 16 and 9 in
   * Chinese.
   */
  netflix: {
    limits: {
      maxWidth: 42,
      maxLines: 2,
      maxSpeed: 17,
      minDuration: 833,
      maxDuration: 7000,
      minGap: twoFrames,
    },
    languages: {
      en: { maxSpeed: 20 },
      ja: { maxWidth: 26, maxSpeed: 4, countsFullWidth: true },
      ko: { maxWidth: 32, maxSpeed: 12, countsFullWidth: true },
      zh: chinese,
      yue: chinese,
    },
    source:
      'Netflix Timed Text Style Guides: https://partnerhelp.netflixstudios.com/hc/en-us/articles/215758617',
  },
  /**
   * Two lines (3.3), 160 to 180 words a minute (4.1), a gap of at least a second where there is one
   * (4.5), and the 37 characters of a line of Teletext (3.1, which for other media says 68 % of the
   * width instead).
   */
  bbc: {
    limits: { maxWidth: 37, maxLines: 2, maxWords: 180, minGap: 1000, mayTouch: true },
    source:
      'BBC Subtitle Guidelines: https://www.bbc.co.uk/accessibility/forproducts/guides/subtitles/',
  },
  none: { limits: {}, source: 'no limits: only what is wrong by any standard' },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof presets;

export const presetNames = Object.keys(presets) as PresetName[];
export const usualPreset: PresetName = 'netflix';

/** A preset's limits in a language, with those that were given in their place. */
export function limitsOf(name: PresetName, language: string | undefined, given: Limits): Limits {
  const { limits, languages = {} }: Preset = presets[name];
  const code = localeOf(language)?.language ?? '';
  return { ...limits, ...(Object.hasOwn(languages, code) ? languages[code] : {}), ...given };
}
