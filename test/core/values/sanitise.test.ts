import { describe, expect, it } from 'vitest';
import { sanitise, sanitiseLines } from '../../../src/core/values/sanitise.ts';
import { hostile, liveControls, randomTexts, texts } from '../output/samples.ts';

describe('sanitise', () => {
  it.each(hostile)('leaves nothing that a terminal would obey in %j', (text) => {
    expect(liveControls(sanitise(text))).toEqual([]);
    for (const line of sanitiseLines(text)) expect(liveControls(line)).toEqual([]);
  });

  it('leaves nothing live of any single code point', () => {
    const live: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const shown = sanitise(String.fromCodePoint(code));
      if (code < 0x3000 || (code >= 0xd800 && code < 0xe000)) live.push(...liveControls(shown));
      if (!shown.isWellFormed()) live.push(code.toString(16));
    }
    expect(live).toEqual([]);
  });

  it('leaves nothing live in any mixture', () => {
    for (const text of randomTexts(2000, 40)) {
      const shown = sanitise(text);
      expect(liveControls(shown)).toEqual([]);
      expect(sanitise(shown)).toBe(shown);
    }
  });

  it.each(Object.entries(texts))('keeps %s text as it is', (_, text) => {
    expect(sanitise(text)).toBe(text);
  });

  it('keeps direction marks and the Arabic letter mark', () => {
    expect(sanitise('a\u200eb\u200fc\u061cd')).toBe('a\u200eb\u200fc\u061cd');
  });

  it('makes one space of a run of tabs and line breaks', () => {
    expect(sanitise('one\r\n\t\n two\tthree\vfour\ffive')).toBe('one  two three four five');
  });

  it('shows controls as their pictures', () => {
    expect(sanitise('\x1b[31m\x00\x07\x7f')).toBe('␛[31m␀␇␡');
  });

  it('shows C1 controls and hidden characters by their numbers', () => {
    expect(sanitise('\x9b1m\x85')).toBe('\\x9b1m\\x85');
    expect(sanitise('\u202efdp\u202c')).toBe('\\u{202e}fdp\\u{202c}');
    expect(sanitise('\ufeffa\u200bb\u2028')).toBe('\\u{feff}a\\u{200b}b\\u{2028}');
  });

  it('puts the replacement character for half a surrogate pair', () => {
    expect(sanitise('a\ud83db\udc00')).toBe('a\ufffdb\ufffd');
  });

  it('keeps tags in the flag of England and shows them anywhere else', () => {
    expect(sanitise(texts.england)).toBe(texts.england);
    expect(sanitise('hi\u{e0068}\u{e0069}')).toBe('hi\\u{e0068}\\u{e0069}');
    expect(sanitise('🏴\u{e0067}\u{e0062}')).toBe('🏴\\u{e0067}\\u{e0062}');
  });

  it('keeps one variation selector and shows those that hide data behind it', () => {
    expect(sanitise('❤\ufe0f')).toBe('❤\ufe0f');
    expect(sanitise('❤\ufe0f\ufe01\u{e0100}\u{e0101}')).toBe(
      '❤\ufe0f\\u{fe01}\\u{e0100}\\u{e0101}',
    );
  });

  it('takes time in proportion to the text', () => {
    // With its square, this would not end in the time that a test has.
    expect(sanitise('\u202e'.repeat(200_000))).toHaveLength(8 * 200_000);
    expect(sanitise('\ufe0f'.repeat(200_000))).toHaveLength(1 + 8 * 199_999);
    expect(sanitise(`🏴${'\u{e0067}'.repeat(200_000)}`)).toHaveLength(2 + 9 * 200_000);
  });
});

describe('sanitiseLines', () => {
  it('divides at each kind of line break and nowhere else', () => {
    expect(sanitiseLines('a\nb\r\nc\rd\te\u2028f')).toEqual(['a', 'b', 'c', 'd e\\u{2028}f']);
  });
});
