import { graphemes, simpleWidth } from '../../terminal/grapheme.ts';
import { displayWidth } from '../../terminal/width.ts';
import { about, type Checked, type Finding } from './finding.ts';
import { durationOf } from './timing.ts';

const letter = /[a-z]/i;

/** Lines without anything to see; zero-width characters are nothing to see. */
export function* emptiness({ lines, shown }: Checked): Generator<Finding> {
  for (const [index, line] of lines.entries()) {
    const isEmpty = (shown[index] ?? []).every(
      (text) => !letter.test(text) && (text.trim() === '' || displayWidth(text) === 0),
    );
    if (isEmpty) yield about(line, 'empty', 'error', 'has no text');
  }
}

export function* tags({ lines }: Checked): Generator<Finding> {
  for (const line of lines) {
    for (const problem of line.tagProblems) yield about(line, 'tags', 'error', problem);
  }
}

export function* lineLengths({ lines, shown, limits: { maxWidth } }: Checked): Generator<Finding> {
  if (maxWidth === undefined) return;
  for (const [index, line] of lines.entries()) {
    for (const text of shown[index] ?? []) {
      const width = displayWidth(text);
      if (width <= maxWidth) continue;
      const message = `${width} columns (at most ${maxWidth})`;
      yield about(line, 'line-length', 'error', message, text);
    }
  }
}

export function* lineCounts({ lines, shown, limits: { maxLines } }: Checked): Generator<Finding> {
  if (maxLines === undefined) return;
  for (const [index, line] of lines.entries()) {
    const count = shown[index]?.length ?? 0;
    if (count <= maxLines) continue;
    yield about(line, 'line-count', 'error', `${count} lines (at most ${maxLines})`);
  }
}

/** A little too fast is for people to judge; more than this is too fast for anybody. */
const tooFast = 1.25;

/** Text that is gone before it can be read. */
export function* speeds({ lines, shown, limits }: Checked): Generator<Finding> {
  const { maxSpeed, maxWords, countsFullWidth } = limits;
  if (maxSpeed === undefined && maxWords === undefined) return;
  for (const [index, line] of lines.entries()) {
    const seconds = (durationOf(line) ?? 0) / 1000;
    if (seconds <= 0) continue;
    const texts = shown[index] ?? [];
    const speed = sum(texts, countsFullWidth ? fullWidth : characters) / seconds;
    if (maxSpeed !== undefined && rounded(speed) > maxSpeed) {
      const message = `${rounded(speed)} characters a second (at most ${maxSpeed})`;
      yield about(line, 'speed', severityOf(speed, maxSpeed), message);
    }
    if (maxWords === undefined) continue;
    const words = (sum(texts, wordCount) / seconds) * 60;
    if (Math.round(words) > maxWords) {
      const message = `${Math.round(words)} words a minute (at most ${maxWords})`;
      yield about(line, 'speed', severityOf(words, maxWords), message);
    }
  }
}

const severityOf = (speed: number, most: number) => (speed > most * tooFast ? 'error' : 'warning');

const sum = (texts: readonly string[], count: (text: string) => number) =>
  texts.reduce((total, text) => total + count(text), 0);

/** What a reader counts: an emoji is one, whatever it is made of, and zero width is nothing. */
function characters(text: string): number {
  let simple = 0;
  while (simple < text.length && simpleWidth(text.charCodeAt(simple)) > 0) simple += 1;
  if (simple === text.length) return simple;
  let count = 0;
  for (const { width } of graphemes(text)) if (width > 0) count += 1;
  return count;
}

const fullWidth = (text: string) => displayWidth(text) / 2;
/** Words are what stands between spaces; where there are none, words are not counted but one. */
const wordCount = (text: string) =>
  text.split(/\s+/).filter((word) => /\p{L}|\p{N}/u.test(word)).length;
const rounded = (speed: number) => Number(speed.toFixed(1));
