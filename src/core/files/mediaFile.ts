import { closeSync, openSync, readSync } from 'node:fs';

/** The parts ("boxes") of a QuickTime or MP4 file. */
const boxes = 'ftyp moov mdat wide free skip pnot uuid moof mfra sidx meta'.split(' ');

/**
 * Whether a QuickTime or MP4 file ends before its last part does, like a copy that was interrupted. Only
 * the lengths of its parts are read. Other files count as whole.
 */
export function isCutOff(file: string, size: number): boolean {
  const head = Buffer.alloc(16);
  const opened = openSync(file, 'r');
  try {
    for (let at = 0; at < size; ) {
      const read = readSync(opened, head, 0, head.length, at);
      const type = head.toString('latin1', 4, 8);
      const short = head.readUInt32BE(0);
      const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
      // The last one may reach to the end of the file, and what follows it may be no box.
      if (read < 8 || length < 8 || !boxes.includes(type)) return false;
      at += length;
      if (at > size) return true;
    }
    return false;
  } finally {
    closeSync(opened);
  }
}
