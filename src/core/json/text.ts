/*
 * Works on the text of JSON, token by token: nothing is parsed, so nothing can change. The text must
 * be valid.
 */

// Character codes, because comparing characters takes three times as long in long lists.
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** The index after the closing quote of the string that starts at `start`, or the end of the text. */
export function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end + 1;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

export const isBlank = (code: number) =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

export function compact(text: string): string {
  let out = '';
  let kept = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = stringEnd(text, at) - 1;
    } else if (isBlank(code)) {
      out += text.slice(kept, at);
      kept = at + 1;
    }
  }
  // These would control a terminal. In a JSON string, their escapes mean the same.
  const controls = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
  return (kept === 0 ? text : out + text.slice(kept)).replace(controls, unicodeEscape);
}

export function pretty(text: string): string {
  const line = compact(text);
  let out = '';
  let indent = '\n';
  let at = 0;
  while (at < line.length) {
    const pair = line.slice(at, at + 2);
    const end = pair.startsWith('"') ? stringEnd(line, at) : at + 1;
    const token = pair === '{}' || pair === '[]' ? pair : line.slice(at, end);
    if (token === '{' || token === '[') {
      indent += '  ';
      out += token + indent;
    } else if (token === '}' || token === ']') {
      indent = indent.slice(0, -2);
      out += indent + token;
    } else {
      out += token === ',' ? token + indent : token === ':' ? ': ' : token;
    }
    at += token.length;
  }
  return out;
}

export const splitArray = (text: string): string[] => split(text, text.indexOf('['));

/** The texts of an object's fields. Of duplicate names the last counts. */
export function splitObject(text: string): Map<string, string> {
  const start = text.search(/[^ \t\n\r]/);
  if (text[start] !== '{') return new Map();
  return new Map(
    split(text, start).map((member) => {
      const nameStart = member.indexOf('"');
      const nameEnd = stringEnd(member, nameStart);
      const name: string = JSON.parse(member.slice(nameStart, nameEnd));
      return [name, member.slice(member.indexOf(':', nameEnd) + 1).trim()];
    }),
  );
}

/** The texts between the commas of the array or object that opens at an index. */
function split(text: string, open: number): string[] {
  const elements: string[] = [];
  for (let start = open + 1; ; ) {
    const end = elementEnd(text, start);
    const element = text.slice(start, end);
    const isLast = text.charCodeAt(end) !== comma;
    if (!isLast || element.trim() !== '') elements.push(element);
    if (isLast) return elements;
    start = end + 1;
  }
}

/** The index of the comma or bracket after the element that starts at `start`, or the end of the text. */
export function elementEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = stringEnd(text, at) - 1;
    else if (code === openBrace || code === openBracket) depth += 1;
    else if (code === comma && depth === 0) return at;
    else if (code === closeBrace || code === closeBracket) {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return text.length;
}

export const unicodeEscape = (unit: string): string =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
