import { writeSync } from 'node:fs';

/**
 * Writes to an open file, all of it or with an error. A nearly full disk takes the part that fits and
 * fails only the next write, which Node's own stream for files never makes.
 */
export function writeAll(descriptor: number, content: string | Uint8Array): void {
  let rest = typeof content === 'string' ? Buffer.from(content) : content;
  while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
}
