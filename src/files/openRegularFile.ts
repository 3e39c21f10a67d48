import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { systemCode } from '../errors.ts';

/**
 * Opens a file to read it, or to add to it. A pipe, a device, a socket or a folder in its place is
 * an error with the code EFTYPE, and never waited for: opening a pipe waits for its other end.
 */
export async function openRegularFile(file: string, use: 'read' | 'append' = 'read') {
  const { O_RDONLY, O_WRONLY, O_APPEND, O_NONBLOCK } = constants;
  const flags = use === 'read' ? O_RDONLY : O_WRONLY | O_APPEND;
  let handle: FileHandle;
  try {
    handle = await open(file, flags | O_NONBLOCK);
  } catch (error) {
    // What a socket, a pipe that nobody reads, and a folder that is to be written give.
    if (['ENXIO', 'EISDIR'].includes(systemCode(error) ?? '')) throw notAFile(file);
    throw error;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw notAFile(file);
}

const notAFile = (file: string) =>
  Object.assign(new Error(`${file} is not a regular file`), { code: 'EFTYPE' });
