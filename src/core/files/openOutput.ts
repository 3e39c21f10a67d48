import { link, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../errors.ts';
import { resolveLinks } from './paths.ts';
import {
  type FileContent,
  type OpenFile,
  openReplacement,
  rename,
  writeAndClose,
} from './replaceFile.ts';

/** Writes a file that the user named. */
export const writeOutputFile = async (file: string, content: FileContent): Promise<void> =>
  writeAndClose(await openOutputFile(file), content);

/** Opens a file that the user named. A link is followed; a device or a pipe is not replaced. */
export async function openOutputFile(file: string, { isNew = false } = {}): Promise<OpenFile> {
  const target = resolveLinks(file);
  const existing = await stat(target).catch(() => undefined);
  if (!existing) return openReplacement(target, { mode: 0o666, place: isNew ? placeNew : rename });
  if (existing.isFile()) {
    return openReplacement(target, { mode: existing.mode & 0o777, ignoresUmask: true });
  }
  const handle = await open(target, 'w');
  const keep = () => handle.close().then(() => target);
  return { handle, keep, discard: () => handle.close() };
}

/** Replaces nothing: if the name was taken meanwhile, the file gets another one. Returns its name. */
async function placeNew(temporary: string, file: string): Promise<string> {
  try {
    // A hard link is made only if nothing has its name. Some file systems have none.
    await link(temporary, file);
  } catch (error) {
    const { dir, base } = path.parse(file);
    const other = path.join(dir, `${crypto.randomUUID().slice(0, 8)}-${base}`);
    return rename(temporary, systemCode(error) === 'EEXIST' ? other : file);
  }
  return rm(temporary).then(() => file);
}
