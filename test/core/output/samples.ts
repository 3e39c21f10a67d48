import stringWidth from 'string-width';
import { displayWidth } from '../../../src/core/values/width.ts';
import { randomNumbers } from '../../harness/random.ts';

/** Text as studios write it: the widths, joiners and directions that a layout has to get right. */
export const family = '👨‍👩‍👧‍👦';
export const texts = {
  latin: 'Spider: Across the Night — International Trailer 3',
  accents: 'Zoë Ångström, été à Łódź',
  combining: 'Ame\u0301lie a\u0300 la plage, n\u0303 o\u0308 u\u0332',
  chinese: '蜘蛛人：穿越黑夜 國際預告片第三支',
  japanese: '「千と千尋」の予告編、ｶﾞｷﾞ半角、か\u3099',
  korean: '한국어 예고편 제목입니다',
  jamo: '\u1112\u1161\u11ab\u1100\u1173\u11af',
  emoji: `${family} Family cut 🇫🇷🇯🇵 👍🏽 ❤️ 1️⃣ ☝🏿 🏳️‍🌈`,
  england: '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} final',
  arabic: 'عنكبوت: عبر الليل، الإعلان الثالث',
  hebrew: 'עכביש: מעבר ללילה',
  persian: 'می\u200cخواهم',
  hindi: 'स्पाइडर: रात के पार की कहानी',
  thai: 'แมงมุม: ข้ามค่ำคืน',
} as const;

/** Values that try to make a terminal do something. */
export const hostile = [
  '\x1b[2J\x1b[Hgone',
  '\x1b]0;title\x07',
  '\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\',
  '\x9b31mred\x9c',
  '\x90q\x9d0;x\x9c',
  'over\roverwritten\x08\x08\x08',
  'bell\x07 null\x00 del\x7f',
  'one\ntwo\r\nthree\tfour\vfive\fsix',
  '\u202egnp.exe\u202c',
  '\u2066\u2067\u2068x\u2069',
  'zero\u200bwidth\u2060join\ufeff',
  'line\u2028para\u2029nel\u0085',
  'tags\u{e0001}\u{e0068}\u{e0069}\u{e007f}',
  'lone \ud83d and \udc00',
  '\x1b',
  '\u00ad\u3164\uffa0\u115f\u180e\u206a\ufff9',
] as const;

export const widths = [40, 60, 80, 120, 200] as const;

export function randomTexts(count: number, maxLength: number): string[] {
  const alphabet = [...Object.values(texts), ...hostile].flatMap((text) => [...text]);
  const next = randomNumbers(42);
  return Array.from({ length: count }, () =>
    Array.from({ length: next(maxLength) }, () => alphabet[next(alphabet.length)]).join(''),
  );
}

/** Looks at bytes, as a terminal does: controls of C0 and C1, DEL, and what turns text around. */
export function liveControls(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  const found: string[] = [];
  for (const [index, byte] of bytes.entries()) {
    const next = bytes[index + 1] ?? 0;
    const third = bytes[index + 2] ?? 0;
    const isC0 = byte < 0x20 || byte === 0x7f;
    const isC1 = byte === 0xc2 && next >= 0x80 && next <= 0x9f;
    const isBidi =
      byte === 0xe2 &&
      ((next === 0x80 && third >= 0xa8 && third <= 0xae) ||
        (next === 0x81 && third >= 0xa6 && third <= 0xa9));
    if (isC0 || isC1 || isBidi) found.push(`${byte.toString(16)} at ${index}`);
  }
  return found;
}

/** The characters whose width `mar` and string-width disagree on. */
export function differentWidths(codes: Iterable<number>): string[] {
  const different: string[] = [];
  for (const code of codes) {
    const text = String.fromCodePoint(code);
    if (/\p{Cn}|\p{Cs}|\p{Cc}/u.test(text)) continue;
    if (displayWidth(text) !== stringWidth(text)) different.push(code.toString(16));
  }
  return different;
}
