/** Limits for lines. A limit that is not set is not checked. */
export interface Limits {
  /** In terminal columns: a Latin letter takes one, a Chinese or Japanese character two. */
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
  /** A line may follow another without any gap; `minGap` is only for real gaps. */
  mayTouch?: true;
  /** Speed counts characters by their width: a Latin letter is half a character. */
  countsFullWidth?: true;
}

export interface Preset {
  limits: Limits;
  /** Other limits for some languages, by their `Intl` code. */
  languages?: Readonly<Record<string, Limits>>;
  source: string;
}

/** At 30 frames a second, the common rate where two frames are shortest. */
const twoFrames = 66;

const chinese: Limits = { maxWidth: 32, maxSpeed: 9, countsFullWidth: true };

export const presets = {
  /**
   * Times, lines and gaps are from the general requirements; widths and speeds, for adults, from the
   * guides of the languages. A full-width character takes two columns.
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
   * Sections 3.1 (37 characters are a line of Teletext; other media have 68 % of the width), 3.3, 4.1
   * and 4.5.
   */
  bbc: {
    limits: { maxWidth: 37, maxLines: 2, maxWords: 180, minGap: 1000, mayTouch: true },
    source:
      'BBC Subtitle Guidelines: https://www.bbc.co.uk/accessibility/forproducts/guides/subtitles/',
  },
  none: { limits: {}, source: 'no limits' },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof presets;

export const presetNames = Object.keys(presets) as PresetName[];
export const defaultPreset: PresetName = 'netflix';

export function presetLimits(
  name: PresetName,
  language: string | undefined,
  given: Limits,
): Limits {
  const { limits, languages = {} }: Preset = presets[name];
  const code = localeOf(language)?.language ?? '';
  return { ...limits, ...(Object.hasOwn(languages, code) ? languages[code] : {}), ...given };
}

/** Reads a language code of two or three letters: `jpn`, `ja` and `ja-JP` are one language. */
export function localeOf(code: string | undefined): Intl.Locale | undefined {
  if (code === undefined) return undefined;
  try {
    return new Intl.Locale(code);
  } catch {
    return undefined;
  }
}
