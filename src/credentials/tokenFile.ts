import { statSync } from 'node:fs';
import path from 'node:path';
import { jsonFile } from '../files/jsonFile.ts';

/** A token is valid for one account at one origin, and is kept under both. */
export interface TokenKey {
  email: string;
  origin: string;
}

/** What a token is filed under, in whatever keeps it. */
export const entryName = ({ email, origin }: TokenKey) => `${email} ${origin}`;

/** A place that keeps tokens between runs. */
export interface TokenStore {
  read(key: TokenKey): Promise<string | undefined>;
  write(key: TokenKey, token: string): Promise<void>;
  remove(key: TokenKey): Promise<void>;
}

export const tokenFilePath = (folder: string) => path.join(folder, 'tokens.json');

/** What is wrong with the file's permissions, and what to do about it. */
export function tokenFileExposure(folder: string, platform: NodeJS.Platform): string | undefined {
  // On Windows the mode does not tell who may read a file.
  if (platform === 'win32') return undefined;
  const file = tokenFilePath(folder);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) === 0) return undefined;
  return `other users can read or change it; to prevent that: chmod 600 ${file}`;
}

/** Tokens in plain text, readable by their owner alone; only for who asked for it. */
export function tokenFile(folder: string, onRead = () => {}): TokenStore {
  const file = jsonFile(tokenFilePath(folder), checkTokens, {} as Record<string, string>);
  return {
    async read(key) {
      onRead();
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
