import { type MarError, usageError } from '../../errors.ts';
import { firstCharacters } from './encoding.ts';
import type { SubtitleFormat } from './format.ts';
import { otherExtensions, otherFormatName } from './otherFormats.ts';
import { srt } from './srt.ts';
import { ttml } from './ttml/ttml.ts';
import { vtt } from './vtt.ts';

export { vttText as playerText } from './vtt.ts';

/** The formats that `mar` reads and writes. The first one is the default. */
export const formats: readonly [SubtitleFormat, ...SubtitleFormat[]] = [srt, vtt, ttml];
export const [defaultFormat] = formats;

export const formatNames = formats.map(({ name }) => name);
export const profileNames = formats.flatMap(({ profiles = [] }) => profiles);

/** `SRT, WebVTT or TTML`. */
export const formatTitles = (
  word: 'and' | 'or' | 'nor',
  some: readonly SubtitleFormat[] = formats,
): string =>
  some
    .map(({ title }) => title)
    .join(', ')
    .replace(/, ([^,]*)$/, ` ${word} $1`);

const extensionOf = (name: string) => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** The format that the ending of a file's name stands for. */
export const formatNamed = (file: string): SubtitleFormat | undefined =>
  formats.find(({ extensions }) => extensions.includes(extensionOf(file)));

/** Has the ending of a file; a word without one may be an id. */
export const hasFileExtension = (name: string) =>
  formatNamed(name) !== undefined || otherExtensions.has(extensionOf(name));

/** The error for a file that is known to have another format, by its name or by its first bytes. */
export function otherFormatError(name: string, bytes?: Uint8Array): MarError | undefined {
  const found = otherFormatName(extensionOf(name), bytes && firstCharacters(bytes));
  if (found === undefined) return undefined;
  return usageError(
    `${name} is ${found}, which mar does not read`,
    `Convert it to ${formatTitles('or')} first, for example with ffmpeg or Subtitle Edit.`,
  );
}

/** By the ending of its name, unless that is of a format that cannot be recognised; else by its start. */
export function formatOf(name: string, bytes: Uint8Array): SubtitleFormat {
  const error = otherFormatError(name, bytes);
  if (error) throw error;
  const named = formatNamed(name);
  if (named?.start) return named;
  const start = firstCharacters(bytes);
  return formats.find((format) => format.start?.test(start)) ?? named ?? defaultFormat;
}

export const noFormatError = (name: string): MarError =>
  usageError(
    `${name} is neither ${formatTitles('nor')}`,
    `${formats.map(({ title, recognisedBy }) => `${title} ${recognisedBy}`).join('; ')}.`,
  );
