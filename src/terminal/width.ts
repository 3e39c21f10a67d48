import { type Grapheme, graphemes, simpleWidth } from './grapheme.ts';

const plain = /^[\x20-\x7e]*$/;
const ellipsis = '…';
const breakingSpace = /^[ \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]$/;
/** Scripts that are written without spaces: a line may end after any of their characters. */
const ideograph =
  /^[\u2e80-\u2fff\u3001-\u30ff\u3100-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60\u{20000}-\u{3fffd}]/u;
const neverFirst =
  /^[、。，．・：；？！）］｝〉》」』】〕〗ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ…,.:;?!)\]}’”]/u;
const neverLast = /^[（［｛〈《「『【〔〖([{‘“]/u;
/** After these a word is best divided: most long words are addresses and file names. */
const joint = /^[/\\_,&?-]$/;

/** A piece of a line that is not divided unless it is longer than a whole line. */
interface Piece extends Grapheme {
  isSpace: boolean;
}

/** The columns that a line of text takes on a terminal. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (let at = 0; at < text.length; at += 1) {
    const columns = simpleWidth(text.charCodeAt(at));
    if (columns === 0) return sum(graphemes(text));
    width += columns;
  }
  return width;
}

/** The text, or as many whole characters of it as fit, with a mark that some are missing. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width < 1) return '';
  return `${head(text, width - 1).trimEnd()}${ellipsis}`;
}

/** The text with spaces to fill the width; text that is wider stays whole. */
export function pad(text: string, width: number, align: 'left' | 'right'): string {
  const fill = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'left' ? text + fill : fill + text;
}

/**
 * The text in lines of at most the width, broken at spaces, between ideographs, and inside a word
 * only where the word alone is too long. A character wider than the width gets a line of its own.
 */
export function wrap(text: string, width: number): string[] {
  if (displayWidth(text) <= width) return [text.trimEnd()];
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const endLine = () => {
    if (line.trimEnd() !== '') lines.push(line.trimEnd());
    line = '';
    used = 0;
  };
  for (const piece of pieces(text)) {
    const isFull = used + piece.width > width;
    if (isFull && line.trim() !== '') endLine();
    // Spaces at a break are dropped; those that open the text are kept.
    if (piece.isSpace && (isFull || (used === 0 && lines.length > 0))) continue;
    for (const part of piece.width <= width - used ? [piece] : fragments(piece, width)) {
      if (used + part.width > width) endLine();
      line += part.text;
      used += part.width;
    }
  }
  endLine();
  return lines.length === 0 ? [''] : lines;
}

/** The parts of a word that is too long for a line. */
function fragments(word: Grapheme, width: number): Grapheme[] {
  const parts: { text: string; width: number; whole: Grapheme[] }[] = [];
  let isOpen = false;
  for (const grapheme of graphemes(word.text)) {
    const part = parts.at(-1);
    const isJoint = joint.test(grapheme.text);
    if (part === undefined || (!isOpen && !isJoint)) {
      parts.push({ ...grapheme, whole: [grapheme] });
    } else {
      part.text += grapheme.text;
      part.width += grapheme.width;
      part.whole.push(grapheme);
    }
    isOpen = !isJoint;
  }
  return parts.flatMap((part) => (part.width <= width ? [part] : part.whole));
}

function head(text: string, width: number): string {
  if (plain.test(text)) return text.slice(0, width);
  let kept = '';
  let used = 0;
  for (const grapheme of graphemes(text)) {
    used += grapheme.width;
    if (used > width) break;
    kept += grapheme.text;
  }
  return kept;
}

function sum(all: readonly Grapheme[]): number {
  let width = 0;
  for (const grapheme of all) width += grapheme.width;
  return width;
}

function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let last: Grapheme | undefined;
  for (const grapheme of graphemes(text)) {
    const isSpace = breakingSpace.test(grapheme.text);
    const piece = found.at(-1);
    if (piece === undefined || last === undefined || mayBreak(last, grapheme, piece, isSpace)) {
      found.push({ ...grapheme, isSpace });
    } else {
      piece.text += grapheme.text;
      piece.width += grapheme.width;
    }
    last = grapheme;
  }
  return found;
}

function mayBreak(last: Grapheme, next: Grapheme, piece: Piece, isSpace: boolean): boolean {
  if (piece.isSpace !== isSpace) return true;
  if (isSpace || neverLast.test(last.text) || neverFirst.test(next.text)) return false;
  return ideograph.test(last.text) || ideograph.test(next.text);
}
