import { constants, fstatSync } from 'node:fs';
import { withRegularFile } from './readRegularFile.ts';
import { writeAll } from './writeAll.ts';

/**
 * Adds text to the end of a file for its owner alone, and returns the new size. A link in its place
 * is not followed.
 */
export function appendToFile(file: string, text: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
  return withRegularFile(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, (descriptor) => {
    writeAll(descriptor, text);
    return fstatSync(descriptor).size;
  });
}
