import { open, stat } from 'node:fs/promises';
import { resolveLinks } from './paths.ts';
import { type FileContent, type OpenFile, openReplacement, writeAndClose } from './replaceFile.ts';

/** Writes a file that the user named. */
export const writeOutputFile = async (file: string, content: FileContent): Promise<void> =>
  writeAndClose(await openOutputFile(file), content);

/** `/dev/stdout` and what the shell opened for `>(command)` are written as they are, even if it is a file. */
export const isOpenInShell = (file: string) =>
  /^\/(?:dev\/(?:std(?:out|err)$|fd\/)|proc\/self\/fd\/)/.test(file);

/** Opens a file that the user named. A link is followed; a device or a pipe is not replaced. */
export async function openOutputFile(file: string): Promise<OpenFile> {
  const existing = await stat(file).catch(() => undefined);
  if (existing && (!existing.isFile() || isOpenInShell(file))) {
    const handle = await open(file, 'a');
    const close = () => handle.close();
    return { handle, keep: close, discard: close };
  }
  const target = resolveLinks(file);
  if (!existing) return openReplacement(target, { mode: 0o666 });
  return openReplacement(target, { mode: existing.mode & 0o777, ignoresUmask: true });
}
