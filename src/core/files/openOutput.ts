import { open, stat } from 'node:fs/promises';
import { resolveLinks } from './paths.ts';
import { type FileContent, type OpenFile, openReplacement, writeAndClose } from './replaceFile.ts';

/** Writes a file that the user named. */
export const writeOutputFile = async (file: string, content: FileContent): Promise<void> =>
  writeAndClose(await openOutputFile(file), content);

/** Opens a file that the user named. A link is followed; a device or a pipe is not replaced. */
export async function openOutputFile(file: string): Promise<OpenFile> {
  const target = resolveLinks(file);
  const existing = await stat(target).catch(() => undefined);
  if (!existing) return openReplacement(target, { mode: 0o666 });
  if (existing.isFile()) {
    return openReplacement(target, { mode: existing.mode & 0o777, ignoresUmask: true });
  }
  const handle = await open(target, 'w');
  const close = () => handle.close();
  return { handle, keep: close, discard: close };
}
