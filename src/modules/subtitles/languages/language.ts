import { orUndefined } from '../../../core/errors.ts';

/** Reads a language code of two or three letters: `jpn`, `ja` and `ja-JP` are one language. */
export const localeOf = (code = ''): Intl.Locale | undefined =>
  orUndefined(() => new Intl.Locale(code));

const englishName = (code: string) => {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  return orUndefined(() => names.of(code));
};

/** `German (deu)`; only the code if it has no name. */
export function languageName(code: string): string {
  const name = englishName(code);
  return name === undefined || name === code ? code : `${name} (${code})`;
}

/** `und` and `mul` are codes, too. */
export const isLanguage = (code: string) =>
  englishName(code) !== undefined && !/^(?:und|mul|zxx|mis)\b/i.test(code);

/** Languages that neither names nor texts tell apart reliably, each with the one that stands for it. */
const merged: Readonly<Record<string, string>> = {
  ...{ bs: 'hr', sr: 'hr', sh: 'hr', cnr: 'hr', id: 'ms', nb: 'no', nn: 'no' },
  ...{ fil: 'tl', yue: 'zh', cmn: 'zh' },
};
export const mergedLanguage = (code: string | undefined) => {
  const { language = '' } = localeOf(code) ?? {};
  return merged[language] ?? language;
};

/** Not different languages, scripts or countries. A code without a country stands for all of them. */
export function agree(one: string, other: string): boolean {
  const [a, b] = [localeOf(one), localeOf(other)];
  if (!a || !b || mergedLanguage(one) !== mergedLanguage(other)) return false;
  const isWritten = ({ script, region }: Intl.Locale) => (script ?? region) !== undefined;
  if (a.language === 'zh' && isWritten(a) && isWritten(b)) {
    return a.maximize().script === b.maximize().script;
  }
  if (a.script && b.script && a.script !== b.script) return false;
  if (!a.region || !b.region || a.region === b.region) return true;
  const areIn = (area: string, country: string) =>
    area === '001' || (area === '419' && country !== 'ES');
  return areIn(a.region, b.region) || areIn(b.region, a.region);
}
