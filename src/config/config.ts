import path from 'node:path';
import { type JsonFile, jsonFile } from './jsonFile.ts';
import { type Settings, settingProblem } from './settings.ts';

/** Where a profile's token is kept. */
const storeNames = ['file', 'keychain'] as const;
export type StoreName = (typeof storeNames)[number];

export interface Profile {
  baseUrl: string;
  email: string;
  /** Absent while nobody is logged in. */
  store?: StoreName;
}

/** Profiles and settings. A token is never among them. */
export interface Config {
  defaultProfile?: string;
  profiles?: Record<string, Profile>;
  settings?: Settings;
}

export const configFile = (folder: string): JsonFile<Config> =>
  jsonFile(path.join(folder, 'config.json'), problemOf, {});

/** A profile by its name; names such as `constructor` are only names. */
export function profileOf({ profiles = {} }: Config, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** What is wrong with the file's content, if anything. By hand: every command waits for it. */
function problemOf(content: unknown): string | undefined {
  if (!isRecord(content)) return 'expected an object';
  const { defaultProfile, profiles = {}, settings = {} } = content;
  if (defaultProfile !== undefined && typeof defaultProfile !== 'string') {
    return 'defaultProfile: expected a string';
  }
  if (!isRecord(profiles)) return 'profiles: expected an object';
  if (!isRecord(settings)) return 'settings: expected an object';
  for (const [name, profile] of Object.entries(profiles)) {
    const problem = profileProblem(profile);
    if (problem !== undefined) return `profiles.${name}${problem}`;
  }
  for (const [name, value] of Object.entries(settings)) {
    const problem = settingProblem(name, value);
    if (problem !== undefined) return `settings.${name}: ${problem}`;
  }
  return undefined;
}

function profileProblem(profile: unknown): string | undefined {
  if (!isRecord(profile)) return ': expected an object';
  for (const field of ['baseUrl', 'email']) {
    if (typeof profile[field] !== 'string') return `.${field}: expected a string`;
  }
  const { store } = profile;
  if (store === undefined || storeNames.some((name) => name === store)) return undefined;
  return `.store: expected ${storeNames.join(' or ')}`;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
