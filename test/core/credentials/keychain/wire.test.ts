import { describe, expect, it } from 'vitest';
import {
  BodyReader,
  decodeMessage,
  encodeArray,
  encodeCall,
  encodeString,
  encodeStrings,
  messageSize,
} from '../../../../src/core/credentials/keychain/dbusMessage.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('D-Bus on the wire', () => {
  it('a call is these bytes', () => {
    const call = {
      destination: 'a.b',
      path: '/c',
      interface: 'd.e',
      member: 'Get',
      signature: 's',
      body: encodeString('hé'),
    };
    const expected = [
      'l\x01\0\x01\x08\0\0\0\x02\x01\0\0\x47\0\0\0',
      '\x01\x01o\0\x02\0\0\0/c\0\0\0\0\0\0',
      '\x02\x01s\0\x03\0\0\0d.e\0\0\0\0\0',
      '\x03\x01s\0\x03\0\0\0Get\0\0\0\0\0',
      '\x06\x01s\0\x03\0\0\0a.b\0\0\0\0\0',
      '\x08\x01g\0\x01s\0\0',
      '\x03\0\0\0h\xc3\xa9\0',
    ].join('');
    const message = encodeCall(call, 0x102);
    expect(message.toString('latin1')).toBe(expected);
    expect(messageSize(message)).toBe(message.length);
    expect(decodeMessage(message)).toMatchObject({ path: '/c', member: 'Get', signature: 's' });
  });

  it.each(['', 'a', 'ab', 'abc', 'abcd', 'é', '漢字', '👩‍🚀', 'a\r\n"\\\t', 'x'.repeat(70_000)])(
    'the string %j comes back as it was',
    (text) => {
      const reader = new BodyReader(bytes(encodeStrings(text, 'next', text)));
      expect([reader.string(), reader.string(), reader.string()]).toEqual([text, 'next', text]);
    },
  );

  it('an entry of a dictionary starts at a multiple of eight', () => {
    const text = encodeArray([encodeStrings('a', 'b'), encodeStrings('cd', '')], 8);
    expect(text).toBe(
      '\x1d\0\0\0\0\0\0\0\x01\0\0\0a\0\0\0\x01\0\0\0b\0\0\0\x02\0\0\0cd\0\0\0\0\0\0\0'.padEnd(
        37,
        '\0',
      ),
    );
  });

  it('an array of paths comes back, an empty one too', () => {
    const paths = ['/a', '/b/c', '/d/e/f'];
    expect(new BodyReader(bytes(encodeArray(paths.map(encodeString), 4))).strings()).toEqual(paths);
    expect(new BodyReader(bytes(encodeArray([], 4))).strings()).toEqual([]);
  });
});
