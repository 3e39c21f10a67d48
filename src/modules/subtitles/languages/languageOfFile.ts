import { isLanguage } from './language.ts';
import { fileNameFacts } from './languageOfName.ts';

/** A source that names the language of subtitles. */
export interface LanguageClaim {
  by: '--language' | 'header' | 'name' | 'translation' | 'work request';
  code: string;
}

/** The claims that name a language, the first of which counts. */
export const claimsOf = (codes: Partial<Record<LanguageClaim['by'], unknown>>): LanguageClaim[] =>
  Object.entries(codes).flatMap(([by, code]) =>
    typeof code === 'string' && isLanguage(code) ? { by: by as LanguageClaim['by'], code } : [],
  );

/** The claims of a file: its header comes before its name. */
export const claimsOfFile = (name: string, header?: string) =>
  claimsOf({ header, name: fileNameFacts(name).language });
