import { parseBaseUrl } from '../config/baseUrl.ts';
import {
  type Config,
  profileOf,
  type Settings,
  settingProblem,
  settingRules,
} from '../config/config.ts';
import { forgetIds } from '../config/usedIds.ts';
import type { Context } from '../context.ts';
import { profileName } from '../credentials/identity.ts';
import { usageError } from '../errors.ts';
import { fromPlain } from '../json/value.ts';
import type { Column } from '../terminal/view.ts';
import { commandLine } from '../values/commandLine.ts';
import type { Argument, Command } from './command.ts';
import { printDerivedList } from './read/printDerived.ts';

interface ConfigEntry {
  key: string;
  summary: string;
  choices?: readonly string[];
  read(config: Config, context: Context): string | undefined;
  write(config: Config, value: string | undefined, context: Context): void;
}

const defaultProfile: ConfigEntry = {
  key: 'default-profile',
  summary: 'the profile that is used when none is asked for',
  read: (config) => config.defaultProfile,
  write(config, value) {
    if (value !== undefined && !profileOf(config, value)) {
      const known = Object.keys(config.profiles ?? {}).join(', ') || 'none yet';
      throw usageError(`there is no profile "${value}" (there is: ${known})`);
    }
    config.defaultProfile = value;
  },
};

const currentProfile = ({ world: { env }, config, flags: { profile } }: Context) =>
  profileName({ env, config, profile });

const baseUrl: ConfigEntry = {
  key: 'base-url',
  summary: 'the service of the profile',
  read: (config, context) => profileOf(config, currentProfile(context))?.baseUrl,
  write(config, value, context) {
    const name = currentProfile(context);
    const profile = profileOf(config, name);
    if (!profile)
      throw usageError(
        `there is no profile "${name}"`,
        `make it: ${commandLine`mar login --profile ${name}`}`,
      );
    if (value === undefined)
      throw usageError('a profile needs a base URL', "mar logout forgets the profile's token");
    profile.baseUrl = parseBaseUrl(value, context.flags).href;
  },
};

const settings = (Object.keys(settingRules) as (keyof Settings)[]).map((name): ConfigEntry => {
  const { key, summary, choices } = settingRules[name];
  return {
    key,
    choices,
    summary: choices ? `${summary}: ${choices.join(', ')}` : summary,
    read: (config) => config.settings?.[name]?.toString(),
    write(config, input) {
      const value = choices || input === undefined ? input : Number(input);
      const problem = value === undefined ? undefined : settingProblem(name, value);
      if (problem !== undefined) throw usageError(`${key}: ${problem}, not "${input}"`);
      config.settings = { ...config.settings, [name]: value };
    },
  };
});

const entries = [defaultProfile, baseUrl, ...settings];

function findEntry(key = ''): ConfigEntry {
  const entry = entries.find((candidate) => candidate.key === key);
  if (entry) return entry;
  const known = entries.map((candidate) => candidate.key).join(', ');
  throw usageError(`there is no setting "${key}"`, `there is: ${known}`);
}

const keyArgument: Argument = {
  name: 'key',
  summary: 'which setting: see mar config list',
  completes: entries.map(({ key, summary }) => ({ value: key, summary })),
};

const valueArgument: Argument = {
  name: 'value',
  summary: 'its new value',
  completes: {
    after: {
      [defaultProfile.key]: 'profile',
      ...Object.fromEntries(
        settings.map(({ key, choices = [] }) => [key, choices.map((value) => ({ value }))]),
      ),
    },
  },
};

const columns: readonly Column[] = [
  { title: 'Key', path: 'key', kind: 'id' },
  { title: 'Value', path: 'value', importance: 2 },
  { title: 'Meaning', path: 'meaning', importance: 1 },
];

const list: Command = {
  name: 'list',
  summary: 'Show every setting',
  examples: [{ does: 'All settings and what they mean', line: 'mar config list' }],
  async run(context) {
    const rows = entries.map(({ key, summary, read }) =>
      fromPlain({ key, value: read(context.config, context) ?? '', meaning: summary }),
    );
    await printDerivedList(context, rows, columns);
  },
};

const get: Command = {
  name: 'get',
  summary: 'Print one setting',
  arguments: [keyArgument],
  examples: [{ does: 'Which profile is used?', line: 'mar config get default-profile' }],
  async run(context, input) {
    const { key, read } = findEntry(input.arguments[0]);
    const value = read(context.config, context) ?? '';
    await context.printer.outcome({ key, value }, value);
  },
};

const set: Command = {
  name: 'set',
  summary: 'Change a setting',
  arguments: [keyArgument, valueArgument],
  examples: [
    { does: 'Use another profile from now on', line: 'mar config set default-profile staging' },
    { does: 'Times are in seconds', line: 'mar config set time-unit s' },
  ],
  async run(context, input) {
    const [name, value = ''] = input.arguments;
    // Made before the update, so that a new output format starts with the next command.
    const { printer } = context;
    const { key, write } = findEntry(name);
    await context.configFile.update((config) => write(config, value, context));
    if (key === settingRules.rememberIds.key && value === 'off') forgetIds(context.folders.state);
    await printer.outcome({ key, value }, `${key} is now ${value}`);
  },
};

const unset: Command = {
  name: 'unset',
  summary: 'Forget a setting',
  arguments: [keyArgument],
  examples: [{ does: 'Back to what it was', line: 'mar config unset output' }],
  async run(context, input) {
    const { printer } = context;
    const { key, write } = findEntry(input.arguments[0]);
    await context.configFile.update((config) => write(config, undefined, context));
    await printer.outcome({ key, value: '' }, `${key} is unset`);
  },
};

export const commands = { list, get, set, unset };
