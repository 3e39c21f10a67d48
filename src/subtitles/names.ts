import { usageError } from '../errors.ts';

/** What a name may be made of, in a template such as `{id}.{language}.srt`. */
export const placeholders = ['id', 'language', 'territory', 'asset', 'project'] as const;
export type Placeholder = (typeof placeholders)[number];
export type NameParts = Readonly<Partial<Record<Placeholder, string>>>;

const placeholder = /\{([^{}]*)\}/g;

export const hasPlaceholder = (template: string) => template.match(placeholder) !== null;

/** Refuses a template before anything is asked of the service. */
export function checkTemplate(template: string): void {
  for (const [, name = ''] of template.matchAll(placeholder)) {
    if (placeholders.some((known) => known === name)) continue;
    const known = placeholders.map((one) => `{${one}}`).join(', ');
    throw usageError(`-O ${template}: {${name}} is not known`, `there is: ${known}`);
  }
}

/** The name of a file; what comes from the service cannot lead out of the folder. */
export const fillTemplate = (template: string, parts: NameParts): string =>
  template.replace(placeholder, (_, name: Placeholder) => safeName(parts[name] ?? ''));

/** What some file system does not take, or takes for something else. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unsafe = /[\u0000-\u001f\u007f-\u009f/\\:*?"<>|\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
/** In bytes: names go up to 255, and a template may have several parts. */
const longest = 80;

/** One part of a name of a file, that every system takes. */
export function safeName(text: string): string {
  const safe = text
    .normalize('NFC')
    .replace(unsafe, '_')
    .replace(/^[\s.~-]+|[\s.]+$/g, '');
  let kept = '';
  for (const character of safe) {
    if (Buffer.byteLength(kept + character) > longest) break;
    kept += character;
  }
  return kept === '' ? '_' : kept.trimEnd().replace(deviceName, '_$&');
}
