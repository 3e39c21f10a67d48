import { iso6392 } from 'iso-639-2';
import { iso31661 } from 'iso-3166';
import type { Resource } from '../api/endpoints.ts';
import type { JsonObject } from '../json/value.ts';
import { nearest } from '../values/nearest.ts';

type CodeField = 'language' | 'country';

/** Which fields of a record hold codes that are on a standard list. */
const codeFields: Readonly<Partial<Record<Resource, readonly CodeField[]>>> = {
  File: ['language', 'country'],
  Translation: ['language'],
  // Its territory is a code of the service's own, not a country.
  WorkRequest: ['language'],
};

/** A code that is on no list. */
interface CodeProblem {
  field: CodeField;
  value: string;
  /** Names the field and the value: `language fr: no such …`. */
  message: string;
  /** `did you mean fra (French)?`; none if nothing is like it. */
  suggestion?: string;
}

export interface CodeFindings {
  problems: CodeProblem[];
  /** On codes that are on a list, and may still not be what was meant. */
  notes: string[];
}

/** What is to be said about one value: why it is refused, what is worth a word, or nothing. */
type Finding = CodeProblem | string | undefined;

/**
 * Every row of a batch asks, mostly about the same few codes. A file with more different ones than
 * there are languages has something else in that column: what was meant is then not looked for.
 */
const found: Readonly<Record<CodeField, Map<string, Finding>>> = {
  language: new Map(),
  country: new Map(),
};
const maxFound = 1_000;

/**
 * Checks the codes of a record against ISO 639 and ISO 3166-1. A field that is absent or holds no
 * text is let be. The lists are loaded once, by the first record that needs them.
 */
export async function checkCodes(resource: Resource, record: JsonObject): Promise<CodeFindings> {
  const findings: CodeFindings = { problems: [], notes: [] };
  for (const field of codeFields[resource] ?? []) {
    const value = record.get(field);
    if (typeof value !== 'string') continue;
    const finding = found[field].has(value) ? found[field].get(value) : await find(field, value);
    if (typeof finding === 'string') findings.notes.push(finding);
    else if (finding) findings.problems.push(finding);
  }
  return findings;
}

async function find(field: CodeField, value: string): Promise<Finding> {
  const finding = await (field === 'language' ? findLanguage(value) : findCountry(value));
  if (found[field].size < maxFound) found[field].set(value, finding);
  return finding;
}

async function findLanguage(value: string): Promise<Finding> {
  const usual = usualCode(value);
  if (usual) {
    return `language ${value}: ${usual.name} has two codes, of which ${usual.code} is the usual one`;
  }
  if (isLanguage(value)) return undefined;
  // Almost half of all three letters are a language: who writes spn may not mean Sanapaná.
  const rare = await rareLanguage(value);
  if (rare) return `language ${value} is ${rare}`;
  const message = `language ${excerpt(value)}: no such three-letter language code (ISO 639)`;
  return { field: 'language', value, message, ...(await suggestion('language', value)) };
}

async function findCountry(value: string): Promise<Finding> {
  if (isCountry(value)) return undefined;
  const message = `country ${excerpt(value)}: no such country code (ISO 3166-1)`;
  return { field: 'country', value, message, ...(await suggestion('country', value)) };
}

async function suggestion(field: CodeField, value: string) {
  if (found[field].size >= maxFound) return undefined;
  const meant = field === 'language' ? suggestLanguage(value) : suggestCountry(value);
  return meant && { suggestion: `did you mean ${meant.code} (${meant.name})?` };
}

function excerpt(value: string): string {
  if (value.trim() === '') return JSON.stringify(value);
  return value.length > 40 ? `${value.slice(0, 40)}…` : value;
}

/** Names in small letters, for finding what was meant. */
interface LanguageNames {
  byName: ReadonlyMap<string, Language>;
  /** Only the languages that have a two-letter code. */
  commonByName: ReadonlyMap<string, Language>;
  commonByCode: ReadonlyMap<string, Language>;
}

let languageNames: LanguageNames | undefined;

function namedLanguages(): LanguageNames {
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

function namedCountries(): ReadonlyMap<string, Country> {
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
const usualLanguageName = ({ name, twoLetters }: Language) =>
  (twoLetters && english('language').of(twoLetters)) || name;

const usualCountryName = ({ name, twoLetters }: Country) =>
  english('region').of(twoLetters) || name;

function english(type: 'language' | 'region'): Intl.DisplayNames {
  inEnglish ??= {
    language: new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }),
    region: new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }),
  };
  return inEnglish[type];
}

/** What a locale stands for, with what is most probable where it says nothing. */
function likelyLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return undefined;
  }
}

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
function suggestLanguage(value: string): Meant | undefined {
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
function suggestCountry(value: string): Meant | undefined {
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

export interface Language {
  code: string;
  name: string;
  twoLetters?: string;
}

/** The languages of ISO 639-2. Where one has two codes, fra and not fre is its code. */
export const languages: () => Languages = () => {
  loadedLanguages ??= readLanguages();
  return loadedLanguages;
};

interface Languages {
  byCode: ReadonlyMap<string, Language>;
  /** By the codes that are not its code: fre. */
  byOtherCode: ReadonlyMap<string, Language>;
  /** Those that have a two-letter code. */
  byTwoLetters: ReadonlyMap<string, Language>;
}

let loadedLanguages: Languages | undefined;

function readLanguages(): Languages {
  const byCode = new Map<string, Language>();
  const byOtherCode = new Map<string, Language>();
  const byTwoLetters = new Map<string, Language>();
  for (const { name, iso6392B, iso6392T, iso6391 } of iso6392) {
    const [firstName = name] = name.split(';');
    const language = { code: iso6392T ?? iso6392B, name: firstName, twoLetters: iso6391 };
    byCode.set(language.code, language);
    if (iso6392T) byOtherCode.set(iso6392B, language);
    if (iso6391) byTwoLetters.set(iso6391, language);
  }
  return { byCode, byOtherCode, byTwoLetters };
}

/** Of ISO 639-2, which leaves qaa to qtz to whoever uses them. */
export const isLanguage = (code: string) =>
  languages().byCode.has(code) || /^q[a-t][a-z]$/.test(code);

/** The language of fre, whose usual code is fra. */
export const usualCode = (code: string) => languages().byOtherCode.get(code);

/** The name of a language that only ISO 639-3 has: thousands, loaded for a code that needs them. */
export async function rareLanguage(code: string): Promise<string | undefined> {
  if (!/^[a-z]{3}$/.test(code)) return undefined;
  const { iso6393 } = await import('iso-639-3');
  return iso6393.find((language) => language.iso6393 === code)?.name;
}

/** The countries of ISO 3166-1, by their two-letter and by their three-letter codes. */
export const countries: () => ReadonlyMap<string, Country> = () => {
  loadedCountries ??= readCountries();
  return loadedCountries;
};

export interface Country {
  /** The one that it is found by. */
  code: string;
  name: string;
  twoLetters: string;
}

let loadedCountries: ReadonlyMap<string, Country> | undefined;

const readCountries = () =>
  new Map(
    iso31661.flatMap(({ alpha2, alpha3, name }) =>
      [alpha2, alpha3].map((code) => [code, { code, name, twoLetters: alpha2 }]),
    ),
  );

/** It is not documented which of the two kinds the service has: both will do. */
export const isCountry = (code: string) => countries().has(code);
