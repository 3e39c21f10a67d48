/*
 * Makes text from the service safe to print. Characters that a terminal would obey, that hide text or
 * that reorder it are made visible. Characters that real text needs (joiners, variation selectors,
 * direction marks, combining marks) stay.
 */

import { unicodeEscape } from '../json/text.ts';

const plain = /^[\x20-\x7e]*$/;
const plainJson = /^[\n\x20-\x7e]*$/;

/*
 * Most text is ASCII and needs none of the patterns below. V8 takes milliseconds to build one with
 * Unicode properties, so each is built when it is needed.
 */

/**
 * Characters that may have to be replaced. The first alternative is the only use of tag characters in
 * real text: the flags of England, Scotland and Wales.
 */
const suspect = () =>
  /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}|[\t\n\v\f\r]+|[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb\ufffe\uffff]/gu;
/** More marks on one letter than any script has. Terminals draw them over the lines around it. */
const markFlood = () => /([\p{M}\u200c\u200d]{8})[\p{M}\u200c\u200d]+/gu;
const selector = () => /^[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
/** Joiners, direction marks and the start of a flag. */
const needed = () => /^[\u034f\u061c\u200c-\u200f\u{1f3f4}]/u;

export function sanitise(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(suspect(), replacement).replace(markFlood(), '$1…');
}

export const sanitiseLines = (text: string): string[] => text.split(/\r\n|\n|\r/).map(sanitise);

/** JSON for a terminal: what cannot be seen is escaped, which does not change the value. */
export function visibleJson(json: string, escaped = jsonEscapes): string {
  if (plainJson.test(json)) return json;
  return json
    .replace(suspect(), (match) => (match === '\n' ? match : escaped(match)))
    .replace(markFlood(), (run, kept: string) => kept + escaped(run.slice(kept.length)));
}

const jsonEscapes = (text: string): string => text.split('').map(unicodeEscape).join('');

/** One selector picks a glyph. Several in a row pick nothing, and can hide data in text. */
const isSingleSelector = (match: string, before: string) =>
  selector().test(match) && !selector().test(before);

function characterBefore(text: string, offset: number): string {
  const start = /[\udc00-\udfff]/.test(text[offset - 1] ?? '') ? offset - 2 : offset - 1;
  return text.slice(Math.max(start, 0), offset);
}

function replacement(match: string, offset: number, text: string): string {
  const code = match.codePointAt(0) ?? 0;
  if (code >= 0x09 && code <= 0x0d) return ' ';
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  if (code < 0xa0) return `\\x${code.toString(16)}`;
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  const isKept = needed().test(match) || isSingleSelector(match, characterBefore(text, offset));
  return isKept ? match : `\\u{${code.toString(16)}}`;
}
