import { accessSync, constants, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { systemCode, usageError } from '../../errors.ts';

/** A file on this machine that can be read. */
export interface LocalFile {
  path: string;
  stats: Stats;
}

export function openLocalFile(file: string): LocalFile {
  const stats = lookAt(file);
  if (stats.isDirectory()) throw usageError(`${file} is a folder`, 'give one file');
  if (!stats.isFile()) throw usageError(`${file} is not a regular file`);
  return { path: file, stats };
}

function lookAt(file: string): Stats {
  try {
    const stats = statSync(file);
    accessSync(file, constants.R_OK);
    return stats;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw unreadable(file, error);
    throw usageError(
      `there is no file ${file}`,
      'for a file that is elsewhere, give its name: --set name=NAME',
    );
  }
}

export const unreadable = (file: string, error: unknown) =>
  usageError(`cannot read ${file}: ${(error as Error).message}`);

/**
 * macOS writes é as e and an accent. People and other systems do not, and would not find the file
 * by its name: it is sent composed (NFC).
 */
export const nameOf = ({ path: file }: LocalFile) => path.basename(file).normalize('NFC');
