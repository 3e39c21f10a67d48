import { orUndefined, usageError } from '../errors.ts';

/** A name of `--encoding`, if there is such an encoding. */
export function knownEncoding(name: string): string {
  if (orUndefined(() => new TextDecoder(name))) return name;
  throw usageError(
    `unknown encoding "${name}"`,
    'Common encodings: utf-8, windows-1252, iso-8859-2, windows-1251, shift_jis, gb18030, big5, euc-kr.',
    { flag: '--encoding', value: name },
  );
}

/** The encoding that a byte-order mark stands for. */
export function markedEncoding(bytes: Uint8Array) {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  if (start === 'fffe0000' || start === '0000feff') return 'utf-32';
  if (start.startsWith('fffe')) return 'utf-16le';
  if (start.startsWith('feff')) return 'utf-16be';
  return start.startsWith('efbbbf') ? 'utf-8' : undefined;
}
