/** The encoding that a byte-order mark stands for. */
export function markedEncoding(bytes: Uint8Array) {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  if (start === 'fffe0000' || start === '0000feff') return 'utf-32';
  if (start.startsWith('fffe')) return 'utf-16le';
  if (start.startsWith('feff')) return 'utf-16be';
  return start.startsWith('efbbbf') ? 'utf-8' : undefined;
}
