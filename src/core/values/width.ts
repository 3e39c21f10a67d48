const plain = /^[\x20-\x7e]*$/;
/**
 * UTF-16 units that are whole characters beside each other: Latin, Greek, Cyrillic, punctuation,
 * currency signs, arrows, control pictures, box drawing, kana, Han and Hangul syllables.
 */
const simple =
  /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u0384-\u038a\u03a3-\u0481\u2010-\u2027\u2030-\u203b\u20a0-\u20bf\u2190-\u2199\u2400-\u2426\u2500-\u257f\u3000-\u3029\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/;
const simpleWide = /[\u3000-\uffff]/g;
const spaces = /^[ \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]+$/;
/** Scripts without spaces: a line may end after each of their characters. */
const ideograph =
  /^[\u2e80-\u2fff\u3001-\u30ff\u3100-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60\u{20000}-\u{3fffd}]/u;
const neverFirst =
  /^[、。，．・：；？！）］｝〉》」』】〕〗ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ…,.:;?!)\]}’”]/u;
const neverLast = /^[（［｛〈《「『【〔〖([{‘“]/u;
/** Long words are mostly URLs and file names, which are best divided after these. */
const joint = /^[/\\_,&?-]$/;

/** Whether each UTF-16 unit is a character that takes one or two columns. */
export const isSimple = (text: string): boolean => simple.test(text);

export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  if (isSimple(text)) return text.length + (text.match(simpleWide)?.length ?? 0);
  return joined(graphemes(text)).width;
}

export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  return width < 1 ? '' : `${head(text, width - 1).trimEnd()}…`;
}

/** Cuts a text before its end, which stays: `The Harb…Trailer A`. */
export function truncateMiddle(text: string, width: number, endWidth: number): string {
  if (endWidth < 1 || displayWidth(text) <= width) return truncate(text, width);
  let end = '';
  for (const grapheme of graphemes(text).reverse()) {
    if (displayWidth(grapheme.text + end) > endWidth) break;
    end = grapheme.text + end;
  }
  return `${head(text, width - 1 - displayWidth(end)).trimEnd()}…${end.trimStart()}`;
}

function head(text: string, width: number): string {
  if (plain.test(text)) return text.slice(0, width);
  let kept = '';
  let used = 0;
  for (const grapheme of segmented(text)) {
    used += grapheme.width;
    if (used > width) break;
    kept += grapheme.text;
  }
  return kept;
}

/**
 * Breaks a text into lines at spaces, between ideographs, and inside a word only if the word alone is
 * too long. A character that is wider than the width gets a line of its own.
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
  for (const characters of groups(graphemes(text), mayBreak)) {
    const piece = joined(characters);
    const isFull = used + piece.width > width;
    if (isFull && line.trim() !== '') endLine();
    // Spaces at a break are dropped; those at the start of the text are kept.
    if (spaces.test(piece.text) && (isFull || (used === 0 && lines.length > 0))) continue;
    for (const part of piece.width <= width - used ? [piece] : fragments(characters, width)) {
      if (used + part.width > width) endLine();
      line += part.text;
      used += part.width;
    }
  }
  endLine();
  return lines.length === 0 ? [''] : lines;
}

/** Breaks a text at spaces only: URLs and paths stay whole. Further lines start with the indent. */
export const wrapWords = (text: string, width: number, indent = ''): string[] =>
  filledLines(text.match(/ *[^ ]+/g) ?? [''], width, indent);

export interface Screen {
  isTerminal: boolean;
  columns: number;
}

const shellWord = / *(?:'[^']*'|"[^"]*"|[^ '"])+/g;

/** Breaks a command line between its arguments with backslashes, so that it can still be pasted. */
export function wrapCommand(line: string, screen: Screen, platform: NodeJS.Platform): string[] {
  // The shells of Windows have no such character in common.
  const mayBreak = screen.isTerminal && platform !== 'win32';
  if (!mayBreak || displayWidth(line) <= screen.columns) return [line];
  const indent = `${/^ */.exec(line)?.[0]}  `;
  const width = screen.columns - 2;
  // A flag and its value stay together if they fit on one line.
  const words = line.match(/(?: +--?[\w-]+(?= [^-|<>]))? *(?:'[^']*'|"[^"]*"|[^ '"])+/g) ?? [];
  const isTooLong = (word: string) => displayWidth(indent + word.trimStart()) > width;
  const parts = words.flatMap((word) => (isTooLong(word) ? (word.match(shellWord) ?? []) : word));
  const lines = filledLines(parts, width, indent);
  return lines.map((part, index) => (index < lines.length - 1 ? `${part} \\` : part));
}

/** Fits a message to a terminal. A command behind it then gets lines of its own. */
export function wrapMessage(
  text: string,
  screen: Screen,
  { indent, platform }: { indent: string; platform: NodeJS.Platform },
  command?: string,
): string[] {
  const { isTerminal, columns } = screen;
  const whole = command === undefined ? text : `${text} ${command}`;
  if (!isTerminal || displayWidth(whole) <= columns) return [whole];
  const lines = wrapWords(text, columns, indent);
  if (command === undefined) return lines;
  return [...lines, ...wrapCommand(`${indent}  ${command}`, screen, platform)];
}

function filledLines(words: readonly string[], width: number, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line.trim() !== '' && displayWidth(line + word) > width) {
      lines.push(line);
      line = indent + word.trimStart();
    } else line += word;
  }
  return [...lines, line];
}

function mayBreak(last: string, next: string): boolean {
  const isSpace = spaces.test(next);
  if (spaces.test(last) !== isSpace) return true;
  if (isSpace || neverLast.test(last) || neverFirst.test(next)) return false;
  return ideograph.test(last) || ideograph.test(next);
}

function fragments(word: readonly Grapheme[], width: number): Grapheme[] {
  const parts = groups(word, (last, next) => joint.test(last) && !joint.test(next));
  return parts.flatMap((part) => (joined(part).width <= width ? [joined(part)] : part));
}

function groups(
  all: readonly Grapheme[],
  isBreak: (last: string, next: string) => boolean,
): Grapheme[][] {
  const found: Grapheme[][] = [];
  for (const [index, next] of all.entries()) {
    const last = all[index - 1];
    if (last === undefined || isBreak(last.text, next.text)) found.push([next]);
    else found.at(-1)?.push(next);
  }
  return found;
}

const joined = (all: readonly Grapheme[]): Grapheme => ({
  text: all.map(({ text }) => text).join(''),
  width: all.reduce((sum, { width }) => sum + width, 0),
});

/*
 * The width of characters on a terminal. Equal to the package string-width (the tests compare the
 * two), which takes 17 ms to import for its segmenter and 20 ms more for its first emoji pattern.
 * Here most text needs neither.
 */
interface Grapheme {
  text: string;
  width: number;
}

const visible = () => /[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Cs}]/u;
const spacingMark = () => /[\p{Mc}\uff00-\uffef]/u;
const hangulJamo = /^[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/;
const hangulSyllable =
  /[\u1100-\u115f\ua960-\ua97c][\u1160-\u11a7\ud7b0-\ud7c6][\u11a8-\u11ff\ud7cb-\ud7fb]?/g;
const regionalIndicator = /^[\u{1f1e6}-\u{1f1ff}]/u;
const flag = /^[\u{1f1e6}-\u{1f1ff}]{2}/u;
const keycap = /^[\d#*]\ufe0f?\u20e3/;
const emojiByMark = () =>
  /^(?![\d#*\u{1f1e6}-\u{1f1ff}])(?:\p{Emoji}\ufe0f|\p{Emoji_Modifier_Base}\p{Emoji_Modifier})/u;
const pictographs = () => /\p{Extended_Pictographic}/gu;
const wide = () =>
  /^[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

const maxEmojiLength = 50;
const segmentWindow = 1000;
let segmenter: Intl.Segmenter | undefined;

export const graphemes = (text: string): Grapheme[] => [...segmented(text)];

/** Works window by window, since the segmenter's time grows with the square of the length. */
function* segmented(text: string): Generator<Grapheme> {
  let start = 0;
  while (start < text.length) {
    segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
    const isPairCut = /[\ud800-\udbff]/.test(text[start + segmentWindow - 1] ?? '');
    const end = start + segmentWindow - (isPairCut ? 1 : 0);
    const clusters = Array.from(segmenter.segment(text.slice(start, end)), (one) => one.segment);
    // The last cluster may continue behind the window.
    if (end < text.length && clusters.length > 1) clusters.pop();
    for (const cluster of clusters) {
      yield { text: cluster, width: clusterWidth(cluster) };
      start += cluster.length;
    }
  }
}

function clusterWidth(cluster: string): number {
  const start = cluster.search(visible());
  if (start < 0) return 0;
  if (isEmojiSequence(cluster)) return 2;
  const shown = cluster.slice(start);
  const isJamo = hangulJamo.test(shown);
  const counted = isJamo ? visible() : spacingMark();
  let width = 0;
  // A leading and a vowel jamo, and a trailing one if present, are drawn as one syllable.
  for (const character of isJamo ? shown.replace(hangulSyllable, '\uac00') : shown) {
    if (width > 0 && !counted.test(character)) continue;
    width += wide().test(character) && !regionalIndicator.test(character) ? 2 : 1;
  }
  return width;
}

function isEmojiSequence(cluster: string): boolean {
  if (cluster.length > maxEmojiLength) return false;
  if (flag.test(cluster) || keycap.test(cluster) || emojiByMark().test(cluster)) return true;
  return cluster.includes('\u200d') && (cluster.match(pictographs())?.length ?? 0) > 1;
}
