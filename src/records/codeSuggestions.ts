import { nearest } from '../terminal/nearest.ts';
import {
  likelyLocale,
  namedCountries,
  namedLanguages,
  usualCountryName,
  usualLanguageName,
} from './codeNames.ts';
import { countries } from './countries.ts';
import { languages } from './languages.ts';

interface Meant {
  code: string;
  name: string;
}

/** No name is longer, and a text that is would take long to compare. */
const maxWordLength = 40;

/**
 * The language that was probably meant: by another case, two letters, a locale (pt-BR), a name or
 * the beginning of one, a country where it is spoken (jp, esp), a slip of the fingers.
 */
export function suggestLanguage(value: string): Meant | undefined {
  const word = value.trim().toLowerCase();
  if (word === '' || word.length > maxWordLength) return undefined;
  const { byCode, byOtherCode, byTwoLetters } = languages();
  const { byName, commonByName, commonByCode } = namedLanguages();
  const [first = word] = word.split(/[-_]/);
  const country = countries().get(word.toUpperCase());
  const spoken = country && likelyLocale(`und-${country.twoLetters}`)?.language;
  const language =
    byTwoLetters.get(first) ??
    byCode.get(first) ??
    byOtherCode.get(first) ??
    byTwoLetters.get(likelyLocale(first)?.language ?? '') ??
    byName.get(word) ??
    byTwoLetters.get(spoken ?? '') ??
    beginning(word, commonByName) ??
    // Among all codes one is always near: only those of languages that have two letters as well.
    like(word, word.length <= 3 ? commonByCode : commonByName);
  return language && { code: language.code, name: usualLanguageName(language) };
}

/**
 * The country that was probably meant: by another case, a code that it had (UK), a name or the
 * beginning of one, a language that is spoken there (ja), a slip of the fingers.
 */
export function suggestCountry(value: string): Meant | undefined {
  const word = value.trim().toLowerCase();
  if (word === '' || word.length > maxWordLength) return undefined;
  const byCode = countries();
  const byName = namedCountries();
  // An EU is no Basque: a language is written in small letters.
  const spokenAt = languages().byTwoLetters.has(value) ? likelyLocale(value)?.region : undefined;
  const country =
    byCode.get(word.toUpperCase()) ??
    byCode.get(/^[a-z]{2}$/.test(word) ? (likelyLocale(`und-${word}`)?.region ?? '') : '') ??
    byName.get(word) ??
    byCode.get(spokenAt ?? '') ??
    beginning(word, byName) ??
    like(word, byName);
  return country && { code: country.code, name: usualCountryName(country) };
}

/** What only one name begins with. */
function beginning<T>(word: string, byName: ReadonlyMap<string, T>): T | undefined {
  if (word.length < 3) return undefined;
  const those = new Set(
    [...byName].filter(([name]) => name.startsWith(word)).map(([, one]) => one),
  );
  return those.size === 1 ? [...those][0] : undefined;
}

function like<T>(word: string, named: ReadonlyMap<string, T>): T | undefined {
  return named.get(nearest(word, [...named.keys()]) ?? '');
}
