import { type MarError, usageError } from '../../../core/errors.ts';
import { markedEncoding } from '../../../core/values/encoding.ts';
import { firstCharacters } from './encoding.ts';
import type { SubtitleFormat } from './format.ts';
import { srt } from './srt.ts';
import { ttml } from './ttml/ttml.ts';
import { vtt } from './vtt.ts';

/** The formats that `mar` reads and writes. The first one is the default. */
export const formats: readonly [SubtitleFormat, ...SubtitleFormat[]] = [srt, vtt, ttml];
export const [defaultFormat] = formats;

/** Besides the formats of subtitles: a table, and the lines as the service has them. */
export const exportFormats = [...formats.map(({ name }) => name), 'csv', 'json'];
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

/** By the ending of its name, unless that is of a format that cannot be recognised; else by its start. */
export function formatOf(name: string, bytes: Uint8Array): SubtitleFormat {
  const named = formatNamed(name);
  if (named?.start) return named;
  const start = firstCharacters(bytes);
  const found = formats.find((format) => format.start?.test(start)) ?? named;
  if (!found && bytes.includes(0) && !markedEncoding(bytes)) throw noFormatError(name);
  return found ?? defaultFormat;
}

export const noFormatError = (name: string): MarError =>
  usageError(`${name} is neither ${formatTitles('nor')}`, [
    `${formats.map(({ title, recognisedBy }) => `${title} ${recognisedBy}`).join('; ')}.`,
    'Convert another format first, for example with ffmpeg or Subtitle Edit.',
  ]);
