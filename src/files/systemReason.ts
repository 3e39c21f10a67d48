import { systemCode } from '../errors.ts';

const writeReasons: Readonly<Record<string, string>> = {
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

const readReasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
};

export const systemReason = (error: unknown): string =>
  writeReasons[systemCode(error) ?? ''] ?? (error as Error).message;

export const readReason = (error: unknown, otherwise = (error as Error).message): string =>
  readReasons[systemCode(error) ?? ''] ?? otherwise;
