import path from 'node:path';
import { originOf, parseBaseUrl } from '../config/baseUrl.ts';
import {
  type Config,
  profileName,
  profileOf,
  type SettingName,
  settingKey,
  settingProblem,
  settingRules,
} from '../config/configFile.ts';
import { forgetAll } from '../config/memory.ts';
import { knownProfile, profileSource, tokenOriginOf } from '../credentials/identity.ts';
import { parseTokenCommand } from '../credentials/tokenCommand.ts';
import { runHint, usageError } from '../errors.ts';
import type { Argument, Completes } from '../input.ts';
import { outcome, rowsResult } from '../output/result.ts';
import type { Column } from '../output/viewType.ts';
import { roles } from '../records/waitsFor.ts';
import type { Context } from '../session/context.ts';
import { words } from '../values/commandLine.ts';
import type { Command } from './command.ts';

/** With the name of the current profile. */
type Run = Pick<Context, 'flags' | 'reporter'> & { profile: string };

interface ConfigEntry {
  key: string;
  summary: string;
  /** Candidates for its value. */
  completes?: Completes;
  read(config: Config, profile: string): string | undefined;
  write(config: Config, value: string | undefined, run: Run): void;
}

const defaultProfile: ConfigEntry = {
  key: 'default-profile',
  summary: 'profile to use by default',
  completes: 'profile',
  read: (config) => config.defaultProfile,
  write(config, value) {
    if (value !== undefined) knownProfile(config, value);
    config.defaultProfile = value;
  },
};

const profileFields = {
  tokenCommand: 'command that prints the token of the current profile, run without a shell',
  tokenFile: 'file that contains the token of the current profile',
  clientCert: 'certificate that the current profile shows to the service',
  clientKey: 'private key of that certificate',
};
type ProfileField = keyof typeof profileFields;

const profileSettings = (Object.keys(profileFields) as ProfileField[]).map((field): ConfigEntry => {
  const isFile = field !== 'tokenCommand';
  return {
    key: settingKey(field),
    summary: profileFields[field],
    completes: isFile ? 'file' : undefined,
    read: (config, profile) => profileOf(config, profile)?.[field],
    write(config, value, run) {
      const profile = knownProfile(config, run.profile);
      if (value === undefined) delete profile[field];
      // An absolute path, because another command may run in another folder.
      else profile[field] = isFile ? path.resolve(value) : parseTokenCommand(value) && value;
    },
  };
});

const baseUrl: ConfigEntry = {
  key: 'base-url',
  summary: 'address of the service of the current profile',
  read: (config, profile) => profileOf(config, profile)?.baseUrl,
  write(config, value, { profile: name, flags, reporter }) {
    const profile = knownProfile(config, name);
    if (value === undefined) {
      const hint = runHint('To change it', words`mar config set base-url URL`);
      throw usageError('the base URL of a profile cannot be removed', hint);
    }
    const origin = tokenOriginOf(profile);
    profile.baseUrl = parseBaseUrl(value, flags).href;
    delete profile.tokenOrigin;
    if (origin === originOf(profile.baseUrl)) return;
    if (profile.store) profile.tokenOrigin = origin;
    const external = entries.find(
      ({ key, read }) => key.startsWith('token-') && read(config, name),
    );
    if (external) {
      const message = `the token of the ${external.key} is sent to ${profile.baseUrl} from now on`;
      reporter.warn('token-destination', message);
    } else if (profile.tokenOrigin) {
      reporter.warn(
        'token-origin',
        runHint(
          `the token was issued for ${origin}; to log in again`,
          words`mar login --profile ${name}`,
        ),
      );
    }
  },
};

const settings = (Object.keys(settingRules) as SettingName[]).map((name): ConfigEntry => {
  const { summary, choices, text } = settingRules[name];
  const key = settingKey(name);
  return {
    key,
    completes: choices?.map((value) => ({ value })),
    summary: choices ? `${summary}: ${choices.join(', ')}` : summary,
    read: (config) => config.settings?.[name]?.toString(),
    write(config, input) {
      const value = choices || text || input === undefined ? input : Number(input);
      const problem = value === undefined ? undefined : settingProblem(name, value);
      if (problem !== undefined) {
        throw usageError(`${key}: ${problem}, not "${input}"`, { value: input });
      }
      config.settings = { ...config.settings, [name]: value };
    },
  };
});

const waitsForKey = 'waits-for.';

/** There is one for each status, and not all statuses are known. */
const waitsFor = (status: string): ConfigEntry => ({
  key: waitsForKey + status,
  summary: `whom a work request with this status waits for: ${roles.join(', ')}`,
  completes: roles.map((value) => ({ value })),
  read: ({ settings }) => settings?.waitsFor?.[status],
  write(config, value) {
    if (value !== undefined && !roles.some((role) => role === value)) {
      const problem = `expected one of ${roles.join(', ')}, not "${value}"`;
      throw usageError(`${waitsForKey}${status}: ${problem}`, { value });
    }
    const { [status]: _, ...others } = config.settings?.waitsFor ?? {};
    const own = value === undefined ? others : { ...others, [status]: value };
    config.settings = { ...config.settings, waitsFor: own };
  },
});

const entries = [defaultProfile, baseUrl, ...profileSettings, ...settings];
const anyStatus = `${waitsForKey}STATUS`;

function findEntry(key = ''): ConfigEntry {
  const [, status] = /^waits-for\.(.+)$/.exec(key) ?? [];
  const entry = status ? waitsFor(status) : entries.find((candidate) => candidate.key === key);
  if (entry) return entry;
  const known = [...entries.map((candidate) => candidate.key), anyStatus].join(', ');
  throw usageError(`unknown setting "${key}"`, `Known settings: ${known}`, { value: key });
}

const keyArgument: Argument = {
  name: 'key',
  summary: 'name of the setting (mar config list shows all)',
  completes: entries.map(({ key, summary }) => ({ value: key, summary })),
};

const valueArgument: Argument = {
  name: 'value',
  summary: 'new value',
  completes: {
    after: Object.fromEntries(entries.map(({ key, completes = [] }) => [key, completes])),
  },
};

const columns: readonly Column[] = [
  { title: 'Key', path: 'key', kind: 'id' },
  { title: 'Value', path: 'value', importance: 2 },
  { title: 'Meaning', path: 'meaning', importance: 1 },
];

const list: Command = {
  summary: 'Show all settings and profiles',
  examples: { 'Show all settings with their meaning': 'mar config list' },
  async *run(context) {
    const { config } = context.session;
    const profile = currentProfile(context);
    const own = Object.keys(config.settings?.waitsFor ?? {}).map((one) => waitsForKey + one);
    const keys = new Set([...entries.map(({ key }) => key), anyStatus, ...own]);
    const rows = [...keys].map(findEntry).map(({ key, summary, read }) => ({
      key,
      value: read(config, profile) ?? '',
      meaning: summary,
    }));
    const profiles = Object.entries(config.profiles ?? {}).map(([name, profile]) => ({
      key: `profiles.${name}`,
      value: `${profile.email} at ${profile.baseUrl}`,
      meaning: profileSource(profile) ? 'profile, logged in' : 'profile, logged out',
    }));
    yield rowsResult([...rows, ...profiles], columns);
  },
};

const get: Command = {
  summary: 'Print one setting',
  arguments: [keyArgument],
  examples: { 'Print the default profile': 'mar config get default-profile' },
  async *run(context, input) {
    const { key, read } = findEntry(input.arguments[0]);
    const value = read(context.session.config, currentProfile(context)) ?? '';
    yield outcome({ key, value }, value);
  },
};

const currentProfile = ({ world: { env }, session: { config }, flags: { profile } }: Context) =>
  profileName({ env, config, profile });

async function change(context: Context, name: string | undefined, value?: string) {
  // Reads the settings before the update, so that a new output format starts with the next command.
  const run = { ...context, profile: currentProfile(context) };
  const entry = findEntry(name);
  await context.session.configFile.update((config) => entry.write(config, value, run));
  return entry;
}

const set: Command = {
  summary: 'Change a setting',
  arguments: [keyArgument, valueArgument],
  examples: {
    'Use another profile by default': 'mar config set default-profile staging',
    'Read the token from a password manager':
      "mar config set token-command 'op read op://Work/media/token'",
    'Never use a pager': 'mar config set pager off',
  },
  async *run(context, { arguments: [name, value = ''] }) {
    const { key } = await change(context, name, value);
    if (key === settingKey('rememberIds') && value === 'off')
      forgetAll(context.session.folders.state);
    yield outcome({ key, value }, `${key} is now ${value}`);
  },
};

const unset: Command = {
  summary: 'Reset a setting to its default',
  arguments: [keyArgument],
  examples: { 'Reset the output format': 'mar config unset output' },
  async *run(context, { arguments: [name] }) {
    const { key } = await change(context, name);
    yield outcome({ key, value: '' }, `${key} is back to its default`);
  },
};

export const commands = { list, get, set, unset };
