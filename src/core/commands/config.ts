import path from 'node:path';
import { type GroupName, groups, serviceProblem } from '../api/service.ts';
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
import { readServiceFile } from '../config/serviceSettings.ts';
import { knownProfile } from '../credentials/identity.ts';
import { parseTokenCommand } from '../credentials/tokenCommand.ts';
import { usageError } from '../errors.ts';
import { type Argument, type Completes, missingArgument } from '../input.ts';
import { renderCard } from '../output/card.ts';
import { outcome, rowsResult } from '../output/result.ts';
import type { Column } from '../output/viewType.ts';
import type { Context } from '../session/context.ts';
import type { Command } from './command.ts';

interface ConfigEntry {
  key: string;
  summary: string;
  /** Candidates for its value. */
  completes?: Completes;
  /** With the name of the current profile. */
  read(config: Config, profile: string): string | undefined;
  write(config: Config, value: string | undefined, profile: string): void;
}

const profileFields = {
  tokenCommand: 'command that prints the token of the profile',
  tokenFile: 'file that contains the token of the profile',
  clientCert: 'certificate that the profile shows to the service',
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
    write(config, value, name) {
      const profile = knownProfile(config, name);
      if (value === undefined) delete profile[field];
      // An absolute path, because another command may run in another folder.
      else profile[field] = isFile ? path.resolve(value) : parseTokenCommand(value) && value;
    },
  };
});

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

/** A fact about the service of the current profile: `status.shipped`. Any item of a known group is valid. */
const serviceEntry = (key: string): ConfigEntry => ({
  key,
  summary: groups[key.split('.')[0] as GroupName].about,
  read: (config, profile) => profileOf(config, profile)?.service?.[key],
  write(config, value, name) {
    const profile = knownProfile(config, name);
    const problem = value === undefined ? undefined : serviceProblem(key, value);
    if (problem) throw usageError(`${key}: ${problem}, not "${value}"`, { value });
    const { [key]: _, ...others } = profile.service ?? {};
    profile.service = value === undefined ? others : { ...others, [key]: value };
  },
});

const serviceFile: ConfigEntry = {
  key: 'service',
  summary: 'JSON file that describes the service of the profile',
  completes: 'file',
  read: (config, profile) => profileOf(config, profile)?.serviceFile,
  write(config, value, name) {
    const profile = knownProfile(config, name);
    if (value === undefined) {
      delete profile.serviceFile;
      return;
    }
    readServiceFile(value);
    profile.serviceFile = path.resolve(value);
  },
};

const entries = [...profileSettings, serviceFile, ...settings];

function findEntry(key = ''): ConfigEntry {
  const entry = entries.find((candidate) => candidate.key === key);
  if (entry) return entry;
  const [group = '', item] = key.split(/\.(.*)/s);
  if (Object.hasOwn(groups, group) && item) return serviceEntry(key);
  const known = [...entries.map((candidate) => candidate.key), 'status.STATUS, language.CODE, …'];
  const hint = `Known settings: ${known.join(', ')}. For those of a service, run: mar config list`;
  throw usageError(`unknown setting "${key}"`, hint, { value: key });
}

const keyArgument: Argument = {
  name: 'key',
  summary: 'name of the setting, such as output; see mar config list',
  completes: entries.map(({ key, summary }) => ({ value: key, summary })),
};

const valueArgument: Argument = {
  name: 'value',
  summary: 'new value; also as KEY=VALUE',
  optional: true,
  completes: {
    after: Object.fromEntries(entries.map(({ key, completes = [] }) => [key, completes])),
  },
};

type Fact = [key: string, text: string];

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const columns: readonly Column[] = [
  { title: 'Key', path: 'key', kind: 'id' },
  { title: 'Value', path: 'value', importance: 2 },
  { title: 'Basis', path: 'basis', importance: 2 },
  { title: 'Meaning', path: 'meaning', importance: 1 },
];

const list: Command = {
  isPaged: true,
  summary: 'Show all settings',
  examples: { 'Show all settings': 'mar config list' },
  async *run(context) {
    const { config } = context.session;
    const profile = currentProfile(context);
    const rows = entries.map(({ key, summary, read }) => {
      const value = read(config, profile) ?? '';
      return { key, value, basis: value === '' ? '' : 'set', meaning: summary };
    });
    const service = [...context.session.service().facts()].map(({ about, ...fact }) => {
      return { ...fact, meaning: about };
    });
    // Text that many facts share is a heading, so that nothing is cut.
    const parts = new Set(service.map(({ meaning }) => meaning));
    const ofPart = (part: string) =>
      service.flatMap(({ meaning, key, value, basis }): Fact[] =>
        meaning === part ? [[key, `${value} (${basis})`]] : [],
      );
    const describe = ({ key, value, meaning }: (typeof rows)[number]): Fact => [
      key,
      `${value || 'not set'} (${meaning})`,
    ];
    const sections = [
      { heading: 'Settings', rows: rows.map(describe) },
      ...[...parts].map((heading) => ({ heading: capitalised(heading), rows: ofPart(heading) })),
    ];
    yield rowsResult([...rows, ...service], columns, {
      drawing: ({ columns: width, style }) => renderCard({ title: '', sections }, width, style),
    });
  },
};

const get: Command = {
  summary: 'Print one setting',
  arguments: [keyArgument],
  examples: { 'Print the output format': 'mar config get output' },
  async *run(context, input) {
    const { config, service } = context.session;
    const { key, read } = findEntry(input.arguments[0]);
    const fact = [...service().facts()].find((one) => one.key === key);
    const value = read(config, currentProfile(context)) ?? fact?.value ?? '';
    yield outcome({ key, value }, value);
  },
};

const currentProfile = ({ world: { env }, session: { config }, flags: { profile } }: Context) =>
  profileName({ env, config, profile });

async function change(context: Context, name: string | undefined, value?: string) {
  // Reads the settings before the update, so that a new output format starts with the next command.
  const profile = currentProfile(context);
  const entry = findEntry(name);
  await context.session.configFile.update((config) => entry.write(config, value, profile));
  return entry;
}

const set: Command = {
  summary: 'Change a setting',
  arguments: [keyArgument, valueArgument],
  examples: {
    'Print JSON by default': 'mar config set output json',
    'Read the token from a password manager':
      "mar config set token-command 'op read op://Work/media/token'",
    'Say what a status of your service means': 'mar config set status.shipped=done',
    'Use the description that your studio hands out': 'mar config set service studio.json',
  },
  async *run(context, { arguments: [name = '', given] }) {
    const [own = '', value] = given === undefined ? name.split(/=(.*)/s) : [name, given];
    if (value === undefined) throw missingArgument('value', 'config set');
    const { key } = await change(context, own, value);
    if (key === settingKey('rememberIds') && value === 'off')
      forgetAll(context.session.folders.state);
    yield outcome({ key, value }, `${key} is now ${value}`);
  },
};

const unset: Command = {
  summary: 'Remove a setting of yours',
  arguments: [keyArgument],
  examples: { 'Remove your output format': 'mar config unset output' },
  async *run(context, { arguments: [name] }) {
    const { key } = await change(context, name);
    yield outcome({ key, value: '' }, `${key} is no longer set`);
  },
};

export const commands = { list, get, set, unset };
