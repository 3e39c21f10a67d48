import { lazily } from '../values/concurrency.ts';
import { folded } from '../values/match.ts';
import {
  countries,
  type Entry,
  languages,
  languageWith,
  likelyLocale,
  namesIn,
  otherCountryNames,
} from './codes.ts';

/* Languages and countries as people write them: by any ISO code, or by a name that only one of them has. */

const nameLanguages = ['en', 'de', 'fr', 'es'];

/** By folded name; undefined for a name that several entries have. */
function byName(entries: readonly Entry[], namesOf: (entry: Entry) => (string | undefined)[]) {
  const found = new Map<string, Entry | undefined>();
  for (const entry of entries) {
    for (const name of new Set(namesOf(entry).map((one) => folded(one ?? '')))) {
      found.set(name, found.has(name) ? undefined : entry);
    }
  }
  return found;
}

/** Returns a function that finds an entry by its name in one of the languages, or in its own. */
function nameReader(
  type: 'language' | 'region',
  entries: () => readonly Entry[],
  ownLocale: typeof localeOf,
) {
  const common = lazily(() => {
    const readers = nameLanguages.map((locale) => namesIn(type, locale));
    return byName(entries(), (one) => [
      ...readers.map((read) => read(one.twoLetters ?? one.otherCode)),
      one.name,
    ]);
  });
  // A separate list, because making it takes a while.
  const own = lazily(() =>
    byName(entries(), (one) => [namesIn(type, ownLocale(one))(one.twoLetters ?? one.code)]),
  );
  return (text: string): Entry | undefined => {
    const name = folded(text);
    return common().has(name) ? common().get(name) : own().get(name);
  };
}

const localeOf = ({ twoLetters, code }: Entry): string | undefined => twoLetters ?? code;
const spokenIn = ({ twoLetters }: Entry) => likelyLocale(`und-${twoLetters}`)?.language;

const allCountries = lazily(() =>
  [...countries().values()].filter(({ code, twoLetters }) => code === twoLetters),
);
const readLanguage = nameReader('language', languages, localeOf);
const readCountry = nameReader('region', allCountries, spokenIn);

/** The three-letter code, or undefined if the text is none of one language. */
export function languageCode(text: string): string | undefined {
  const found = languageWith(text.toLowerCase());
  if (!found) return readLanguage(text)?.code;
  // In capitals, two letters are often a country: SE is Sweden, and se is Northern Sami.
  const country = text.length === 2 ? countries().get(text) : undefined;
  return country && spokenIn(country) !== found.twoLetters ? undefined : found.code;
}

/** A country by any code or name. Two small letters may be a language: sv is Swedish, SV is El Salvador. */
export function countryOf(text: string): Entry | undefined {
  const code = otherCountryNames[text.toLowerCase()] ?? text.toUpperCase();
  const found = countries().get(code);
  if (!found) return readCountry(text);
  const isLanguage = languageWith(text)?.twoLetters === text;
  return isLanguage && likelyLocale(text)?.region !== found.twoLetters ? undefined : found;
}
