import { statSync } from 'node:fs';
import path from 'node:path';
import { type CommandWord, orUndefined, usageError } from '../errors.ts';
import { type JsonFile, jsonFile } from '../files/jsonFile.ts';
import { words } from '../values/commandLine.ts';
import type { Environment } from '../values/environment.ts';
import { textFormats } from '../values/formats.ts';

const storeNames = ['file', 'keychain'] as const;
export type StoreName = (typeof storeNames)[number];

export interface Profile {
  baseUrl: string;
  email: string;
  /** Absent while logged out. */
  store?: StoreName;
  /** A command line that prints the token; it wins over the store. */
  tokenCommand?: string;
  /** The path of a file that contains the token; it wins over the store. */
  tokenFile?: string;
  /** Paths of the certificate that the service requires, and of its key. */
  clientCert?: string;
  clientKey?: string;
  /** Facts about its service, such as `status.shipped`. They win over those of the file. */
  service?: Readonly<Record<string, string>>;
  serviceFile?: string;
}

/** Profiles and settings, without any token. */
export interface Config {
  defaultProfile?: string;
  profiles?: Record<string, Profile>;
  settings?: Settings;
}

export function configFile(folder: string, userId?: number): JsonFile<Config> {
  const file = path.join(folder, 'config.json');
  return jsonFile(file, (content) => {
    refuseForeign(file, userId);
    return configProblem(content);
  });
}

/** Refuses a file that others can change: it names commands to run, and where a token goes. */
function refuseForeign(file: string, userId: number | undefined): void {
  // If there is something wrong with the file, reading it reports that.
  const found = userId === undefined ? undefined : orUndefined(() => statSync(file));
  if (!found) return;
  const isOthers = found.uid !== userId && found.uid !== 0;
  if (!isOthers && (found.mode & 0o022) === 0) return;
  const [problem, command]: [string, CommandWord[]] = isOthers
    ? ['belongs to another user', words`sudo chown ${String(userId)} ${file}`]
    : ['can be changed by other users', words`chmod go-w ${file}`];
  throw usageError(`${file} ${problem}`, {
    text: 'Check what it contains, then run:',
    command,
  });
}

/** The profile of this run, which may not exist yet. */
export function profileName(run: { env: Environment; config: Config; profile?: string }): string {
  const { env, config, profile } = run;
  return profile || env.MAR_PROFILE || config.defaultProfile || 'default';
}

/** Checks own properties only: a profile may be called `constructor`. */
export function profileOf({ profiles = {} }: Config, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** Validates without a schema library, because every command waits for this. */
function configProblem(content: unknown): string | undefined {
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
  const optional = 'tokenCommand tokenFile clientCert clientKey serviceFile'.split(' ');
  for (const field of ['baseUrl', 'email', ...optional]) {
    const isAbsent = optional.includes(field) && profile[field] === undefined;
    if (typeof profile[field] !== 'string' && !isAbsent) return `.${field}: expected a string`;
  }
  const { store, service = {} } = profile;
  if (!isRecord(service)) return '.service: expected an object';
  if (store === undefined || storeNames.some((name) => name === store)) return undefined;
  return `.store: expected ${storeNames.join(' or ')}`;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Frames a second that subtitles are timed for. */
export const frameRateNames = ['23.976', '24', '25', '29.97', '30', '50', '59.94', '60'] as const;

export interface Settings {
  output?: (typeof textFormats)[number];
  pageSize?: number;
  concurrency?: number;
  rememberIds?: 'on' | 'off';
  pager?: string;
  accessible?: 'on' | 'off';
  fps?: (typeof frameRateNames)[number];
  systemCa?: 'on' | 'off';
}

export type SettingName = keyof Settings;

interface SettingRule {
  summary: string;
  choices?: readonly string[];
  /** The maximum of a whole number; the minimum is 1. */
  max?: number;
  /** Any line is valid. This says what it is. */
  text?: string;
}

/** The key of a setting in commands is its name with hyphens: `page-size`. */
export const settingRules: Readonly<Record<SettingName, SettingRule>> = {
  output: { summary: 'output format', choices: textFormats },
  pageSize: { summary: 'records per request in lists', max: 10_000 },
  concurrency: { summary: 'requests sent at the same time', max: 64 },
  rememberIds: {
    summary: 'whether mar remembers what you use, for Tab, find, today and checks',
    choices: ['on', 'off'],
  },
  pager: {
    summary: 'command that shows long output, instead of PAGER; off for none',
    text: 'a command',
  },
  accessible: {
    summary: 'labelled lines without boxes and bars, for screen readers',
    choices: ['on', 'off'],
  },
  fps: { summary: 'frame rate of subtitles', choices: frameRateNames },
  systemCa: {
    summary: 'trust the certificates of the system (Node 22.15, 23.10 or newer)',
    choices: ['on', 'off'],
  },
};

/** `pageSize` as `page-size`. */
export const settingKey = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export function settingProblem(name: string, value: unknown): string | undefined {
  if (!Object.hasOwn(settingRules, name)) return undefined;
  const { choices, max, text } = settingRules[name as SettingName];
  if (text !== undefined) {
    const isLine = typeof value === 'string' && /^\P{Cc}*\S\P{Cc}*$/u.test(value);
    return isLine ? undefined : `expected ${text}`;
  }
  if (choices) {
    return choices.some((choice) => choice === value)
      ? undefined
      : `expected one of ${choices.join(', ')}`;
  }
  const isValid = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= (max ?? 1);
  return isValid ? undefined : `expected a whole number from 1 to ${max}`;
}
