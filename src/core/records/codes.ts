import type { Resource } from '../api/endpoints.ts';
import type { Service } from '../api/service.ts';
import type { FieldProblem, Refusal } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { folded } from '../values/match.ts';
import { inLatin, listedWords, nearest } from '../values/nearest.ts';
import { sanitise } from '../values/sanitise.ts';
import { truncate } from '../values/width.ts';
import {
  commonLanguages,
  commonName,
  countries,
  countryNames,
  type Entry,
  languageNames,
  languageWith,
  likelyLocale,
  type Names,
  namesIn,
} from './names.ts';

/** Fields whose codes a standard lists. */
type StandardField = 'language' | 'country';
type CodeField = StandardField | 'territory';

export const codeFields: Readonly<Partial<Record<Resource, readonly CodeField[]>>> = {
  File: ['language', 'country'],
  Translation: ['language'],
  WorkRequest: ['language', 'territory'],
};

/** A problem, or a warning about a valid code that may still be a mistake. */
interface Finding {
  /** Follows the name of the field and its value. */
  what: string;
  isWarning?: true;
  meant?: Suggestion;
}
type Suggestion = readonly [code: string, name?: string];

const maxRemembered = 300;

/**
 * Returns a function that checks the codes of records against the standards that the service is assumed to
 * use, and the codes that it is known to have. It skips values that are no strings.
 */
export function codeChecker(service: Service) {
  const isSet = (code: string) => service.fact('territory', code)?.basis === 'set';
  const ownTerritories = service.items('territory').filter(isSet);
  // Rows of a batch mostly repeat a few codes. A file with more different ones than there are languages
  // has something else in that column: it gets no suggestions.
  const known = new Map<string, Finding | undefined>();
  const findingFor = async (field: CodeField, value: string): Promise<Finding | undefined> => {
    const key = `${field} ${value}`;
    if (known.has(key)) return known.get(key);
    if (service.has(field, value)) return undefined;
    const found =
      field === 'language'
        ? await checkLanguage(value)
        : field === 'country'
          ? checkCountry(value)
          : checkTerritory(value, ownTerritories);
    if (known.size >= maxRemembered) return found;
    if (found && !found.isWarning && field !== 'territory') {
      found.meant = suggestionFor(field, value);
    }
    known.set(key, found);
    return found;
  };
  return async (resource: Resource, record: JsonObject) => {
    const problems: Refusal[] = [];
    const warnings: FieldProblem[] = [];
    for (const field of codeFields[resource] ?? []) {
      const value = record.get(field);
      if (typeof value !== 'string') continue;
      const found = await findingFor(field, value);
      if (!found) continue;
      const { rests, ...problem } = problemOf(field, value, found);
      if (found.isWarning) warnings.push(problem);
      else problems.push({ ...problem, rests });
    }
    return { problems, warnings };
  };
}

function problemOf(field: CodeField, value: string, { what, meant }: Finding): Refusal {
  const quoted = value.trim() === '' ? JSON.stringify(value) : truncate(sanitise(value), 40);
  const message = `${field} ${quoted}${what}`;
  // A name is no code, whichever codes the service has.
  const isName = /[\s()]/.test(value.trim());
  const rests = isName ? ('mistake' as const) : { key: `${field}.${value}`, value: 'ok' };
  const problem = { field, value, check: field, rests };
  if (!meant) return { ...problem, message };
  const [code, name] = meant;
  const words = name === undefined ? code : `${code} (${name})`;
  return { ...problem, suggestion: code, message: `${message}; did you mean ${words}?` };
}

async function checkLanguage(code: string): Promise<Finding | undefined> {
  const language = languageWith(code);
  // ISO 639-2 reserves qaa to qtz for local use.
  if (language?.code === code || /^q[a-t][a-z]$/.test(code)) return undefined;
  if (language?.otherCode === code) {
    const usual = `the more common code for ${commonName('language', language)} is ${language.code}`;
    return { isWarning: true, what: ` is sent as you wrote it; ${usual}` };
  }
  if (/^[a-z]{3}$/.test(code)) {
    // The list of ISO 639-3 is the largest chunk, so it is loaded late.
    const { iso6393 } = await import('iso-639-3');
    const rare = iso6393.find((language) => language.iso6393 === code);
    if (rare) {
      const what = ` is ${rare.name}, which only ISO 639-3 lists`;
      return isLikelyMeant(code)
        ? { isWarning: true, what: `${what}, and will be sent` }
        : { what };
    }
  }
  return { what: ': not a language code of ISO 639 (three letters)' };
}

/**
 * ISO 639-3 has almost half of all three-letter words: spn is Sanapaná, but hardly ever meant. Cantonese
 * (yue) has a name that people use. Other codes are a slip if they are close to that of a common language.
 */
const isLikelyMeant = (code: string): boolean =>
  namesIn('language')(code) !== undefined ||
  nearest(
    code,
    commonLanguages().map((one) => one.code),
  ) === undefined;

const checkCountry = (code: string): Finding | undefined =>
  countries().has(code) ? undefined : { what: ': not a country code (ISO 3166-1)' };

/**
 * The API does not say which codes territories have. A country code is accepted, in the form of those that
 * are set for the service. Services also have regions of their own (LAS, INT, ROW), so another short code
 * is accepted, with a warning, if it is not close to one that is set.
 */
function checkTerritory(code: string, own: readonly string[]): Finding | undefined {
  const forms = own.filter((one) => countries().has(one));
  const isOtherForm = forms.length > 0 && !forms.some(({ length }) => length === code.length);
  const country = countries().get(code);
  if (country && !isOtherForm) return undefined;
  if (countryNames.isShared(code)) return { what: ': several countries have this name' };
  const word = inLatin(code).toUpperCase();
  const near = nearest(word, own);
  const meant = country ?? likelyCountry(word.toLowerCase(), code.length > 3 ? 1 : 0);
  const suggestion: Suggestion | undefined =
    near !== undefined
      ? [near]
      : meant && [meant.threeLetters ?? meant.code, commonName('country', meant)];
  const isList = listedWords(code).some((one) => one !== code && countries().has(one));
  // A country in lower case is no region.
  const isRegion = /^[A-Z]{2,4}$/i.test(code) && (country || !countries().has(word));
  const isAccepted = near === undefined && (suggestion ? isRegion : !isList);
  if (!isAccepted) return { what: ': not a known territory', meant: suggestion };
  return { isWarning: true, what: ' is not a known territory and will be sent', meant: suggestion };
}

/** No name is longer, and comparing long strings takes time. */
const maxWordLength = 40;

function suggestionFor(field: StandardField, value: string): Suggestion | undefined {
  const word = inLatin(value).trim().toLowerCase();
  if (word === '' || word.length > maxWordLength) return undefined;
  const meant = field === 'language' ? likelyLanguage(word) : likelyCountry(word);
  return meant && [meant.code, commonName(field, meant)];
}

/** Guesses by case, two-letter code, locale (pt-BR), name, country (jp, esp), prefix or typo. */
function likelyLanguage(word: string): Entry | undefined {
  const [first = word] = word.split(/[-_]/);
  const country = countries().get(word.toUpperCase());
  return (
    languageWith(first) ??
    languageWith(likelyLocale(first)?.language) ??
    languageNames.read(word) ??
    // `Portuguese (Brazil)`
    languageNames.read(word.replace(/[\s(,].*/, '')) ??
    languageWith(country && likelyLocale(`und-${country.twoLetters}`)?.language) ??
    // Some code is always near a short word.
    resembling(word, languageNames, word.length > 3 ? 2 : 0)
  );
}

/** Guesses by case, former code (UK), name, prefix or typo. */
function likelyCountry(word: string, maxDistance = 2): Entry | undefined {
  const byCode = countries();
  return (
    byCode.get(word.toUpperCase()) ??
    byCode.get(/^[a-z]{2}$/.test(word) ? (likelyLocale(`und-${word}`)?.region ?? '') : '') ??
    countryNames.read(word) ??
    resembling(word, countryNames, maxDistance)
  );
}

/** The only entry whose name starts with the word, or the one with the closest name. */
function resembling(text: string, { common }: Names, maxDistance: number): Entry | undefined {
  const word = folded(text);
  const names = [...common()].filter(([, one]) => one?.twoLetters);
  const starting = new Set(names.flatMap(([name, one]) => (name.startsWith(word) ? [one] : [])));
  if (word.length > 2 && starting.size === 1) return [...starting][0];
  const near = nearest(
    word,
    names.map(([name]) => name),
    maxDistance,
  );
  return common().get(near ?? '');
}
