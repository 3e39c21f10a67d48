import type { Limits } from '../check/guideLimits.ts';
import { type Edit, matches, mayBeDialogue, styleEdits, widthOf } from '../check/measure.ts';

/**
 * Fixes the style and the line breaks of a text that is cut into pieces, such as by tags. The pieces
 * keep their number and their words. `toVisible` removes escapes such as `&amp;`, to measure a width.
 */
export function fixPieces(
  pieces: readonly string[],
  limits: Limits,
  toVisible = (text: string) => text,
): readonly string[] {
  let fixed = pieces;
  let text = pieces.join('');
  const apply = (edits: readonly Edit[]) => {
    if (edits.length === 0) return;
    fixed = applyEdits(fixed, edits);
    text = fixed.join('');
  };
  for (const editsOf of Object.values(styleEdits)) apply(editsOf(text, limits));
  apply(balancingEdits(text, limits, toVisible));
  return fixed;
}

/** Replaces parts of a text that is cut into pieces. The edits are in order and do not overlap. */
function applyEdits(pieces: readonly string[], edits: readonly Edit[]): readonly string[] {
  let offset = 0;
  let next = 0;
  return pieces.map((piece) => {
    const end = offset + piece.length;
    let text = '';
    let done = offset;
    for (let edit = edits[next]; edit && edit.from < end; edit = edits[next]) {
      // An edit that began in an earlier piece has been written there.
      if (edit.from >= offset) text += piece.slice(done - offset, edit.from - offset) + edit.text;
      done = Math.min(edit.to, end);
      if (edit.to > end) break;
      next += 1;
    }
    text += piece.slice(done - offset);
    offset = end;
    return text;
  });
}

/** Longer texts cannot fit: this bounds the time for a text of characters without width. */
const maxLength = 1000;
const lineBreak = /[ \t]*\n[ \t]*/g;
/** A space, or the place after a mark that ends a phrase in a script without spaces. */
const possibleBreak = /[ \u3000]|(?<=[、。，！？…])(?![、。，！？…」』） \u3000\n]|$)/gu;
const phraseEnd = /[,.;:!?…،؛؟、。，！？]["'»”’)\]]*$/u;
/** A space after `Donau-` or `and/` would change the word. */
const brokenWord = /[\p{L}\p{N}][-\u2010\u2011\u00ad/]$/u;
/** In these scripts, a line break may stand between two words or inside one. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uff60]/u;

/**
 * Breaks a text that is too wide, or has too many lines, into two lines of about the same width. Does
 * nothing if two people may speak, or if no break makes both lines fit.
 */
function balancingEdits(text: string, limits: Limits, toVisible: (text: string) => string): Edit[] {
  const { maxWidth = Number.POSITIVE_INFINITY, maxLines = Number.POSITIVE_INFINITY } = limits;
  if (text.length > maxLength || maxLines < 2) return [];
  const width = (part: string) => widthOf(toVisible(part.replace(/^[ \t]+|[ \t]+$/g, '')), limits);
  const lines = text.split('\n');
  // No character is wider than two columns.
  const isShort = text.length * 2 <= maxWidth;
  const isRight =
    lines.length <= maxLines && (isShort || lines.every((line) => width(line) <= maxWidth));
  if (isRight || lines.some((line) => line.trim() === '') || mayBeDialogue(text)) return [];

  const joints = matches(text, lineBreak);
  const isJoinable = ({ from, to }: { from: number; to: number }) =>
    ![text[from - 1] ?? '', text[to] ?? ''].some((one) => unspaced.test(one)) &&
    !brokenWord.test(text.slice(0, from));
  if (!joints.every(isJoinable)) return [];
  const joined = text.replace(lineBreak, (found) => ' '.padEnd(found.length, '\n'));
  let best: { edit: Edit; score: number } | undefined;
  for (const { from, to } of matches(joined, possibleBreak)) {
    const [first, second] = [joined.slice(0, from), joined.slice(to)];
    // A dash at the start of a line would look like another speaker.
    if (mayBeDialogue(second.trimStart().slice(0, 1))) continue;
    const [above, below] = [width(first.replaceAll('\n', '')), width(second.replaceAll('\n', ''))];
    if (above === 0 || below === 0 || above > maxWidth || below > maxWidth) continue;
    // The end of a phrase is a better place, unless the lines get very uneven.
    const score = Math.abs(above - below) - (phraseEnd.test(first) ? maxWidth / 4 : 0);
    if (!best || score < best.score) best = { edit: { from, to, text: '\n' }, score };
  }
  if (!best) return [];
  const { edit } = best;
  const isOldBreak = ({ from }: { from: number }) => from === edit.from;
  const edits = joints.map((part) => ({ ...part, text: isOldBreak(part) ? '\n' : ' ' }));
  return joints.some(isOldBreak) ? edits : [...edits, edit].sort((a, b) => a.from - b.from);
}
