import type { FileProblem, Line } from './lines.ts';
import { readSrtText } from './markup.ts';
import { fromNumberPad } from './placement.ts';
import { isTimingRow, readTimecode, splitTiming } from './timecode.ts';

const number = /^\s*\d{1,15}\s*$/;
const place = /\{\\an([1-9])\}/;

interface Read {
  lines: Line[];
  problems: FileProblem[];
}

/** As players read it: all between two rows with times is text, but for the number before. */
export function readSrt(rows: readonly string[]): Read {
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
