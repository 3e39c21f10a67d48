import { usageError } from '../errors.ts';
import type { FileProblem, Line } from './lines.ts';
import { readSrtText, readVttText } from './markup.ts';
import { fromNumberPad, fromVttSettings } from './placement.ts';
import { isTimingRow, readTimecode, splitTiming, type Timecode } from './timecode.ts';

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

const number = /^\s*\d{1,15}\s*$/;
const place = /\{\\an([1-9])\}/;

interface SrtReading {
  lines: Line[];
  problems: FileProblem[];
}

/** As players read it: all between two rows with times is text, but for the number before. */
function readSrt(rows: readonly string[]): SrtReading {
  const starts = rows.flatMap((_, index) => (isStart(rows, index) ? [index] : []));
  const problems: FileProblem[] = [];
  const isNumbered = starts.map((at) => number.test(rows[at - 1] ?? ''));
  const opening = rows.slice(0, (starts[0] ?? 0) - (isNumbered[0] ? 1 : 0));
  const stray = opening.findIndex((row) => row.trim() !== '');
  if (stray >= 0)
    problems.push({ row: stray + 1, message: 'text before the first line with times' });
  const lines = starts.map((at, index): Line => {
    const next = starts[index + 1] ?? rows.length;
    const end = isNumbered[index + 1] ? next - 1 : next;
    const { start, stop, arrow } = splitTiming(rows[at] ?? '');
    if (arrow !== '-->') {
      problems.push({ row: at + 1, message: 'the arrow is not -->: players take it for text' });
    }
    const text = rows.slice(at + 1, end).join('\n');
    const key = place.exec(text)?.[1];
    const { spans, problems: tagProblems } = readSrtText(text);
    return {
      place: at + (isNumbered[index] ? 0 : 1),
      ...(isNumbered[index] ? { number: Number(rows[at - 1]) } : {}),
      start: readTimecode(start),
      stop: readTimecode(stop),
      spans,
      tagProblems,
      placement: key === undefined ? {} : fromNumberPad(Number(key)),
    };
  });
  return { lines, problems };
}

/** Times, however wrong, also stand where only they can: below a number that begins an entry. */
function isStart(rows: readonly string[], at: number): boolean {
  const row = rows[at] ?? '';
  if (isTimingRow(row)) return true;
  const beginsEntry = number.test(rows[at - 1] ?? '') && (rows[at - 2] ?? '').trim() === '';
  return beginsEntry && row.includes('-->');
}

const timing = /^\s*(\S*)\s*-->\s*(\S*)(.*)$/;
const notCues = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;

interface VttReading {
  lines: Line[];
  problems: FileProblem[];
}

/**
 * WebVTT: blocks between empty lines; comments, styles and regions are not cues. As in browsers a cue
 * begins at its times, whether there is an empty line or not.
 */
function readVtt(rows: readonly string[]): VttReading {
  const lines: Line[] = [];
  const problems: FileProblem[] = [];
  for (const { row, content, isTight } of blocksOf(rows)) {
    const at = content.findIndex(hasArrow);
    if (isTight) problems.push({ row, message: 'no empty line before the cue' });
    if (at >= 0) lines.push(cueOf(content, at, row));
    else if (row > 1 && !notCues.test(content[0] ?? '')) {
      problems.push({ row, message: 'a block without a line that says from when until when' });
    }
  }
  return { lines, problems };
}

const hasArrow = (text: string) => text.includes('-->');

function cueOf(content: readonly string[], at: number, row: number): Line {
  const [, start, stop, settings = ''] = timing.exec(content[at] ?? '') ?? [];
  const { spans, problems } = readVttText(content.slice(at + 1).join('\n'));
  const name = at === 1 ? (content[0] ?? '') : '';
  return {
    place: row,
    ...(/^\d{1,15}$/.test(name.trim()) ? { number: Number(name) } : {}),
    start: vttTimecode(start),
    stop: vttTimecode(stop),
    spans,
    tagProblems: problems,
    placement: fromVttSettings(settings),
  };
}

/** Hours may be left out, and the dot is as it should be. */
function vttTimecode(written: string | undefined): Timecode {
  const isShort = /^\d{2}:\d{2}[,.]\d+$/.test(written ?? '');
  const { hasDot, ...timecode } = readTimecode(isShort ? `00:${written}` : written, '.');
  if (hasDot || timecode.problem !== undefined) return timecode;
  return { ...timecode, problem: 'has a comma where WebVTT has a dot' };
}

interface Block {
  row: number;
  content: string[];
  /** It follows the block before it without an empty line. */
  isTight: boolean;
}

function blocksOf(rows: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [index, text] of rows.entries()) {
    if (text === '') open = undefined;
    else if (open && !(hasArrow(text) && isComplete(open))) open.content.push(text);
    else {
      open = { row: index + 1, content: [text], isTight: open !== undefined };
      blocks.push(open);
    }
  }
  return blocks;
}

/** Whether times cannot belong to it: a cue has them once, after its name at most. */
const isComplete = ({ row, content }: Block) =>
  row === 1 || content.length > 1 || content.some(hasArrow);
