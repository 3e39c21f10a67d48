import { type MarError, usageError } from '../../../core/errors.ts';
import { textAt } from '../../../core/json/fields.ts';
import { confirmTargets, writeNamedFile } from '../../../core/output/outputFile.ts';
import type { Context } from '../../../core/session/context.ts';
import type { Subtitles } from '../subtitles.ts';
import { collector } from './source.ts';

/** The placeholders of a template such as `{id}.{language}.srt`. */
const placeholders = ['id', 'language', 'territory', 'asset', 'project'] as const;
type Placeholder = (typeof placeholders)[number];
export const placeholderList = placeholders.map((name) => `{${name}}`).join(', ');

const placeholder = /\{([^{}]*)\}/g;

export const hasPlaceholder = (template: string) => template.match(placeholder) !== null;

export function checkTemplate(template: string): void {
  for (const [, name = ''] of template.matchAll(placeholder)) {
    if (placeholders.some((known) => known === name)) continue;
    throw usageError(
      `-O ${template}: unknown placeholder {${name}}`,
      `Known placeholders: ${placeholderList}`,
      { flag: '-O', value: template },
    );
  }
}

/** Characters that some file systems reject or treat specially. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unsafe = /[\u0000-\u001f\u007f-\u009f/\\:*?"<>|\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
/** File names have at most 255 bytes, and a template may have several parts. */
const maxPartBytes = 80;

/** Values from the service must not lead out of the template's folder. */
function safeName(value: string): string {
  const safe = value
    .normalize('NFC')
    .replace(unsafe, '_')
    .replace(/^[\s.~-]+|[\s.]+$/g, '');
  // A stream leaves out a character that is cut.
  const bytes = Buffer.from(safe).subarray(0, maxPartBytes);
  const kept = new TextDecoder().decode(bytes, { stream: true });
  return kept === '' ? '_' : kept.trimEnd().replace(deviceName, '_$&');
}

/** Writes nothing before all names are known, and it is clear that existing files may be replaced. */
export function exportFiles(context: Context, template: string) {
  const files = new Map<string, { id: string; name: string; text: string }>();
  let hasClash = false;

  function nameFor({ name: id, language, request }: Subtitles): string {
    const [territory, asset, project] = ['territory', 'asset.name', 'project.name'].map((path) =>
      textAt(request?.record.value, path),
    );
    const values = { id, language, territory, asset, project };
    return template.replace(placeholder, (_, key: Placeholder) => safeName(values[key] ?? ''));
  }

  return {
    add(subtitles: Subtitles, text: string): void {
      const { name: id } = subtitles;
      const name = nameFor(subtitles);
      // Some file systems ignore case.
      const key = name.normalize('NFC').toLowerCase();
      const other = files.get(key);
      if (other) {
        hasClash = true;
        throw usageError(
          `${other.id} and ${id} would both be written to ${name}`,
          'Put {id} in the name after -O.',
        );
      }
      files.set(key, { id, name, text });
    },
    /** Returns the names of the files that it wrote. */
    async write(failures: MarError[]): Promise<string[]> {
      const collect = collector(failures);
      const all = hasClash ? [] : [...files.values()];
      const names = all.map(({ name }) => name);
      const isAllowed = await confirmTargets(context, names).then(() => true, collect);
      const written: string[] = [];
      for (const { name, text } of isAllowed ? all : []) {
        await writeNamedFile(name, text).then(() => written.push(name), collect);
      }
      return written;
    },
  };
}
