import { isUtf8 as nodeIsUtf8 } from 'node:buffer';
import { onCommandLine, orUndefined, usageError } from '../../../core/errors.ts';
import { knownEncoding, markedEncoding } from '../../../core/values/encoding.ts';

export type DecodedText = ReturnType<typeof decode>;

const decoderFor = (label: string | undefined) =>
  label === undefined ? undefined : orUndefined(() => new TextDecoder(label, { fatal: true }));

/** Decodes by what the file itself says; the encoding that the user named is for files that say nothing. */
export function decode(bytes: Uint8Array, name: string, named?: string, declared?: string) {
  const marked = markedEncoding(bytes);
  if (marked === 'utf-32') {
    throw usageError(`${name} is in UTF-32, which mar does not read`, 'Save it as UTF-8.');
  }
  if (named) knownEncoding(named);
  const own = marked ?? (isUtf8(bytes) ? 'utf-8' : decoderFor(declared)?.encoding);
  const decoder = decoderFor(own ?? (named || 'utf-8')) ?? new TextDecoder();
  // Without `stream`, Node 20 takes Windows-1252 for Latin-1.
  const text = orUndefined(() => decoder.decode(bytes, { stream: true }) + decoder.decode());
  if (text !== undefined) {
    const isNamed = own === undefined && Boolean(named);
    return { bytes, text, encoding: decoder.encoding, hasMark: marked !== undefined, isNamed };
  }
  throw usageError(`${name} is not valid ${decoder.encoding.toUpperCase()}`, [
    'Save it as UTF-8.',
    onCommandLine('Or name its encoding, such as --encoding windows-1252.'),
  ]);
}

/** Zero bytes are of UTF-16, escape characters of ISO-2022-JP, which both are valid UTF-8, too. */
const isUtf8 = (bytes: Uint8Array) =>
  !bytes.includes(0) && !bytes.includes(0x1b) && nodeIsUtf8(bytes);

/** A text in the encoding of the file it was read from, if that is UTF-8 or UTF-16; else in UTF-8. */
export function encodedLike({ encoding, hasMark }: DecodedText, text: string) {
  const marked = hasMark ? `\ufeff${text}` : text;
  if (!encoding.startsWith('utf-16')) return marked;
  const bytes = Buffer.from(marked, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

/** The first characters, one for each byte, without byte-order mark and zero bytes. */
export const firstCharacters = (bytes: Uint8Array) =>
  Buffer.from(bytes.subarray(0, 1024))
    .toString('latin1')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\u0000', '');
