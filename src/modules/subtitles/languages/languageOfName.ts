import { orUndefined } from '../../../core/errors.ts';
import { countries } from '../../../core/records/names.ts';
import { localeOf } from './language.ts';

/** Languages that names are searched for. In others, words of a title would be taken for codes. */
const known =
  'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko lo lt lv mk ml mn mr ms mt my nb ne nl nn no pa pl pt ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi yue zh zu'.split(
    ' ',
  );

/** Regions besides the one that `Intl` assumes for a language: EN-FR is a pair of languages, no locale. */
const regions: Readonly<Record<string, string>> = {
  ar: '001 AE LB MA SA',
  de: 'AT CH',
  en: '001 AU CA GB HK IE IN NZ PH SG ZA',
  es: '419 AR CL CO MX PE US UY VE',
  fr: 'BE CA CH',
  it: 'CH',
  ms: 'SG',
  nl: 'BE',
  pt: 'AO PT',
  sr: 'BA ME',
  sv: 'FI',
  zh: 'HK MO SG TW',
};

/** Codes and names besides those of `Intl`: of the ISDCF registry, of discs, and of players. */
const aliases = new Map(
  `es-419 las|esla|latam|latino|latin spanish;es-MX qsm|esmx;es-AR qsa;es-ES eses|castilian|castellano;pt-BR qbp|ptbr|pob
pt-PT ptpt;fr-CA qfc|frca;fr-FR frfr;en-GB egb|engb;en-US enus;nl-BE vls;zh-Hans zhs|qms|chs|简体;zh-Hant zht|qmt|cht|繁體
zh-CN zhcn;zh-TW zhtw;zh-HK zhhk;sr-Cyrl srcy;sr-Latn srlt;zh cn|mandarin;ja jp;ko kr;cs cz;el gr;da dk;fa farsi
id bahasa indonesia;ms bahasa melayu`
    .split(/[;\n]/)
    .flatMap((row) => {
      const [code = '', words = ''] = row.split(/ (.*)/);
      return words.split('|').map((word) => [word, code] as const);
    }),
);

/** Codes that are also words, so something must show that they are meant as codes. */
const wordCodes = new Set(
  'it no is id ms de en es da el et he my am be si ga mt ne arm ben bul dan est fin geo ice kan lav lit mac mal mon pan sin tam tel tur vie wel'.split(
    ' ',
  ),
);
/** Codes that mostly stand for something else: hearing impaired, a country, a word. */
const neverCodes = new Set('hi uk ca br se tw la us sp sc ch be in mar may per rom cat'.split(' '));

const modifier =
  /^(?:v\d+|ver|\d+|\d+(?:fps|p)|\d+x\d+|track\d+|(?:s\d+)?e(?:p|pisode)?\d+|s\d+|r\d+|sdh|cc|hi|hoh|forced|fn|default|full|subs?|subtitles?|captions?|final|tlr|trailer|ftr|teaser|ov|vf|hd|uhd|copy)$/;
/** Words that belong to a title, and say nothing about the language. */
const partOfTitle = /^(?:\d{1,3}|(?:s\d+)?e(?:p|pisode)?\d+|s\d+|r\d+|tlr|trailer|ftr|teaser)$/;
const kinds = /^(?:sdh|cc|hi|hoh|forced|fn)$/;

/** A name of the digital cinema convention: the languages of sound and subtitles after kind and ratio. */
const cinema =
  /_(?:FTR|TLR|TSR|PRO|TST|RTG|SHR|ADV|XSN|PSA|POL)[\w-]*?_[A-Z0-9-]+_[A-Z]{2,4}-([A-Z]{2,4})((?:-[A-Z]+)?)_/;
const tag =
  /(?<![\p{L}\d])(?=(\p{L}{2,3})[-_](?:(\p{L}{4})(?:[-_]|(?![\p{L}\d])))?(\p{L}{2}|\d{3})?(?![\p{L}\d]))/gu;

type IsMeant = (language: string, isCountry: boolean) => boolean;

/**
 * Reads the name of a file as vendors write it: `HARBOR_JA_v3.srt`, `02_es-419_forced.vtt`. `isMeant` says
 * whether the last word of `HARBOR_TUR` is the code of this language, or that of `HARBOR_ESP` its country.
 */
export function fileNameFacts(file: string, isMeant: IsMeant = () => false) {
  const [name = '', folder = ''] = file.split(/[/\\]/).slice(-2).reverse();
  const facts = factsOf(name, isMeant);
  /** What it is a translation of: the rest of the name, or that of the folder, as in `ep01/fra.srt`. */
  return { ...facts, title: facts.title || factsOf(folder, isMeant).title };
}

function factsOf(file: string, isMeant: IsMeant) {
  const base = file.replace(/\.[^.]*$/, '').normalize('NFC');
  // A domain in brackets, and the release group after a codec, are no languages.
  const name = base
    .replace(/[[(][\w-]+(?:\.[\w-]+)+[\])]/g, ' ')
    .replace(/((?:[xh]26[45]|hdtv|web-dl|bluray|xvid)[\w.]*)-\w+/gi, '$1');
  const words = name.split(/[^\p{L}\p{M}\d]+/u).filter((word) => word !== '');
  const lower = words.map((word) => word.toLowerCase());
  const found = languageIn(name, lower) ?? codeAtEnd(words, isMeant);
  const rest = lower.filter((_, at) => !(found && at >= found.first && at < found.end));
  return {
    language: found?.language,
    title: rest.filter((word) => partOfTitle.test(word) || !modifier.test(word)).join(' '),
    /** `forced`, `sdh`: two files in one language are no mistake if these differ. */
    kind: rest.filter((word) => kinds.test(word)).join(' '),
  };
}

/** A code of three letters that is also a word, in capitals at the end. */
function codeAtEnd(words: readonly string[], isMeant: IsMeant) {
  const first = words.findLastIndex((word) => !modifier.test(word.toLowerCase()));
  const [before = '', word = ''] = words.slice(Math.max(first - 1, 0), first + 1);
  if (!/^[A-Z]{3}$/.test(word) || languageOf(before.toLowerCase()) !== undefined) return undefined;
  const own = languageOf(word.toLowerCase());
  const language = own ?? languageOfCountry(word);
  if (!language || !isMeant(language, own === undefined)) return undefined;
  return { language, first, end: first + 1 };
}

/** The language that most people of a country speak. */
function languageOfCountry(code: string): string | undefined {
  const region = countries().get(code)?.twoLetters;
  return region && new Intl.Locale('und', { region }).maximize().language;
}

/** The language, and the words of the name that say it: from `first` to before `end`. */
function languageIn(name: string, words: readonly string[]) {
  const [isCinema, code = '', another] = cinema.exec(name) ?? [];
  if (isCinema !== undefined) {
    const language = another === '' ? languageOf(code.toLowerCase()) : undefined;
    return language === undefined ? undefined : { language, first: 0, end: 0 };
  }
  const tags = [...name.matchAll(tag)].flatMap(([, ...parts]) => localeIn(parts, words) ?? []);
  if (tags.length > 0) {
    return new Set(tags.map(({ language }) => language)).size === 1 ? tags[0] : undefined;
  }
  let end = words.length;
  while (end > 0 && modifier.test(words[end - 1] ?? '')) end -= 1;
  const found = languageBefore(name, words, end);
  const other = found && languageBefore(name, words.slice(0, found.first), found.first);
  return other && other.language !== found.language ? undefined : found;
}

/** `pt-BR`, `zh-Hant` or `sr-Cyrl-RS`, if the language is used there. */
function localeIn(parts: readonly (string | undefined)[], words: readonly string[]) {
  const [language = '', script, region] = parts;
  const code = language.toLowerCase();
  const isCased = language === code && region === region?.toUpperCase();
  if ((script ?? region) === undefined || code === 'in') return undefined;
  if (wordCodes.has(code) && !isCased && region?.toLowerCase() === code) return undefined;
  const isLatin = code === 'es' && region?.toLowerCase() === 'la' && words.at(-1) === 'la';
  const written = [language, script, isLatin ? '419' : region].filter(Boolean).join('-');
  const locale = localeOf(written);
  if (!locale || !known.includes(locale.language)) return undefined;
  const usual = new Intl.Locale(locale.language).maximize().region;
  const isUsed = `${usual} ${regions[locale.language] ?? ''}`.includes(locale.region ?? '');
  const scripts = new Intl.DisplayNames('en', { type: 'script', fallback: 'none' });
  const hasScript = script === undefined || scripts.of(locale.script ?? 'Zzzz') !== undefined;
  if (!isUsed || !hasScript) return undefined;
  const pieces = parts.filter((part) => part !== undefined).map((part) => part.toLowerCase());
  const first = words.findIndex((_, at) => pieces.every((piece, n) => words[at + n] === piece));
  return { language: locale.toString(), first, end: first + pieces.length };
}

/** The language that the last words before `end` name, if that is what they are there for. */
function languageBefore(name: string, words: readonly string[], end: number) {
  for (const count of [3, 2, 1]) {
    const first = end - count;
    const phrase = words.slice(Math.max(first, 0), end).join(' ');
    const language = first < 0 ? undefined : languageOf(phrase);
    if (language === undefined) continue;
    const isPlain = count > 1 || (phrase.length < 4 && !wordCodes.has(phrase));
    const before = words[first - 1] ?? '';
    // `MY_FILM.de.srt`: in a name with more dots, these stand between words.
    const isAfterOnlyDot = name.toLowerCase().split('.')[1] === phrase;
    // `My.Film.de.srt`: words of a title would be like the others.
    const isOnlyLower = new RegExp(`^(?:[\\p{Lu}\\d][^.]*\\.)+${phrase}(?:\\.|$)`, 'u').test(name);
    // `Get.It.srt`: a code would be in capitals, or in small letters.
    const isTitle = first === 1 && /^\p{L}+[^\p{L}]+\p{Lu}\p{Ll}{1,2}(?!\p{L})/u.test(name);
    const isMarked =
      (!isTitle && (first <= 1 || isAfterOnlyDot)) ||
      isOnlyLower ||
      /\d/.test(before) ||
      modifier.test(before) ||
      isBracketed(name, phrase);
    return isPlain || isMarked ? { language, first, end } : undefined;
  }
  return undefined;
}

const isBracketed = (name: string, word: string) =>
  /[[({]\s*([^\])}]*?)\s*[\])}]/.exec(name)?.[1]?.toLowerCase() === word;

function languageOf(phrase: string): string | undefined {
  if (neverCodes.has(phrase)) return undefined;
  const alias = aliases.get(phrase) ?? languageNames().get(phrase);
  if (alias !== undefined || !/^[a-z]{2,3}$/.test(phrase)) return alias;
  const code = orUndefined(() => Intl.getCanonicalLocales(phrase)[0]) ?? '';
  return known.includes(code) ? code : undefined;
}

let names: Map<string, string> | undefined;

/** `german`, `deutsch`, `portuguese brazil`: names in English, and in the language itself. */
function languageNames(): Map<string, string> {
  if (names) return names;
  names = new Map();
  const variants = Object.entries(regions).flatMap(([code, all]) =>
    all.split(' ').map((region) => `${code}-${region}`),
  );
  for (const code of [...variants, 'zh-Hans', 'zh-Hant', 'pt-BR', 'es-ES', ...known]) {
    for (const languageDisplay of ['dialect', 'standard'] as const) {
      for (const locale of ['en', code]) {
        const namesOf = new Intl.DisplayNames(locale, { type: 'language', languageDisplay });
        const words =
          namesOf
            .of(code)
            ?.toLowerCase()
            .match(/[\p{L}\p{M}\d]+/gu) ?? [];
        names.set(words.join(' '), code);
      }
    }
  }
  return names;
}
