/**
 * Formats that people have at hand, but `mar` does not read: their names, the endings of their files,
 * and what the first characters match (one for each byte, without byte-order mark and zero bytes).
 */
const otherFormats: readonly [name: string, extensions: string, start?: RegExp][] = [
  ['SubStation Alpha (SSA, ASS)', 'ass ssa', /^\s*\[Script Info\]/i],
  ['Scenarist captions (SCC)', 'scc', /^\s*Scenarist_SCC/i],
  ['MacCaption (MCC)', 'mcc', /^\s*File Format=MacCaption/i],
  ['EBU STL', 'stl', /^.{3}STL\d\d\.0/s],
  ['digital cinema subtitles (DCP)', '', /^\s*<(?:.*<)?(?:\w+:)?(?:DCSubtitle|SubtitleReel)[\s>]/s],
  [
    'lyrics (LRC)',
    'lrc',
    /^\s*\[(?:(?:ar|al|ti|au|by|re|ve|offset|length):|\d{1,3}:\d\d[.:]\d\d\])/i,
  ],
  ['SAMI', 'smi sami', /^\s*<SAMI/i],
  ['MicroDVD or VobSub', 'sub idx', /^\s*\{\d+\}\{\d+\}/],
  ['YouTube captions (SBV)', 'sbv', /^\s*\d+:\d\d:\d\d\.\d{3},\d+:/],
  ['Blu-ray pictures (SUP)', 'sup', /^PG/],
  ['a Screen or Cavena file', 'pac 890 cap cin'],
  ['a PDF document', 'pdf', /^%PDF-/],
  ['a text document', 'rtf odt', /^\{\\rtf/],
  [
    'an Office document or archive',
    'docx doc xlsx xls zip gz rar 7z',
    /^(?:PK[^\w\s]{2}|\xd0\xcf.\xe0|Rar!|7z\xbc)/s,
  ],
  [
    'audio or video',
    'mp4 m4v mov mkv mxf avi webm ts wav mp3 m4a',
    /^(?:.{0,4}ftyp|.E\xdf\xa3|RIFF|ID3)/s,
  ],
];

/** Files with these endings may hold anything, subtitles too. */
const anyText = 'txt text md csv tsv json yaml yml html log';

const wordsIn = (text: string) => text.split(' ').filter((word) => word !== '');

export const otherExtensions = new Set([
  ...wordsIn(anyText),
  ...otherFormats.flatMap(([, extensions]) => wordsIn(extensions)),
]);

/** By its first characters, or by the ending of its name if there are none. */
export const otherFormatName = (extension: string, start?: string): string | undefined =>
  otherFormats.find(([, extensions, pattern]) =>
    start === undefined ? wordsIn(extensions).includes(extension) : pattern?.test(start),
  )?.[0];
