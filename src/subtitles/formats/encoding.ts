import { usageError } from '../../errors.ts';

/** A byte-order mark wins over the encoding that the user named. */
export function decode(bytes: Uint8Array, name: string, encoding: string | undefined): string {
  if (hasUtf32Mark(bytes)) {
    throw usageError(`${name} is in UTF-32, which mar does not read`, 'Save it as UTF-8.');
  }
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(markedEncoding(bytes) ?? (encoding || 'utf-8'), { fatal: true });
  } catch {
    throw usageError(
      `unknown encoding "${encoding}"`,
      'Common encodings: utf-8, windows-1252, iso-8859-2, windows-1251, shift_jis, gb18030, big5, euc-kr.',
    );
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw usageError(
      `${name} is not valid ${decoder.encoding.toUpperCase()}`,
      'Name its encoding with --encoding (for example windows-1252), or save it as UTF-8.',
    );
  }
}

const hasUtf32Mark = (bytes: Uint8Array) =>
  /^(?:fffe0000|0000feff)/.test(Buffer.from(bytes.subarray(0, 4)).toString('hex'));

function markedEncoding([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** The bytes of a text in the encoding of an earlier file. Only UTF-8 and UTF-16 can be written. */
export function encodedLike(bytes: Uint8Array, text: string, encoding = 'utf-8') {
  const marked = markedEncoding(bytes);
  if (marked !== undefined) {
    const content = Buffer.from(`\ufeff${text}`, 'utf16le');
    return { content: marked === 'utf-16le' ? content : content.swap16(), isOther: false };
  }
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb;
  return {
    content: hasMark ? `\ufeff${text}` : text,
    isOther: !hasMark && !/^utf-?8$/i.test(encoding),
  };
}

/** The first characters, one for each byte, without byte-order mark and zero bytes. */
export const firstCharacters = (bytes: Uint8Array) =>
  Buffer.from(bytes.subarray(0, 1024))
    .toString('latin1')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '');
