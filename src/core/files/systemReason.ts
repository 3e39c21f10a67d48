import { systemCode } from '../errors.ts';

const noPermission = 'permission denied';

const commonReasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than the system allows',
  EROFS: 'the file system is read-only',
  EACCES: noPermission,
  EPERM: noPermission,
  EISDIR: 'it is a folder',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  EIO: 'the disk reported an error',
};

const writeReasons = { ...commonReasons, ENOENT: 'no such folder', ENOTDIR: 'no such folder' };
const readReasons = { ...commonReasons, ENOENT: 'no such file', ENOTDIR: 'no such file' };

/** Why writing failed, in words. */
export const systemReason = (error: unknown): string => reasonOf(error, writeReasons);

/** Why reading failed, in words. */
export const readReason = (error: unknown): string => reasonOf(error, readReasons);

/** For a code without words, Node's text without the code, the call and the path. */
function reasonOf(error: unknown, reasons: Readonly<Record<string, string>>): string {
  const code = systemCode(error) ?? '';
  const { message } = error as Error;
  return reasons[code] ?? message.replace(/^[A-Z\d]+: (.*?), [a-z]+\b.*$/s, '$1');
}
