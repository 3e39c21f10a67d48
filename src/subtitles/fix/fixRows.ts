import type { Limits } from '../check/guides.ts';
import { arrowProblems, type Parser, rowsOf, type TextRules } from '../formats/format.ts';
import type { Line } from '../line.ts';
import { plainText } from '../spans.ts';
import type { Subtitles } from '../subtitles.ts';
import { formatTimecode } from '../timecode.ts';
import { fixPieces } from './fixText.ts';
import { fixTimesAndNumbers } from './fixTimes.ts';

/** The lines of a cue in its file. */
interface CueRows {
  /** The first row, counted from 1. */
  row: number;
  rows: readonly string[];
}

export interface FixedSubtitles {
  /** Undefined if nothing changes. */
  text?: string;
  before: Subtitles;
  after: Subtitles;
  /** The rows of each cue that differ, by the index of the cue. */
  changes: readonly { index: number; before: CueRows; after: CueRows }[];
  /** The indexes of the cues that are left out, because they have no text or no valid times. */
  dropped?: readonly number[];
  /** Rows that were added at the start. */
  addedRows: readonly string[];
}

/**
 * Fixes a file in its text, so that everything that is not wrong stays: comments, styles,
 * settings, voices and the ends of the lines.
 */
export function fixRows(
  before: Subtitles,
  parser: Parser,
  rules: TextRules,
  limits: Limits,
): FixedSubtitles {
  const text = before.file?.text ?? '';
  const addedRows = rules.missingRows?.(text) ?? [];
  const rows = rowsOf(text);
  const readAgain = (content: readonly string[]): Subtitles => {
    const isSame = content.length === rows.length && content.every((row, at) => row === rows[at]);
    return isSame ? before : { ...before, ...parser.read(content.join('\n'), before.name) };
  };

  const retimed = (fixText: (rows: readonly string[]) => readonly string[]) =>
    replaceCues(rows, before.lines, (line) => [
      ...numberRow(rows, line),
      fixTiming(rows[line.rows?.timing ?? 0] ?? '', line, rules),
      ...fixText(textRows(rows, line)),
    ]);
  let restyled = retimed((textOf) => fixTextRows(textOf, rules, limits));
  // Read again, because the speed depends on the text.
  let middle = readAgain(restyled);
  // A line break in another place may make text look like times or a number.
  if (middle !== before && !haveSameWords(before.lines, middle.lines)) {
    restyled = retimed((unchanged) => unchanged);
    middle = readAgain(restyled);
  }
  const lines = fixTimesAndNumbers(middle.lines, limits, before.format?.needsNumbers);
  const fixed = replaceCues(restyled, middle.lines, (old, index) => {
    const line = lines[index] ?? old;
    const timing = restyled[old.rows?.timing ?? 0] ?? '';
    return [
      ...(line.number === old.number ? numberRow(restyled, old) : [String(line.number)]),
      line.stop === old.stop ? timing : fixTiming(timing, line, rules),
      ...textRows(restyled, old),
    ];
  });
  const content = [...addedRows, ...fixed];
  // Reading takes a third of the time, and new times alone change nothing else.
  const isRetimed = middle === before && fixed.length === rows.length && !rules.hasTimesInText;
  const isChanged = lines.some((line, index) => line !== middle.lines[index]);
  const after = isRetimed && isChanged ? { ...before, lines } : readAgain(content);
  if (after === before) return { before, after, changes: [], addedRows };
  const changes = before.lines.flatMap((line, index) => {
    if (line === after.lines[index]) return [];
    const [old, now] = [cueRows(rows, line), cueRows(content, after.lines[index])];
    return old.rows.join('\n') === now.rows.join('\n') ? [] : { index, before: old, after: now };
  });
  const ends = endsAfter(text, changes, addedRows);
  const fixedText = content.map((row, at) => row + ends[at]).join('');
  return { text: fixedText, before, after, changes, addedRows };
}

/** The end of each row. A row keeps its own; new ones have that of the first row. */
function endsAfter(
  text: string,
  changes: FixedSubtitles['changes'],
  addedRows: readonly string[],
): string[] {
  const ends = [...(text.match(/\r\n|\n|\r/g) ?? []), ''];
  const usual = ends[0] || '\n';
  const parts = [addedRows.map(() => usual)];
  let done = 0;
  for (const { before, after } of changes) {
    const start = before.row - 1;
    const old = ends.slice(start, start + before.rows.length);
    const last = old.pop() ?? usual;
    const others = Array.from({ length: after.rows.length - 1 }, (_, at) => old[at] || usual);
    parts.push(ends.slice(done, start), others, [last]);
    done = start + before.rows.length;
  }
  return [...parts, ends.slice(done)].flat();
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
function fixTiming(row: string, { start, stop }: Line, { mark, timing }: TextRules): string {
  const [from, to] = [start.milliseconds, stop.milliseconds];
  if (from === undefined || to === undefined || from < 0 || to < 0) return row;
  const written = timing(row);
  const isRight = (text: string, time: number) =>
    text.includes(mark) && formatTimecode(time, mark).endsWith(text.trim());
  const isSpaced = written.arrow === '-->' && arrowProblems(row).length === 0;
  if (isSpaced && isRight(written.start, from) && isRight(written.stop, to)) return row;
  const rest = row.slice(
    row.indexOf(written.stop, row.indexOf(written.arrow)) + written.stop.length,
  );
  return `${formatTimecode(from, mark)} --> ${formatTimecode(to, mark)}${rest}`;
}

const mayHaveTags = /[<{]/;

function fixTextRows(rows: readonly string[], rules: TextRules, limits: Limits) {
  let end = rows.length;
  while (end > 0 && (rows[end - 1] ?? '').trim() === '') end -= 1;
  const text = rows.slice(0, end).join('\n');
  const parts = mayHaveTags.test(text) ? text.split(rules.tags) : [text];
  const pieces = fixPieces(
    parts.filter((_, index) => index % 2 === 0),
    limits,
    rules.toVisible,
  );
  const closable = parts.length > 1 ? rules.closableTags(text) : [];
  const closing = closable.map((name) => `</${name}>`).join('');
  const fixed = parts.map((part, index) => (index % 2 === 0 ? pieces[index / 2] : part)).join('');
  return fixed === text && closing === ''
    ? rows
    : [...`${fixed}${closing}`.split('\n'), ...rows.slice(end)];
}
