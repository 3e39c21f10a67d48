import type { FileProblem, Line } from './lines.ts';
import { readSrtText } from './markup.ts';
import { fromNumberPad } from './placement.ts';
import { isTimingRow, readTimecode } from './timecode.ts';

const timing = /^\s*(\S.*?)\s*-->\s*(\S+)(.*)$/;
const number = /^\s*\d{1,15}\s*$/;
const place = /\{\\an([1-9])\}/;

interface Read {
  lines: Line[];
  problems: FileProblem[];
}

/** As players read it: all between two lines with times is text, but for the number before. */
export function readSrt(rows: readonly string[]): Read {
  const starts = rows.flatMap((row, index) => (isTimingRow(row) ? [index] : []));
  const problems: FileProblem[] = [];
  const isNumbered = starts.map((at) => at > 0 && number.test(rows[at - 1] ?? ''));
  const opening = rows.slice(0, (starts[0] ?? 0) - (isNumbered[0] ? 1 : 0));
  const stray = opening.findIndex((row) => row.trim() !== '');
  if (stray >= 0)
    problems.push({ row: stray + 1, message: 'text before the first line with times' });
  const lines = starts.map((at, index): Line => {
    const next = starts[index + 1] ?? rows.length;
    const end = isNumbered[index + 1] ? next - 1 : next;
    const [, start, stop] = timing.exec(rows[at] ?? '') ?? [];
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
