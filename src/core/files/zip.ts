import { closeSync, constants } from 'node:fs';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { MarError, usageError } from '../errors.ts';
import { openRegular } from './regularFile.ts';
import { readReason } from './systemReason.ts';

/** The files of an archive. They are read one at a time, into memory, and never written to disk. */
export async function openZip(file: string, maxBytes: number) {
  const entries = new Map<string, Entry>();
  const repeated = new Set<string>();
  await withZip(file, async (zip) => {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      if (entries.has(entry.fileName)) repeated.add(entry.fileName);
      entries.set(entry.fileName, entry);
    }
  });
  return {
    names: [...entries.keys()],
    /** The content of a file; of one that is too large, the first bytes and one more. */
    read: (name: string) =>
      withZip(file, async (zip) => {
        const entry = entries.get(name);
        if (!entry) throw usageError(`${file} has no file ${name}`);
        if (repeated.has(name)) throw usageError(`${name} is in ${file} twice`);
        if (entry.isEncrypted()) throw usageError(`${name} in ${file} is encrypted`);
        const parts: Buffer[] = [];
        let size = 0;
        for await (const part of await zip.openReadStreamPromise(entry)) {
          parts.push(part);
          size += part.length;
          if (size > maxBytes) break;
        }
        const content = Buffer.concat(parts);
        if (size <= maxBytes && crc32(content) !== entry.crc32) {
          throw usageError(`${name} in ${file} is damaged: its checksum is wrong`);
        }
        return content;
      }),
  };
}

/** Opens the archive for each use, so that nobody has to close it later. */
async function withZip<Result>(file: string, use: (zip: ZipFile) => Promise<Result>) {
  let descriptor: number | undefined;
  try {
    descriptor = openRegular(file, constants.O_RDONLY);
    return await use(await yauzl.fromFdPromise(descriptor, { autoClose: false }));
  } catch (error) {
    throw error instanceof MarError
      ? error
      : usageError(`cannot read ${file}: ${readReason(error)}`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
