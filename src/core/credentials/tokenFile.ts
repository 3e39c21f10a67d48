import { statSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '../config/configFile.ts';
import { orUndefined } from '../errors.ts';
import { jsonFile } from '../files/jsonFile.ts';
import { entryName, type TokenStore } from './identity.ts';

export const tokenFilePath = (folder: string) => path.join(folder, 'tokens.json');

/** True if other users can read or change a file with a token. */
export function isExposed(file: string, platform: NodeJS.Platform): boolean {
  // On Windows, the mode does not say who may read a file.
  if (platform === 'win32') return false;
  // If there is something wrong with the file, reading it reports that.
  const mode = orUndefined(() => statSync(file).mode) ?? 0;
  return (mode & 0o077) !== 0;
}

/** Stores tokens in plain text, readable only by their owner; used after `--insecure-storage`. */
export function tokenFile(folder: string, onRead?: () => Promise<void>): TokenStore {
  const file = jsonFile<Record<string, string>>(tokenFilePath(folder), checkTokens);
  return {
    async read(key) {
      await onRead?.();
      return file.read()[entryName(key)];
    },
    async write(key, token) {
      await file.update((tokens) => {
        tokens[entryName(key)] = token;
      });
    },
    async remove(key) {
      await file.update((tokens) => {
        delete tokens[entryName(key)];
      });
    },
  };
}

function checkTokens(content: unknown): string | undefined {
  const isTokens =
    isRecord(content) && Object.values(content).every((token) => typeof token === 'string');
  return isTokens ? undefined : 'expected an object with tokens';
}
