import { type MarError, usageError } from '../errors.ts';

/** How the names of subtitle files end, by the reader for them. `.itt` is TTML as iTunes takes it. */
const subtitleName = /\.(?:srt|vtt)$/i;
const ttmlName = /\.(?:ttml|dfxp|xml|itt)$/i;

interface OtherFormat {
  name: string;
  extensions: readonly string[];
  /** Matches the first characters, one for each byte, without byte-order mark and zero bytes. */
  start?: RegExp;
}

/** Formats that people have at hand, but `mar` does not read. */
const otherFormats: readonly OtherFormat[] = [
  {
    name: 'SubStation Alpha (SSA, ASS)',
    extensions: ['ass', 'ssa'],
    start: /^\s*\[Script Info\]/i,
  },
  { name: 'Scenarist captions (SCC)', extensions: ['scc'], start: /^\s*Scenarist_SCC/i },
  { name: 'EBU STL', extensions: ['stl'], start: /^.{3}STL\d\d\.0/s },
  {
    name: 'lyrics (LRC)',
    extensions: ['lrc'],
    start: /^\s*\[(?:(?:ar|al|ti|au|by|re|ve|offset|length):|\d{1,3}:\d\d[.:]\d\d\])/i,
  },
  { name: 'SAMI', extensions: ['smi', 'sami'], start: /^\s*<SAMI/i },
  { name: 'MicroDVD or VobSub', extensions: ['sub', 'idx'], start: /^\s*\{\d+\}\{\d+\}/ },
  { name: 'YouTube captions (SBV)', extensions: ['sbv'], start: /^\s*\d+:\d\d:\d\d\.\d{3},\d+:/ },
  { name: 'Blu-ray pictures (SUP)', extensions: ['sup'], start: /^PG/ },
  { name: 'a Screen or Cavena file', extensions: ['pac', '890', 'cap', 'cin'] },
  { name: 'a PDF document', extensions: ['pdf'], start: /^%PDF-/ },
  { name: 'a text document', extensions: ['rtf', 'odt'], start: /^\{\\rtf/ },
  {
    name: 'an Office document or archive',
    extensions: ['docx', 'doc', 'xlsx', 'xls', 'zip', 'gz', 'rar', '7z'],
    start: /^(?:PK[^\w\s]{2}|\xd0\xcf.\xe0|Rar!|7z\xbc)/s,
  },
  {
    name: 'audio or video',
    extensions: ['mp4', 'm4v', 'mov', 'mkv', 'mxf', 'avi', 'webm', 'ts', 'wav', 'mp3', 'm4a'],
    start: /^(?:.{0,4}ftyp|.E\xdf\xa3|RIFF|ID3)/s,
  },
];

/** Files with these names may hold anything, subtitles too. */
const anyText = ['txt', 'text', 'md', 'csv', 'tsv', 'json', 'yaml', 'yml', 'html', 'log'];
const otherExtensions = new Set([...anyText, ...otherFormats.flatMap((one) => one.extensions)]);

export const isSubtitleName = (name: string) => subtitleName.test(name) || ttmlName.test(name);
const extensionOf = (name: string) => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Has the ending of a file; a word without one may be an id. */
export const hasFileExtension = (name: string) =>
  isSubtitleName(name) || otherExtensions.has(extensionOf(name));

/** The error for a file that is known to have another format, by its name or by its first bytes. */
export function otherFormatError(name: string, bytes?: Uint8Array): MarError | undefined {
  const extension = extensionOf(name);
  const start = bytes && startOf(bytes);
  const format = otherFormats.find((one) =>
    start === undefined ? one.extensions.includes(extension) : one.start?.test(start),
  );
  if (!format) return undefined;
  return usageError(
    `${name} is ${format.name}, which mar does not read`,
    'Convert it to SRT, WebVTT or TTML first.',
  );
}

/** By the name if it says so, else by the first character. */
export function isTtml(name: string, bytes: Uint8Array): boolean {
  if (isSubtitleName(name)) return ttmlName.test(name);
  return startOf(bytes).trimStart().startsWith('<');
}

const startOf = (bytes: Uint8Array) =>
  Buffer.from(bytes.subarray(0, 1024))
    .toString('latin1')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '');
