import { iso6392 } from 'iso-639-2';
import { iso31661 } from 'iso-3166';
import type { Resource } from '../api/endpoints.ts';
import type { JsonObject } from '../json/value.ts';
import { nearest } from '../values/nearest.ts';

type CodeField = 'language' | 'country';

/** The fields that hold codes of a standard list. */
const codeFields: Readonly<Partial<Record<Resource, readonly CodeField[]>>> = {
  File: ['language', 'country'],
  Translation: ['language'],
  // The territory is a code of the service, not a country.
  WorkRequest: ['language'],
};

interface CodeProblem {
  field: CodeField;
  value: string;
  /** For example `language fr: no such …`. */
  message: string;
  /** For example `did you mean fra (French)?`. */
  suggestion?: string;
}

export interface CodeFindings {
  problems: CodeProblem[];
  /** About valid codes that may still be a mistake. */
  notes: string[];
}

/** A problem, a note, or nothing to report. */
type Finding = CodeProblem | string | undefined;

/**
 * Rows of a batch mostly repeat a few codes. A file with more different ones than there are languages
 * has something else in that column: it gets no suggestions.
 */
const findingsByCode: Readonly<Record<CodeField, Map<string, Finding>>> = {
  language: new Map(),
  country: new Map(),
};
const maxRemembered = 1_000;

/** Checks the codes of a record against ISO 639 and ISO 3166-1. Skips values that are no strings. */
export async function checkCodes(resource: Resource, record: JsonObject): Promise<CodeFindings> {
  const findings: CodeFindings = { problems: [], notes: [] };
  for (const field of codeFields[resource] ?? []) {
    const value = record.get(field);
    if (typeof value !== 'string') continue;
    const finding = findingsByCode[field].has(value)
      ? findingsByCode[field].get(value)
      : await find(field, value);
    if (typeof finding === 'string') findings.notes.push(finding);
    else if (finding) findings.problems.push(finding);
  }
  return findings;
}

async function find(field: CodeField, value: string): Promise<Finding> {
  const finding = await (field === 'language' ? findLanguage(value) : findCountry(value));
  if (findingsByCode[field].size < maxRemembered) findingsByCode[field].set(value, finding);
  return finding;
}

async function findLanguage(value: string): Promise<Finding> {
  const preferred = languages().byOtherCode.get(value);
  if (preferred) {
    return `language ${value}: ${preferred.name} has two codes, of which ${preferred.code} is the usual one`;
  }
  if (isLanguage(value)) return undefined;
  // Almost half of all three-letter words are a code: spn is Sanapaná, and hardly ever meant.
  const rare = await rareLanguage(value);
  if (rare) return `language ${value} is ${rare}`;
  const message = `language ${excerpt(value)}: no such three-letter language code (ISO 639)`;
  return { field: 'language', value, message, ...suggestion('language', value) };
}

async function findCountry(value: string): Promise<Finding> {
  if (countries().has(value)) return undefined;
  const message = `country ${excerpt(value)}: no such country code (ISO 3166-1)`;
  return { field: 'country', value, message, ...suggestion('country', value) };
}

function suggestion(field: CodeField, value: string) {
  if (findingsByCode[field].size >= maxRemembered) return undefined;
  const suggested = field === 'language' ? suggestLanguage(value) : suggestCountry(value);
  return suggested && { suggestion: `did you mean ${suggested.code} (${suggested.name})?` };
}

function excerpt(value: string): string {
  if (value.trim() === '') return JSON.stringify(value);
  return value.length > 40 ? `${value.slice(0, 40)}…` : value;
}

/** Languages by name in lower case. */
interface LanguageNames {
  byName: ReadonlyMap<string, Language>;
  /** Only languages that have a two-letter code. */
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
    const name = commonLanguageName(language).toLowerCase();
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
        [country.name, commonCountryName(country)].map((name) => [name.toLowerCase(), country]),
      ),
  );
  return countryNames;
}

let englishNames: Readonly<Record<'language' | 'region', Intl.DisplayNames>> | undefined;

/** The names that people use: those of the standards are formal, as in "Greek, Modern (1453-)". */
const commonLanguageName = ({ name, twoLetters }: Language) =>
  (twoLetters && namesInEnglish('language').of(twoLetters)) || name;

const commonCountryName = ({ name, twoLetters }: Country) =>
  namesInEnglish('region').of(twoLetters) || name;

function namesInEnglish(type: 'language' | 'region'): Intl.DisplayNames {
  englishNames ??= {
    language: new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }),
    region: new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }),
  };
  return englishNames[type];
}

/** Adds the most likely language, script and region to a locale. */
function likelyLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return undefined;
  }
}

interface Suggestion {
  code: string;
  name: string;
}

/** No name is longer, and comparing long strings takes time. */
const maxWordLength = 40;

/** Suggests by case, two-letter code, locale (pt-BR), name, country (jp, esp), prefix or typo. */
function suggestLanguage(value: string): Suggestion | undefined {
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
    withPrefix(word, commonByName) ??
    // Some code is always near: only those of common languages are likely.
    nearestEntry(word, word.length <= 3 ? commonByCode : commonByName);
  return language && { code: language.code, name: commonLanguageName(language) };
}

/** Suggests by case, former code (UK), name, language spoken there (ja), prefix or typo. */
function suggestCountry(value: string): Suggestion | undefined {
  const word = value.trim().toLowerCase();
  if (word === '' || word.length > maxWordLength) return undefined;
  const byCode = countries();
  const byName = namedCountries();
  // Language codes are lower case: EU does not mean Basque.
  const spokenAt = languages().byTwoLetters.has(value) ? likelyLocale(value)?.region : undefined;
  const country =
    byCode.get(word.toUpperCase()) ??
    byCode.get(/^[a-z]{2}$/.test(word) ? (likelyLocale(`und-${word}`)?.region ?? '') : '') ??
    byName.get(word) ??
    byCode.get(spokenAt ?? '') ??
    withPrefix(word, byName) ??
    nearestEntry(word, byName);
  return country && { code: country.code, name: commonCountryName(country) };
}

/** The only entry whose name starts with the word. */
function withPrefix<T>(word: string, byName: ReadonlyMap<string, T>): T | undefined {
  if (word.length < 3) return undefined;
  const matches = new Set(
    [...byName].filter(([name]) => name.startsWith(word)).map(([, one]) => one),
  );
  return matches.size === 1 ? [...matches][0] : undefined;
}

function nearestEntry<T>(word: string, named: ReadonlyMap<string, T>): T | undefined {
  return named.get(nearest(word, [...named.keys()]) ?? '');
}

interface Language {
  code: string;
  name: string;
  twoLetters?: string;
}

/** The languages of ISO 639-2. Some have two codes: fra is the code of French, fre the other one. */
interface Languages {
  byCode: ReadonlyMap<string, Language>;
  byOtherCode: ReadonlyMap<string, Language>;
  byTwoLetters: ReadonlyMap<string, Language>;
}

let loadedLanguages: Languages | undefined;

function languages(): Languages {
  loadedLanguages ??= readLanguages();
  return loadedLanguages;
}

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

/** ISO 639-2 reserves qaa to qtz for local use. */
const isLanguage = (code: string) => languages().byCode.has(code) || /^q[a-t][a-z]$/.test(code);

/** The name of a language that only ISO 639-3 has. Its list is half a megabyte, so it is loaded late. */
async function rareLanguage(code: string): Promise<string | undefined> {
  if (!/^[a-z]{3}$/.test(code)) return undefined;
  const { iso6393 } = await import('iso-639-3');
  return iso6393.find((language) => language.iso6393 === code)?.name;
}

interface Country {
  /** The two-letter or the three-letter code. */
  code: string;
  name: string;
  twoLetters: string;
}

let loadedCountries: ReadonlyMap<string, Country> | undefined;

/** The countries of ISO 3166-1 by both kinds of code: the service does not document which it uses. */
function countries(): ReadonlyMap<string, Country> {
  loadedCountries ??= new Map(
    iso31661.flatMap(({ alpha2, alpha3, name }) =>
      [alpha2, alpha3].map((code) => [code, { code, name, twoLetters: alpha2 }]),
    ),
  );
  return loadedCountries;
}
