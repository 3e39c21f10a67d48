import type { Line } from '../lines.ts';
import { readSrtText, readVttText } from '../markup.ts';
import {
  hasVttSignature,
  readSubtitleText,
  rowsOf,
  type SubtitleFile,
  vttTiming,
} from '../read.ts';
import { plainText } from '../spans.ts';
import { formatTimecode, splitTiming } from '../timecode.ts';
import { type FixOptions, fixTimesAndNumbers } from './fix.ts';
import { fixPieces } from './fixText.ts';

/** The lines of a cue in its file. */
interface CueRows {
  /** The first row, counted from 1. */
  row: number;
  rows: readonly string[];
}

export interface FixedFile {
  text: string;
  before: SubtitleFile;
  after: SubtitleFile;
  /** The rows of each cue that differ, by the index of the cue. */
  changes: readonly { index: number; before: CueRows; after: CueRows }[];
  /** WEBVTT was added at the start. */
  addsSignature: boolean;
}

/**
 * Fixes SRT or WebVTT in its text, so that everything that is not wrong stays: comments, styles,
 * settings, voices and the ends of the lines.
 */
export function fixFile(
  text: string,
  name: string,
  options: Omit<FixOptions, 'mayLackNumbers'>,
): FixedFile {
  const before = readSubtitleText(text, name);
  const format = before.format === 'vtt' ? 'vtt' : 'srt';
  const ending = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const addsSignature = format === 'vtt' && !hasVttSignature(text);
  const rows = rowsOf(text);

  const retimed = (fixText: (rows: readonly string[]) => readonly string[]) =>
    replaceCues(rows, before.lines, (line) => [
      ...numberRow(rows, line),
      fixTiming(rows[line.rows?.timing ?? 0] ?? '', line, format),
      ...fixText(textRows(rows, line)),
    ]);
  let restyled = retimed((text) => fixTextRows(text, format, options));
  // Read again, because the speed depends on the text.
  let middle = readAgain(before, rows, restyled, name);
  // A line break in another place may make text look like times or a number.
  if (middle !== before && !haveSameWords(before.lines, middle.lines)) {
    restyled = retimed((text) => text);
    middle = readAgain(before, rows, restyled, name);
  }
  const lines = fixTimesAndNumbers(middle.lines, { ...options, mayLackNumbers: format === 'vtt' });
  const fixed = replaceCues(restyled, middle.lines, (old, index) => {
    const line = lines[index] ?? old;
    const timing = restyled[old.rows?.timing ?? 0] ?? '';
    return [
      ...(line.number === old.number ? numberRow(restyled, old) : [String(line.number)]),
      line.stop === old.stop ? timing : fixTiming(timing, line, format),
      ...textRows(restyled, old),
    ];
  });
  const content = addsSignature ? ['WEBVTT', '', ...fixed] : fixed;
  // In SRT, nothing else depends on the times; without new rows, the places stay.
  const isKnown = format === 'srt' && middle === before && fixed.length === rows.length;
  const isSame = isKnown && lines.every((line, index) => line === middle.lines[index]);
  const after = isSame
    ? before
    : isKnown
      ? { ...before, lines }
      : readAgain(before, rows, content, name);
  if (after === before) return { text, before, after, changes: [], addsSignature };
  const changes = before.lines.flatMap((line, index) => {
    if (line === after.lines[index]) return [];
    const [old, now] = [cueRows(rows, line), cueRows(content, after.lines[index])];
    return old.rows.join('\n') === now.rows.join('\n') ? [] : { index, before: old, after: now };
  });
  return { text: content.join(ending), before, after, changes, addsSignature };
}

/** Returns `file` itself if no row changed. */
function readAgain(
  file: SubtitleFile,
  rows: readonly string[],
  content: readonly string[],
  name: string,
): SubtitleFile {
  const isSame = content.length === rows.length && content.every((row, at) => row === rows[at]);
  return isSame ? file : readSubtitleText(content.join('\n'), name);
}

/** White space, and the marks that `styleEdits` changes. */
const notWords = /[\s.…‐‑–—−-]+/g;
const wordsOf = ({ spans }: Line) => plainText(spans).replace(notWords, '');

/** The guarantee of `fix`, whatever a file contains. */
export const haveSameWords = (before: readonly Line[], after: readonly Line[]): boolean =>
  before.length === after.length &&
  before.every((line, index) => wordsOf(line) === wordsOf(after[index] as Line));

/** Replaces the rows of each cue, and keeps all others. */
function replaceCues(
  rows: readonly string[],
  lines: readonly Line[],
  rowsFor: (line: Line, index: number) => readonly string[],
): string[] {
  const result: string[] = [];
  let done = 0;
  for (const [index, line] of lines.entries()) {
    const { timing, end } = line.rows ?? { timing: 0, end: 0 };
    const first = timing - (hasNumberRow(line) ? 1 : 0);
    for (let at = done; at < first; at += 1) result.push(rows[at] ?? '');
    for (const row of rowsFor(line, index)) result.push(row);
    done = end;
  }
  for (let at = done; at < rows.length; at += 1) result.push(rows[at] ?? '');
  return result;
}

/** WebVTT names that are not numbers stay where they are. */
const hasNumberRow = ({ number }: Line) => number !== undefined;
const numberRow = (rows: readonly string[], line: Line) =>
  hasNumberRow(line) ? [rows[(line.rows?.timing ?? 0) - 1] ?? ''] : [];
const textRows = (rows: readonly string[], { rows: place }: Line) =>
  rows.slice((place?.timing ?? 0) + 1, place?.end);

function cueRows(rows: readonly string[], line: Line | undefined): CueRows {
  const { timing, end } = line?.rows ?? { timing: 0, end: 0 };
  const first = timing - (line && hasNumberRow(line) ? 1 : 0);
  let last = end;
  while (last > timing + 1 && (rows[last - 1] ?? '').trim() === '') last -= 1;
  return { row: first + 1, rows: rows.slice(first, last) };
}

/** Writes the times as the format wants them, if they can be read. Settings after them stay. */
function fixTiming(row: string, { start, stop }: Line, format: 'srt' | 'vtt'): string {
  const [from, to] = [start.milliseconds, stop.milliseconds];
  if (from === undefined || to === undefined || from < 0 || to < 0) return row;
  const mark = format === 'srt' ? ',' : '.';
  const written = format === 'srt' ? splitTiming(row) : { ...vttTiming(row), arrow: '-->' };
  const isRight = (text: string, time: number) =>
    text.includes(mark) && formatTimecode(time, mark).endsWith(text.trim());
  if (written.arrow === '-->' && isRight(written.start, from) && isRight(written.stop, to))
    return row;
  const rest = row.slice(
    row.indexOf(written.stop, row.indexOf(written.arrow)) + written.stop.length,
  );
  return `${formatTimecode(from, mark)} --> ${formatTimecode(to, mark)}${rest}`;
}

/** Tags and codes, which stay. The reading of a ruby takes no width, so it counts as a tag. */
const marks = {
  srt: /(<\/?(?:b|i|u|s|font|br)(?:\s[^<>\n]*)?\/?>|\{\\[^{}\n]*\})/i,
  vtt: /(<rt>[^<]*<\/rt>|<[^<>]*>)/,
};
const mayHaveMarks = /[<{]/;
const entity = /&#?\w{1,32};/g;

function fixTextRows(
  rows: readonly string[],
  format: 'srt' | 'vtt',
  { limits }: FixOptions,
): readonly string[] {
  let end = rows.length;
  while (end > 0 && (rows[end - 1] ?? '').trim() === '') end -= 1;
  const text = rows.slice(0, end).join('\n');
  const parts = mayHaveMarks.test(text) ? text.split(marks[format]) : [text];
  const toVisible = (part: string) => (format === 'vtt' ? part.replace(entity, 'x') : part);
  const pieces = fixPieces(
    parts.filter((_, index) => index % 2 === 0),
    limits,
    toVisible,
  );
  const read = format === 'srt' ? readSrtText : readVttText;
  const closable = parts.length > 1 ? read(text).closable : [];
  const closing = closable.map((name) => `</${name}>`).join('');
  const fixed = parts.map((part, index) => (index % 2 === 0 ? pieces[index / 2] : part)).join('');
  return fixed === text && closing === ''
    ? rows
    : [...`${fixed}${closing}`.split('\n'), ...rows.slice(end)];
}

/** A unified diff, with one part for each cue that changes. */
export function diffOf({ changes, addsSignature, before }: FixedFile, name: string): string {
  if (changes.length === 0 && !addsSignature) return '';
  const parts = changes.map(({ index, before: old, after: now }) => {
    const number = before.lines[index]?.number ?? index + 1;
    const rows =
      before.format === 'ttml'
        ? `line ${old.row}`
        : `-${old.row},${old.rows.length} +${now.row},${now.rows.length}`;
    return `@@ ${rows} @@ cue ${number}\n${rowDiff(old.rows, now.rows)}`;
  });
  const signature = addsSignature ? '@@ -0,0 +1,2 @@\n+WEBVTT\n+\n' : '';
  return `--- ${name}\n+++ ${name}\n${signature}${parts.join('')}`;
}

/** Rows that stay between two changes are shown once, if the cue keeps its number of rows. */
function rowDiff(old: readonly string[], now: readonly string[]): string {
  const marked = (mark: string, rows: readonly string[]) => rows.map((row) => `${mark}${row}\n`);
  const isAligned = old.length === now.length;
  const result: string[] = [];
  for (let start = 0; start < Math.max(old.length, now.length); ) {
    let end = start;
    while (end < old.length && end < now.length && old[end] === now[end]) end += 1;
    result.push(...marked(' ', old.slice(start, end)));
    start = end;
    while (isAligned && end < old.length && old[end] !== now[end]) end += 1;
    const last = isAligned ? end : Number.POSITIVE_INFINITY;
    result.push(...marked('-', old.slice(start, last)), ...marked('+', now.slice(start, last)));
    start = last;
  }
  return result.join('');
}
