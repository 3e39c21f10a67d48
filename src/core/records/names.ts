import { iso6392 } from 'iso-639-2';
import { iso31661 } from 'iso-3166';
import { orUndefined } from '../errors.ts';
import { lazily } from '../values/concurrency.ts';
import { folded } from '../values/match.ts';

/* Languages and countries as people write them: by any ISO code, or by a name that only one of them has. */

export const likelyLocale = (tag: string): Intl.Locale | undefined =>
  orUndefined(() => new Intl.Locale(tag).maximize());

export interface Entry {
  code: string;
  /** In the standard; a language may have several: "Dutch; Flemish". */
  name: string;
  twoLetters?: string;
  /** Only countries have one. */
  threeLetters?: string;
  /** Some languages have two codes: fra is the code of French, fre the other one. */
  otherCode?: string;
}

const languages = lazily((): Entry[] =>
  iso6392.map(({ name, iso6392B, iso6392T, iso6391 }) => ({
    code: iso6392T ?? iso6392B,
    otherCode: iso6392B,
    name,
    twoLetters: iso6391,
  })),
);

export const languageWith = (code = '') =>
  languages().find((one) => [one.code, one.otherCode, one.twoLetters].includes(code));

/** Those that have a two-letter code: for Tab, and for lists to choose from. */
export const commonLanguages = (): readonly { code: string; name: string }[] =>
  languages()
    .filter(({ twoLetters }) => twoLetters !== undefined)
    .map((one) => ({ code: one.code, name: commonName('language', one) }));

/**
 * The countries of ISO 3166-1 by both kinds of code: the service does not document which it uses. A
 * country that is found by its name has the last one, of two letters.
 */
export const countries = lazily(
  () =>
    new Map(
      iso31661.flatMap(({ alpha2: twoLetters, alpha3: threeLetters, name }) =>
        [threeLetters, twoLetters].map((code) => [code, { code, name, twoLetters, threeLetters }]),
      ),
    ),
);

/** Returns the name of a code in a language, if `Intl` has one. */
export function namesIn(type: 'language' | 'region', locale = 'en') {
  const names = orUndefined(() => new Intl.DisplayNames(locale, { type, fallback: 'none' }));
  return (code = '') => orUndefined(() => names?.of(code));
}

const englishNames = lazily(() => ({ language: namesIn('language'), country: namesIn('region') }));

/** The name that people use: those of the standards are formal, as in "Greek, Modern (1453-)". */
export const commonName = (field: 'language' | 'country', { name, twoLetters }: Entry): string =>
  englishNames()[field](twoLetters) ?? name.replace(/;.*/, '');

/** Names that people use, and that neither the standard nor `Intl` has. An empty one has two meanings. */
const otherNames: Readonly<Record<'language' | 'region', Readonly<Record<string, string>>>> = {
  language: { isiNdebele: '', Ndebele: '' },
  region: {
    Congo: '',
    'Republic of the Congo': 'CG',
    'Czech Republic': 'CZ',
    'Great Britain': 'GB',
    Holland: 'NL',
    'Ivory Coast': 'CI',
    Kongo: '',
    Korea: '',
    Macedonia: 'MK',
    Turkey: 'TR',
    'Virgin Islands': '',
  },
};

/** The words of a name in any order, as in `Korea, Republic of` and `Korea (the Republic of)`. */
const nameKey = (name: string) =>
  folded(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => !/^(?:THE|OF)?$/.test(word))
    .sort()
    .join(' ');

const nameLanguages = ['en', 'de', 'fr', 'es'];

/** By the key of a name; undefined for a name that several entries have. */
function byName(entries: readonly Entry[], namesOf: (entry: Entry) => (string | undefined)[]) {
  const found = new Map<string, Entry | undefined>();
  for (const entry of entries) {
    for (const name of new Set(namesOf(entry).map((one) => nameKey(one ?? '')))) {
      found.set(name, found.has(name) ? undefined : entry);
    }
  }
  return found;
}

/** Entries by their names in some languages, or in their own. */
function namesOf(
  type: 'language' | 'region',
  entries: () => readonly Entry[],
  ownLocale: (entry: Entry) => string | undefined,
) {
  const common = lazily(() => {
    const readers = nameLanguages.map((locale) => namesIn(type, locale));
    const found = byName(entries(), (one) => [
      ...readers.map((read) => read(one.twoLetters ?? one.otherCode)),
      ...one.name.split(';'),
    ]);
    for (const [name, code] of Object.entries(otherNames[type])) {
      found.set(
        nameKey(name),
        entries().find((one) => one.code === code),
      );
    }
    return found;
  });
  // A separate list, because making it takes a while.
  const own = lazily(() =>
    byName(entries(), (one) => [namesIn(type, ownLocale(one))(one.twoLetters ?? one.code)]),
  );
  const read = (text: string): Entry | undefined => {
    const name = nameKey(text);
    return common().has(name) ? common().get(name) : own().get(name);
  };
  /** True for a name that several entries have. */
  const isShared = (text: string) => common().has(nameKey(text)) && read(text) === undefined;
  return { common, read, isShared };
}

export type Names = ReturnType<typeof namesOf>;

const spokenIn = ({ twoLetters }: Entry) => likelyLocale(`und-${twoLetters}`)?.language;

const allCountries = lazily(() =>
  [...countries().values()].filter(({ code, twoLetters }) => code === twoLetters),
);
export const languageNames = namesOf('language', languages, (one) => one.twoLetters ?? one.code);
export const countryNames = namesOf('region', allCountries, spokenIn);

/** The three-letter code, or undefined if the text is none of one language. */
export function languageCode(text: string): string | undefined {
  const found = languageWith(text.toLowerCase());
  if (!found) return languageNames.read(text)?.code;
  // Yi is a language of China, and yi is Yiddish.
  const named = text === text.toLowerCase() ? undefined : languageNames.common().get(nameKey(text));
  if (named && named !== found) return undefined;
  // In capitals, two letters are often a country: SE is Sweden, and se is Northern Sami.
  const country = text.length === 2 ? countries().get(text) : undefined;
  return country && spokenIn(country) !== found.twoLetters ? undefined : found.code;
}

/** A country by any code or name. Two small letters may be a language: sv is Swedish, SV is El Salvador. */
export function countryOf(text: string): Entry | undefined {
  const found = countries().get(text.toUpperCase());
  if (!found) return countryNames.read(text);
  const isLanguage = languageWith(text)?.twoLetters === text;
  return isLanguage && likelyLocale(text)?.region !== found.twoLetters ? undefined : found;
}
