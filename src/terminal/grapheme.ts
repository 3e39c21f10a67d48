/*
 * How wide a character is on a terminal, for characters as readers count them. The same answers as
 * the package string-width (the tests compare the two), which costs 17 ms to import for its
 * segmenter and 20 ms more at its first emoji pattern; here most text needs neither.
 */

/** What a reader calls one character, and the columns it takes. */
export interface Grapheme {
  text: string;
  width: number;
}

const visible = /[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Cs}]/u;
const spacingMark = /[\p{Mc}\uff00-\uffef]/u;
const hangulJamo = /^[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/;
const hangulSyllable =
  /[\u1100-\u115f\ua960-\ua97c][\u1160-\u11a7\ud7b0-\ud7c6][\u11a8-\u11ff\ud7cb-\ud7fb]?/g;
const regionalIndicator = /^[\u{1f1e6}-\u{1f1ff}]/u;
const flag = /^[\u{1f1e6}-\u{1f1ff}]{2}/u;
const keycap = /^[\d#*]\ufe0f?\u20e3/;
/** An emoji drawn in colour because a selector or a skin tone says so. */
const emojiByMark =
  /^(?![\d#*\u{1f1e6}-\u{1f1ff}])(?:\p{Emoji}\ufe0f|\p{Emoji_Modifier_Base}\p{Emoji_Modifier})/u;
const pictographs = /\p{Extended_Pictographic}/gu;
const wide =
  /^[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

/** No real sequence is longer; text that only looks like one can be of any length. */
const longestEmoji = 50;

const segmentWindow = 1000;

let segmenter: Intl.Segmenter | undefined;

export function graphemes(text: string): Grapheme[] {
  return simpleGraphemes(text) ?? segmented(text);
}

/**
 * The columns of a UTF-16 unit that is a whole character by itself whatever stands beside it, if
 * that one is simple too: Latin, Greek, Cyrillic, the usual punctuation, kana, Han and Hangul
 * syllables. 0 for all else.
 */
export function simpleWidth(code: number): 0 | 1 | 2 {
  if (code < 0x300) return (code >= 0x20 && code < 0x7f) || (code > 0x9f && code !== 0xad) ? 1 : 0;
  if (code < 0x2010) return code >= 0x400 && code < 0x482 ? 1 : isGreek(code) ? 1 : 0;
  if (code < 0x2028) return 1;
  if (code < 0x3000) return isSymbol(code) ? 1 : 0;
  const isWide =
    code < 0x302a ||
    (code >= 0x3041 && code < 0x3097) ||
    (code > 0x309a && code < 0x3100) ||
    (code >= 0x3400 && code < 0xa000) ||
    (code >= 0xac00 && code < 0xd7a4) ||
    (code > 0xff00 && code < 0xff61);
  // The hexagrams between the two blocks of Han are not letters; they go the long way.
  return isWide && !(code >= 0x4dc0 && code < 0x4e00) ? 2 : 0;
}

function isGreek(code: number): boolean {
  return (code >= 0x384 && code < 0x38b) || (code >= 0x3a3 && code < 0x400);
}

function isSymbol(code: number): boolean {
  // Prime to the reference mark, the currency signs, control pictures and box drawing.
  return (
    (code >= 0x2030 && code < 0x203c) ||
    (code >= 0x20a0 && code < 0x20c0) ||
    (code >= 0x2190 && code < 0x219a) ||
    (code >= 0x2400 && code < 0x2427) ||
    (code >= 0x2500 && code < 0x2580)
  );
}

function simpleGraphemes(text: string): Grapheme[] | undefined {
  const found: Grapheme[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const width = simpleWidth(text.charCodeAt(at));
    if (width === 0) return undefined;
    found.push({ text: text[at] as string, width });
  }
  return found;
}

/** Window by window: over a long text at once, the segmenter's time grows with its square. */
function segmented(text: string): Grapheme[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const found: Grapheme[] = [];
  let start = 0;
  while (start < text.length) {
    const isPairCut = /[\ud800-\udbff]/.test(text[start + segmentWindow - 1] ?? '');
    const end = start + segmentWindow - (isPairCut ? 1 : 0);
    const clusters = Array.from(
      segmenter.segment(text.slice(start, end)),
      ({ segment }) => segment,
    );
    // The last may go on behind the window.
    if (end < text.length && clusters.length > 1) clusters.pop();
    for (const cluster of clusters) {
      found.push({ text: cluster, width: clusterWidth(cluster) });
      start += cluster.length;
    }
  }
  return found;
}

function clusterWidth(cluster: string): number {
  const start = cluster.search(visible);
  if (start < 0) return 0;
  if (isEmojiSequence(cluster)) return 2;
  const shown = cluster.slice(start);
  if (hangulJamo.test(shown)) return jamoWidth(shown);
  let width = 0;
  for (const character of shown) {
    if (width === 0) width = characterWidth(character);
    else if (spacingMark.test(character)) width += characterWidth(character);
  }
  return width;
}

function isEmojiSequence(cluster: string): boolean {
  if (cluster.length > longestEmoji) return false;
  if (flag.test(cluster) || keycap.test(cluster) || emojiByMark.test(cluster)) return true;
  return cluster.includes('\u200d') && (cluster.match(pictographs)?.length ?? 0) > 1;
}

/** A leading and a vowel jamo, with or without a trailing one, are drawn as one syllable. */
function jamoWidth(cluster: string): number {
  const rest = cluster.replace(hangulSyllable, '\uac00');
  let width = 0;
  for (const character of rest) if (visible.test(character)) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): 1 | 2 {
  return wide.test(character) && !regionalIndicator.test(character) ? 2 : 1;
}
