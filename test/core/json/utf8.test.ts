import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '../../../src/core/json/parse.ts';

describe('strict UTF-8', () => {
  it('keeps every character, and drops a byte-order mark', () => {
    expect(decodeUtf8(Buffer.from('\ufeffé漢👩‍🚀\0'))).toBe('é漢👩‍🚀\0');
  });

  it.each([
    ['a byte of another encoding', [0x61, 0xe9]],
    ['a character that is cut off', [0x61, 0xe6, 0xbc]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
    ['an overlong character', [0xc0, 0x80]],
  ])('rejects %s, and decodes the next input as if nothing had happened', (_name, bytes) => {
    expect(() => decodeUtf8(Uint8Array.from(bytes))).toThrow(TypeError);
    expect(decodeUtf8(Buffer.from('漢'))).toBe('漢');
  });
});
