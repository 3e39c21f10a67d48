import { iso6392 } from 'iso-639-2';

export interface Language {
  code: string;
  name: string;
  twoLetters?: string;
}

/** The languages of ISO 639-2. Where one has two codes, fra and not fre is its code. */
export const languages: () => Languages = () => {
  read ??= readLanguages();
  return read;
};

interface Languages {
  byCode: ReadonlyMap<string, Language>;
  /** By the codes that are not its code: fre. */
  byOtherCode: ReadonlyMap<string, Language>;
  /** Those that have a two-letter code. */
  byTwoLetters: ReadonlyMap<string, Language>;
}

let read: Languages | undefined;

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
  const { iso6393 } = await import('./rareLanguages.ts');
  return iso6393.find((language) => language.iso6393 === code)?.name;
}
