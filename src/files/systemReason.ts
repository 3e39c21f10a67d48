import { systemCode } from '../errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it may not grow any further',
  EROFS: 'the folder is read-only',
  EACCES: 'there is no permission to write there',
  EPERM: 'there is no permission to write there',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EISDIR: 'it is a folder',
};

/** Why a file could not be written, in words for people. */
export const systemReason = (error: unknown): string =>
  reasons[systemCode(error) ?? ''] ?? (error as Error).message;
