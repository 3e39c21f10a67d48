import { usageError } from '../errors.ts';
import type { Line } from './lines.ts';
import { readSrtText, readVttText } from './markup.ts';
import { placementFromPadKey, placementFromVtt, vttSettingProblems } from './placement.ts';
import { isTimingRow, readTimecode, splitTiming, type Timecode } from './timecode.ts';

export interface FileProblem {
  row: number;
  message: string;
}

export interface SubtitleFile {
  format: 'srt' | 'vtt' | 'ttml';
  lines: readonly Line[];
  problems: readonly FileProblem[];
}

/** Reads SRT or WebVTT. The format is detected from the first row, and from the name. */
export const readSubtitles = (bytes: Uint8Array, name: string, encoding?: string): SubtitleFile =>
  readSubtitleText(decode(bytes, name, encoding), name);

export function readSubtitleText(text: string, name: string): SubtitleFile {
  const isVtt = hasVttSignature(text);
  if (isVtt || /\.vtt$/i.test(name)) {
    return readVtt(rowsOf(text.replaceAll('\0', '\ufffd')), isVtt);
  }
  const file = readSrt(rowsOf(text));
  if (file.lines.length > 0 || text.trim() === '') return file;
  throw usageError(
    `${name} is neither SRT, WebVTT nor TTML: it has no timing line`,
    'A timing line looks like 00:00:03,200 --> 00:00:05,900. A WebVTT file starts with WEBVTT, a TTML file with <.',
  );
}

export const rowsOf = (text: string) => text.split(/\r\n|\n|\r/);
export const hasVttSignature = (text: string) => /^WEBVTT(?:[ \t\r\n]|$)/.test(text);

/** A byte-order mark wins over the encoding that the user named. */
export function decode(bytes: Uint8Array, name: string, encoding: string | undefined): string {
  if (hasUtf32Mark(bytes)) {
    throw usageError(`${name} is in UTF-32, which mar does not read`, 'Save it as UTF-8.');
  }
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(markedEncoding(bytes) ?? (encoding || 'utf-8'), { fatal: true });
  } catch {
    throw usageError(
      `unknown encoding "${encoding}"`,
      'Common encodings: utf-8, windows-1252, iso-8859-2, windows-1251, shift_jis, gb18030, big5, euc-kr.',
    );
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw usageError(
      `${name} is not valid ${decoder.encoding.toUpperCase()}`,
      'Name its encoding with --encoding (for example windows-1252), or save it as UTF-8.',
    );
  }
}

const hasUtf32Mark = (bytes: Uint8Array) =>
  /^(?:fffe0000|0000feff)/.test(Buffer.from(bytes.subarray(0, 4)).toString('hex'));

function markedEncoding([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

const number = /^\s*\d{1,15}\s*$/;
const padKeyTag = /\{\\an([1-9])\}/;

/** Reads like players do: all rows between two rows with times are text, except a number. */
function readSrt(rows: readonly string[]): SubtitleFile {
  const starts = rows.flatMap((_, index) => (isEntryStart(rows, index) ? [index] : []));
  const problems: FileProblem[] = [];
  const isNumbered = starts.map((at) => number.test(rows[at - 1] ?? ''));
  const opening = rows.slice(0, (starts[0] ?? 0) - (isNumbered[0] ? 1 : 0));
  const unexpected = opening.findIndex((row) => row.trim() !== '');
  if (unexpected >= 0) {
    problems.push({ row: unexpected + 1, message: 'text before the first timing line' });
  }
  const lines = starts.map((at, index): Line => {
    const next = starts[index + 1] ?? rows.length;
    const end = isNumbered[index + 1] ? next - 1 : next;
    const { start, stop, arrow } = splitTiming(rows[at] ?? '');
    if (arrow !== '-->') {
      problems.push({
        row: at + 1,
        message: 'the arrow must be -->; players show this line as text',
      });
    }
    const text = rows.slice(at + 1, end).join('\n');
    const key = padKeyTag.exec(text)?.[1];
    const { spans, problems: tagProblems } = readSrtText(text);
    return {
      place: at + (isNumbered[index] ? 0 : 1),
      number: isNumbered[index] ? Number(rows[at - 1]) : undefined,
      start: readTimecode(start),
      stop: readTimecode(stop),
      spans,
      tagProblems,
      placement: key === undefined ? {} : placementFromPadKey(Number(key)),
      rows: { timing: at, end },
    };
  });
  return { format: 'srt', lines, problems };
}

/** Below a number that starts an entry, any row with an arrow is a timing row, however wrong. */
function isEntryStart(rows: readonly string[], at: number): boolean {
  const row = rows[at] ?? '';
  if (isTimingRow(row)) return true;
  const isAfterNumber = number.test(rows[at - 1] ?? '') && (rows[at - 2] ?? '').trim() === '';
  return isAfterNumber && row.includes('-->');
}

const notCues = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;

/** Like in browsers, a cue starts at its times even without an empty row before it. */
function readVtt(rows: readonly string[], hasSignature: boolean): SubtitleFile {
  const lines: Line[] = [];
  const problems: FileProblem[] = [];
  if (!hasSignature) {
    const message = 'the file does not start with WEBVTT, so browsers reject it';
    problems.push({ row: 1, message });
  }
  for (const { row, content, isTight } of blocksOf(rows, hasSignature)) {
    const at = content.findIndex(hasArrow);
    if (isTight) problems.push({ row, message: 'no empty line before this cue' });
    if (at >= 0) {
      const { line, settingProblems } = readCue(content, at, row);
      lines.push(line);
      for (const message of settingProblems) problems.push({ row: row + at, message });
    } else if ((row > 1 || !hasSignature) && !notCues.test(content[0] ?? '')) {
      problems.push({ row, message: 'block without a timing line' });
    }
  }
  return { format: 'vtt', lines, problems };
}

const hasArrow = (text: string) => text.includes('-->');

function readCue(content: readonly string[], at: number, row: number) {
  const { start, stop, settings } = vttTiming(content[at] ?? '');
  const [from, to] = [vttTimecode(start), vttTimecode(stop)];
  const { spans, problems } = readVttText(
    content.slice(at + 1).join('\n'),
    innerTimeChecker(from, to),
  );
  const name = at === 1 ? (content[0] ?? '') : '';
  const timing = row - 1 + at;
  const line: Line = {
    place: row,
    number: /^\d{1,15}$/.test(name.trim()) ? Number(name) : undefined,
    start: from,
    stop: to,
    spans,
    tagProblems: problems,
    placement: placementFromVtt(settings),
    rows: { timing, end: timing + content.length - at },
  };
  return { line, settingProblems: vttSettingProblems(settings) };
}

/** White space in a timing row is what ASCII has of it, without the vertical tab. */
export function vttTiming(row: string) {
  const arrow = row.indexOf('-->');
  const after = row.slice(arrow + 3).replace(/^[ \t\f]+/, '');
  const stop = /^(?:[\d:.,]+|[^ \t\f]*)/.exec(after)?.[0] ?? '';
  const start = row
    .slice(0, arrow)
    .split(/[ \t\f]+/)
    .filter((word) => word !== '');
  return { start: start.join(' '), stop, settings: after.slice(stop.length) };
}

/** A time inside a cue's text must be after the cue's start and the time before it, and before its stop. */
function innerTimeChecker({ milliseconds: start = 0 }: Timecode, stop: Timecode) {
  let last = start;
  return (written: string) => {
    const { milliseconds, problem } = vttTimecode(written);
    if (milliseconds === undefined || problem !== undefined) return problem;
    if (milliseconds <= start || milliseconds >= (stop.milliseconds ?? Number.POSITIVE_INFINITY)) {
      return 'is not inside the times of its cue';
    }
    if (milliseconds <= last) return 'is not after the time before it';
    last = milliseconds;
    return undefined;
  };
}

/** WebVTT requires the dot, and allows times without hours. */
function vttTimecode(written: string): Timecode {
  const isShort = /^\d{2}:\d{2}[,.]\d+$/.test(written);
  // Other white space than that of ASCII is not left out, so that it counts as a mistake.
  const text = written.trim() === written ? written : `\ufffd${written.trim()}`;
  const { hasDot, ...timecode } = readTimecode(isShort ? `00:${text}` : text, '.');
  if (hasDot || timecode.problem !== undefined) return timecode;
  return { ...timecode, problem: 'has a comma; WebVTT needs a dot' };
}

interface Block {
  row: number;
  content: string[];
  /** It follows another block without an empty row. */
  isTight: boolean;
}

function blocksOf(rows: readonly string[], hasSignature: boolean): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [index, text] of rows.entries()) {
    if (text === '') open = undefined;
    else if (open && !(hasArrow(text) && isComplete(open, hasSignature))) open.content.push(text);
    else {
      open = { row: index + 1, content: [text], isTight: open !== undefined };
      blocks.push(open);
    }
  }
  return blocks;
}

/** A cue has times only once, at most one row after its name, so further times start a new cue. */
const isComplete = ({ row, content }: Block, hasSignature: boolean) =>
  (row === 1 && hasSignature) || content.length > 1 || content.some(hasArrow);
