import type { Limits } from '../check/guideLimits.ts';
import { arrowProblems, fileRows, type TextRules } from '../formats/format.ts';
import type { Line } from '../line.ts';
import { plainText } from '../spans.ts';
import type { Subtitles } from '../subtitles.ts';
import { formatTimecode } from '../timecode.ts';
import { fixPieces } from './fixText.ts';
import { fixTimesAndNumbers } from './fixTimes.ts';

export interface FixedSubtitles {
  /** Undefined if nothing changes. */
  text?: string;
  before: Subtitles;
  after: Subtitles;
  /** The rows of each cue that differ. */
  changes: readonly CueChange[];
}

interface CueChange {
  index: number;
  /** Its first row before, counted from 1. */
  row: number;
  before: readonly string[];
  after: readonly string[];
}

export const unchanged = (before: Subtitles): FixedSubtitles => {
  return { before, after: before, changes: [] };
};

/**
 * Fixes what can be fixed automatically: style, line breaks, stop times and numbers. Works on the text
 * of the file, so that everything that is not wrong stays: words, comments, styles, settings, voices and
 * the ends of the lines.
 */
export function fixSubtitles(before: Subtitles, limits: Limits): FixedSubtitles {
  const { text = '', parser } = before.file ?? {};
  const rules = parser?.text;
  if (!rules) return unchanged(before);
  const rows = fileRows(text);
  const changesIn = (cues: readonly CueRows[]) =>
    cues.flatMap(({ first, end, name, timing, content }, index) => {
      const now = [name, timing, content].flat();
      return changeOf({ index, row: first + 1, before: rows.slice(first, end), after: now });
    });
  const applied = (changes: readonly CueChange[]) => {
    if (changes.length === 0) return { after: before };
    const fixedText = withChanges(text, changes);
    const { lines, problems } = parser.read(fixedText, before.name);
    return { text: fixedText, after: { ...before, lines, problems } };
  };

  const retimed = before.lines.map((line): CueRows => {
    const cue = cueRows(rows, line);
    return { ...cue, timing: fixTiming(cue.timing, line, rules) };
  });
  let restyled = retimed.map((cue): CueRows => {
    return { ...cue, content: fixContent(cue, rules, limits) };
  });
  // Read again, because the speed depends on the text.
  let middle = applied(changesIn(restyled)).after;
  // A line break in another place may make text look like times or a number.
  if (!haveSameWords(before.lines, middle.lines)) {
    restyled = retimed;
    middle = applied(changesIn(restyled)).after;
  }
  const lines = fixTimesAndNumbers(middle.lines, limits, before.format?.needsNumbers);
  const fixed = restyled.map((cue, index): CueRows => {
    const line = lines[index] as Line;
    const isNumbered = line.number === middle.lines[index]?.number;
    const name = isNumbered ? cue.name : [String(line.number)];
    return { ...cue, name, timing: fixTiming(cue.timing, line, rules) };
  });
  const changes = changesIn(fixed);
  return { ...applied(changes), before, changes };
}

const changeOf = (change: CueChange): CueChange[] =>
  change.before.join('\n') === change.after.join('\n') ? [] : [change];

/** A row keeps its end. New rows have that of the first one. */
function withChanges(text: string, changes: readonly CueChange[]) {
  const rows = text.split(/(?<=\n|\r(?!\n))/);
  const endOf = (row: string) => /[\r\n]*$/.exec(row)?.[0] ?? '';
  const usual = endOf(rows[0] ?? '') || '\n';
  const parts: string[] = [];
  let done = 0;
  for (const { row, before, after } of changes) {
    const start = row - 1;
    const ends = rows.slice(start, start + before.length).map(endOf);
    const last = ends.pop() ?? '';
    const isLast = (at: number) => at === after.length - 1;
    const fixed = after.map((content, at) => content + (isLast(at) ? last : ends[at] || usual));
    parts.push(...[rows.slice(done, start), fixed].map((some) => some.join('')));
    done = start + before.length;
  }
  return [...parts, ...rows.slice(done)].join('');
}

/** White space, and the marks that `styleEdits` changes. */
const notWords = /[\s.…‐‑–—−-]+/g;
const wordsOf = ({ spans }: Line) => plainText(spans).replace(notWords, '');

/** The guarantee of `fix`, whatever a file contains. */
export const haveSameWords = (before: readonly Line[], after: readonly Line[]): boolean =>
  before.length === after.length &&
  before.every((line, index) => wordsOf(line) === wordsOf(after[index] as Line));

type CueRows = ReturnType<typeof cueRows>;

/** The rows of a cue, and where it stands in the file: from `first` to before `end`. */
function cueRows(rows: readonly string[], { place, rows: own, closable = [] }: Line) {
  const { timing, end } = own ?? { timing: 0, end: 0 };
  const first = place - 1;
  const filled = rows.slice(timing + 1, end).findLastIndex((row) => row.trim() !== '');
  const content = rows.slice(timing + 1, timing + 2 + filled);
  /** Its number or another name, if it has one. */
  const name = rows.slice(first, timing);
  return { first, end: timing + 2 + filled, name, timing: rows[timing] ?? '', content, closable };
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

function fixContent({ content: rows, closable }: CueRows, rules: TextRules, limits: Limits) {
  if (rows.length === 0) return rows;
  const text = rows.join('\n');
  const parts = mayHaveTags.test(text) ? text.split(rules.tags) : [text];
  const texts = parts.filter((_, index) => index % 2 === 0);
  const pieces = fixPieces(texts, limits, rules.toVisible);
  const closing = closable.map((name) => `</${name}>`).join('');
  const fixed = parts.map((part, index) => (index % 2 === 0 ? pieces[index / 2] : part)).join('');
  return `${fixed}${closing}`.split('\n');
}

/** A unified diff, with one part for each cue that changes. */
export function diffOf({ changes, before }: FixedSubtitles): string {
  let shift = 0;
  const parts = changes.map(({ index, row, before: old, after: now }) => {
    const number = before.lines[index]?.number ?? index + 1;
    const rows = `-${row},${old.length} +${row + shift},${now.length}`;
    shift += now.length - old.length;
    return `@@ ${rows} @@ cue ${number}\n${rowDiff(old, now)}`;
  });
  return `--- ${before.name}\n+++ ${before.name}\n${parts.join('')}`;
}

/** Rows that stay are shown once, if the cue keeps its number of rows. */
function rowDiff(old: readonly string[], now: readonly string[]): string {
  const marked = (mark: string, rows: readonly string[]) => rows.map((row) => `${mark}${row}\n`);
  if (old.length !== now.length) return [...marked('-', old), ...marked('+', now)].join('');
  return old.map((row, at) => (row === now[at] ? ` ${row}\n` : `-${row}\n+${now[at]}\n`)).join('');
}
