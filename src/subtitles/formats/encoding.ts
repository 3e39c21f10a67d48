import { orUndefined, usageError } from '../../errors.ts';
import { markedEncoding } from '../../values/byteOrderMark.ts';

export type DecodedText = ReturnType<typeof decode>;

/** A byte-order mark wins over the encoding that the user named. */
export function decode(bytes: Uint8Array, name: string, encoding: string | undefined) {
  const marked = markedEncoding(bytes);
  if (marked === 'utf-32') {
    throw usageError(`${name} is in UTF-32, which mar does not read`, 'Save it as UTF-8.');
  }
  const decoder = orUndefined(
    () => new TextDecoder(marked ?? (encoding || 'utf-8'), { fatal: true }),
  );
  if (!decoder) {
    throw usageError(
      `unknown encoding "${encoding}"`,
      'Common encodings: utf-8, windows-1252, iso-8859-2, windows-1251, shift_jis, gb18030, big5, euc-kr.',
      { flag: '--encoding', value: encoding },
    );
  }
  const text = orUndefined(() => decoder.decode(bytes));
  if (text !== undefined)
    return { text, encoding: decoder.encoding, hasMark: marked !== undefined };
  throw usageError(
    `${name} is not valid ${decoder.encoding.toUpperCase()}`,
    'Name its encoding with --encoding (for example windows-1252), or save it as UTF-8.',
  );
}

/** The bytes of a text in the encoding of an earlier one; undefined unless that is UTF-8 or UTF-16. */
export function encodedLike({ encoding, hasMark }: DecodedText, text: string) {
  const marked = hasMark ? `\ufeff${text}` : text;
  if (encoding === 'utf-8') return marked;
  if (!encoding.startsWith('utf-16')) return undefined;
  const bytes = Buffer.from(marked, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

/** The first characters, one for each byte, without byte-order mark and zero bytes. */
export const firstCharacters = (bytes: Uint8Array) =>
  Buffer.from(bytes.subarray(0, 1024))
    .toString('latin1')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '');
