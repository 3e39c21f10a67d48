import { usageError } from '../errors.ts';
import type { FileProblem, Line } from './lines.ts';
import { readSrt } from './readSrt.ts';
import { readVtt } from './readVtt.ts';

export interface SubtitleFile {
  format: 'srt' | 'vtt';
  lines: readonly Line[];
  problems: readonly FileProblem[];
}

/** Reads SRT or WebVTT, whichever it is by its first line. */
export function readSubtitles(bytes: Uint8Array, name: string, encoding?: string): SubtitleFile {
  const text = decode(bytes, name, encoding);
  const rows = text.split(/\r\n|\n|\r/);
  const isVtt = /^WEBVTT(?:[ \t]|$)/.test(rows[0] ?? '');
  const file: SubtitleFile = isVtt
    ? { format: 'vtt', ...readVtt(rows) }
    : { format: 'srt', ...readSrt(rows) };
  if (file.lines.length > 0 || text.trim() === '' || isVtt) return file;
  throw usageError(
    `${name} is neither SRT nor WebVTT: no line in it says from when until when`,
    'such a line is 00:00:03,200 --> 00:00:05,900; a WebVTT file begins with WEBVTT',
  );
}

/** A byte-order mark tells the encoding; without one it is UTF-8, unless another is named. */
function decode(bytes: Uint8Array, name: string, encoding: string | undefined): string {
  const [first, second] = bytes;
  const marked =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : '';
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(marked || encoding || 'utf-8', { fatal: true });
  } catch {
    throw usageError(
      `there is no encoding "${encoding}"`,
      'usual ones: utf-8, windows-1252, iso-8859-2, windows-1251, shift_jis, gb18030, big5, euc-kr',
    );
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw usageError(
      `${name} is not ${decoder.encoding.toUpperCase()} text`,
      'name its encoding (--encoding windows-1252), or save it as UTF-8',
    );
  }
}
