import { type Country, countries } from './countries.ts';
import { type Language, languages } from './languages.ts';

/** Names in small letters, for finding what was meant. */
interface LanguageNames {
  byName: ReadonlyMap<string, Language>;
  /** Only the languages that have a two-letter code. */
  commonByName: ReadonlyMap<string, Language>;
  commonByCode: ReadonlyMap<string, Language>;
}

let languageNames: LanguageNames | undefined;

export function namedLanguages(): LanguageNames {
  languageNames ??= readLanguageNames();
  return languageNames;
}

function readLanguageNames(): LanguageNames {
  const { byCode } = languages();
  const byName = new Map<string, Language>();
  const commonByName = new Map<string, Language>();
  const commonByCode = new Map<string, Language>();
  for (const language of byCode.values()) {
    byName.set(language.name.toLowerCase(), language);
    if (!language.twoLetters) continue;
    const name = usualLanguageName(language).toLowerCase();
    byName.set(name, language);
    commonByName.set(name, language);
    commonByCode.set(language.code, language);
  }
  return { byName, commonByName, commonByCode };
}

let countryNames: ReadonlyMap<string, Country> | undefined;

export function namedCountries(): ReadonlyMap<string, Country> {
  countryNames ??= new Map(
    [...countries().values()]
      .filter(({ code, twoLetters }) => code === twoLetters)
      .flatMap((country) =>
        [country.name, usualCountryName(country)].map((name) => [name.toLowerCase(), country]),
      ),
  );
  return countryNames;
}

let inEnglish: Readonly<Record<'language' | 'region', Intl.DisplayNames>> | undefined;

/** Standards are formal ("Greek, Modern (1453-)"): the name that people use. */
export const usualLanguageName = ({ name, twoLetters }: Language) =>
  (twoLetters && english('language').of(twoLetters)) || name;

export const usualCountryName = ({ name, twoLetters }: Country) =>
  english('region').of(twoLetters) || name;

function english(type: 'language' | 'region'): Intl.DisplayNames {
  inEnglish ??= {
    language: new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }),
    region: new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }),
  };
  return inEnglish[type];
}

/** What a locale stands for, with what is most probable where it says nothing. */
export function likelyLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return undefined;
  }
}
