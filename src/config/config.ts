import path from 'node:path';
import { type JsonFile, jsonFile } from './jsonFile.ts';

/** Where a profile's token is kept. */
const storeNames = ['file', 'keychain'] as const;
export type StoreName = (typeof storeNames)[number];

export interface Profile {
  baseUrl: string;
  email: string;
  store: StoreName;
}

/** Profiles and settings. A token is never among them. */
export interface Config {
  defaultProfile?: string;
  profiles?: Record<string, Profile>;
}

export const configFile = (folder: string): JsonFile<Config> =>
  jsonFile(path.join(folder, 'config.json'), checkConfig, {});

/** What is wrong with the file's content, if anything. Checked by hand: every command waits for it. */
function checkConfig(content: unknown): string | undefined {
  if (!isRecord(content)) return 'expected an object';
  const { defaultProfile, profiles = {} } = content;
  if (defaultProfile !== undefined && typeof defaultProfile !== 'string') {
    return 'defaultProfile: expected a string';
  }
  if (!isRecord(profiles)) return 'profiles: expected an object';
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isRecord(profile)) return `profiles.${name}: expected an object`;
    for (const field of ['baseUrl', 'email'] as const) {
      if (typeof profile[field] !== 'string') return `profiles.${name}.${field}: expected a string`;
    }
    if (!storeNames.some((store) => store === profile.store)) {
      return `profiles.${name}.store: expected ${storeNames.join(' or ')}`;
    }
  }
  return undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
