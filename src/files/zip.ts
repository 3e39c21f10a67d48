import yauzl, { type Entry } from 'yauzl';
import { MarError, usageError } from '../errors.ts';
import { openRegularFile } from './regularFile.ts';

/** More is no delivery, and would take minutes. */
const maxEntries = 10_000;

/** Opens an archive. Its files are read one at a time, into memory, and never written to disk. */
export async function openZip(file: string, maxBytes: number) {
  const handle = await openRegularFile(file);
  const unreadable = (error: unknown) =>
    error instanceof MarError
      ? error
      : usageError(`cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  try {
    const zip = await yauzl.fromFdPromise(handle.fd, { autoClose: false });
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      if (entries.size >= maxEntries) {
        throw usageError(`${file} has more than ${maxEntries} files`);
      }
      if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry);
    }
    return {
      names: [...entries.keys()],
      /** The content of a file; of one that is too large, the first bytes and one more. */
      async read(name: string): Promise<Buffer> {
        const entry = entries.get(name);
        if (!entry) throw usageError(`${file} has no file ${name}`);
        if (entry.isEncrypted()) throw usageError(`${name} in ${file} is encrypted`);
        const parts: Buffer[] = [];
        let size = 0;
        try {
          for await (const part of await zip.openReadStreamPromise(entry)) {
            parts.push(part);
            size += part.length;
            if (size > maxBytes) break;
          }
        } catch (error) {
          throw unreadable(error);
        }
        return Buffer.concat(parts);
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw unreadable(error);
  }
}
