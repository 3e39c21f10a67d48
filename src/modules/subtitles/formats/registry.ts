import { type MarError, usageError } from '../../../core/errors.ts';
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

/**
 * Formats that people have at hand, but `mar` does not read: their names, the endings of their files,
 * and what the first characters match (one for each byte, without byte-order mark and zero bytes).
 */
const otherFormats: readonly [title: string, extensions: string, start?: RegExp][] = [
  ['SubStation Alpha (SSA, ASS)', 'ass ssa', /^\s*\[Script Info\]/i],
  ['Scenarist captions (SCC)', 'scc', /^\s*Scenarist_SCC/i],
  ['MacCaption (MCC)', 'mcc', /^\s*File Format=MacCaption/i],
  ['EBU STL', 'stl', /^.{3}STL\d\d\.0/s],
  ['digital cinema subtitles (DCP)', '', /^\s*<(?:.*<)?(?:\w+:)?(?:DCSubtitle|SubtitleReel)[\s>]/s],
  ['lyrics (LRC)', 'lrc', /^\s*\[(?:(?:ar|al|ti|au|by|offset|length):|\d+:\d\d[.:]\d\d\])/i],
  ['SAMI', 'smi sami', /^\s*<SAMI/i],
  ['MicroDVD or VobSub', 'sub idx', /^\s*\{\d+\}\{\d+\}/],
  ['YouTube captions (SBV)', 'sbv', /^\s*\d+:\d\d:\d\d\.\d{3},\d+:/],
  ['Blu-ray pictures (SUP)', 'sup', /^PG/],
  ['a Screen or Cavena file', 'pac 890 cap cin'],
  ['a PDF document', 'pdf', /^%PDF-/],
  ['a text document', 'rtf odt', /^\{\\rtf/],
  ['an Office document or archive', 'docx doc xlsx xls gz rar 7z', /^(?:PK[^\w\s]{2}|\xd0\xcf)/],
  ['audio or video', 'mp4 m4v mov mkv mxf avi webm ts wav mp3 m4a', /^(?:.{0,4}ftyp|.E\xdf\xa3)/s],
];

/** Files with these endings may hold anything, subtitles too. */
const anyText = 'txt text md csv tsv json yaml yml html log';

const wordsIn = (text: string) => text.split(' ').filter((word) => word !== '');

const otherExtensions = wordsIn([anyText, ...otherFormats.map(([, words]) => words)].join(' '));

/** Has the ending of a file; a word without one may be an id. */
export const hasFileExtension = (name: string) =>
  formatNamed(name) !== undefined || otherExtensions.includes(extensionOf(name));

/** The error for a file that is known to have another format, by its name or by its first bytes. */
export function otherFormatError(name: string, bytes?: Uint8Array): MarError | undefined {
  const start = bytes && firstCharacters(bytes);
  const found = otherFormats.find(([, extensions, pattern]) =>
    start === undefined ? wordsIn(extensions).includes(extensionOf(name)) : pattern?.test(start),
  );
  if (!found) return undefined;
  return usageError(
    `${name} is ${found[0]}, which mar does not read`,
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
