import path from 'node:path';
import { jsonFile } from '../config/jsonFile.ts';
import { entryName, type TokenStore } from './store.ts';

export const tokenFilePath = (folder: string) => path.join(folder, 'tokens.json');

/** Tokens in plain text, readable by their owner alone; only for who asked for it. */
export function tokenFile(folder: string): TokenStore {
  const file = jsonFile(tokenFilePath(folder), checkTokens, {} as Record<string, string>);
  return {
    async read(key) {
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
    typeof content === 'object' &&
    content !== null &&
    !Array.isArray(content) &&
    Object.values(content).every((token) => typeof token === 'string');
  return isTokens ? undefined : 'expected an object of tokens';
}
