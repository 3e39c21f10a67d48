import type { Limits } from '../check/guideLimits.ts';
import type { WriteOptions } from '../formats/format.ts';
import { type CueOptions, type Line, toCues } from '../line.ts';
import { plainText } from '../spans.ts';
import type { Subtitles } from '../subtitles.ts';
import { type FixedSubtitles, fixRows, unchanged } from './fixRows.ts';
import { fixPieces } from './fixText.ts';
import { fixTimesAndNumbers } from './fixTimes.ts';

export interface FixOptions extends Pick<WriteOptions, 'frameRate'>, CueOptions {
  limits: Limits;
}

/** Fixes what can be fixed automatically: style, line breaks, stop times and numbers. Words stay. */
export const fixSubtitles = (before: Subtitles, options: FixOptions): FixedSubtitles =>
  fixRows(before, options.limits) ?? rewrite(before, options);

/** Writes a file again from its lines. */
function rewrite(before: Subtitles, options: FixOptions): FixedSubtitles {
  const after = { ...before, lines: fixLines(before, options.limits) };
  const { cues, dropped } = toCues(after, options);
  const leftOut = new Set(dropped);
  const changes = after.lines.flatMap((line, index) => {
    const old = printedRows(before.lines[index] ?? line);
    const now = leftOut.has(line) ? [] : printedRows(line);
    const isSame = old.join('\n') === now.join('\n');
    return isSame ? [] : { index, row: line.place, before: old, after: now };
  });
  // A file without anything to fix stays as it is.
  if (changes.length === dropped.length) return unchanged(before);
  const { frameRate = before.frameRate } = options;
  const text = before.format?.write(cues, { language: before.language, frameRate });
  return { text, before, after, changes, addedRows: [] };
}

function fixLines({ lines, format }: Subtitles, limits: Limits): Line[] {
  const restyled = lines.map((line): Line => {
    const pieces = line.spans.map(({ text }) => text);
    const texts = fixPieces(pieces, limits);
    const spans = line.spans.map((span, index) => ({ ...span, text: texts[index] ?? span.text }));
    return { ...line, spans: spans.filter(({ text }) => text !== ''), tagProblems: [] };
  });
  return fixTimesAndNumbers(restyled, limits, format?.needsNumbers);
}

/** The times and the text: a diff of markup would be hard to read. */
const printedRows = ({ start, stop, spans }: Line) => [
  `${start.text} --> ${stop.text}`,
  ...plainText(spans).split('\n'),
];

/** A unified diff, with one part for each cue that changes. */
export function diffOf({ changes, addedRows, before }: FixedSubtitles): string {
  let shift = addedRows.length;
  const parts = changes.map(({ index, row, before: old, after: now }) => {
    const number = before.lines[index]?.number ?? index + 1;
    const rows =
      before.format?.rewriteWarning !== undefined
        ? `line ${row}`
        : `-${row},${old.length} +${row + shift},${now.length}`;
    shift += now.length - old.length;
    return `@@ ${rows} @@ cue ${number}\n${rowDiff(old, now)}`;
  });
  const added = addedRows.map((row) => `+${row}\n`).join('');
  const start = added === '' ? '' : `@@ -0,0 +1,${addedRows.length} @@\n${added}`;
  return `--- ${before.name}\n+++ ${before.name}\n${start}${parts.join('')}`;
}

/** Rows that stay between two changes are shown once, if the cue keeps its number of rows. */
function rowDiff(old: readonly string[], now: readonly string[]): string {
  const marked = (mark: string, rows: readonly string[]) =>
    rows.map((row) => `${mark}${row}\n`).join('');
  const isAligned = old.length === now.length;
  let result = '';
  for (let start = 0; start < Math.max(old.length, now.length); ) {
    let end = start;
    while (end < old.length && end < now.length && old[end] === now[end]) end += 1;
    result += marked(' ', old.slice(start, end));
    start = end;
    while (isAligned && end < old.length && old[end] !== now[end]) end += 1;
    const last = isAligned ? end : Number.POSITIVE_INFINITY;
    result += marked('-', old.slice(start, last)) + marked('+', now.slice(start, last));
    start = last;
  }
  return result;
}
