import { orUndefined } from '../errors.ts';

/** Reads a language code of two or three letters: `jpn`, `ja` and `ja-JP` are one language. */
export const localeOf = (code = ''): Intl.Locale | undefined =>
  orUndefined(() => new Intl.Locale(code));

/** Words between the language and the extension, such as in `movie.en.sdh.srt`. */
const kindsOfFile = new Set(['sdh', 'cc', 'forced', 'default', 'full']);
const languageCode = /^[a-z]{2,3}(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|\d{3}))?$/i;

/** The language in a file name such as `movie.eng.srt` or `movie.fr-CA.vtt`. */
export function languageOfFile(file: string): string | undefined {
  const [, ...parts] = (/[^/\\]*$/.exec(file)?.[0] ?? '').split('.').slice(0, -1);
  const part = parts.findLast((word) => !kindsOfFile.has(word.toLowerCase())) ?? '';
  if (!languageCode.test(part)) return undefined;
  const code = part.replaceAll('_', '-');
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  return orUndefined(() => names.of(code)) === undefined ? undefined : code;
}
