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
  read(config: Config): string | undefined;
  choices?: readonly string[];
  write(config: Config, value: string | undefined): void;
}

function allEntries(context: Context): ConfigEntry[] {
  return [defaultProfile, baseUrl(context), ...settings];
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

const baseUrlKey = { key: 'base-url', summary: 'the service of the profile' };

const baseUrl = (context: Context): ConfigEntry => {
  const { env } = context.world;
  const name = profileName({ env, config: context.config, profile: context.flags.profile });
  return {
    ...baseUrlKey,
    read: (config) => profileOf(config, name)?.baseUrl,
    write(config, value) {
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

function findEntry(context: Context, key: string): ConfigEntry {
  const all = allEntries(context);
  const entry = all.find((candidate) => candidate.key === key);
  if (entry) return entry;
  throw usageError(
    `there is no setting "${key}"`,
    `there is: ${all.map(({ key }) => key).join(', ')}`,
  );
}

const keyArgument: Argument = {
  name: 'key',
  summary: 'which setting: see mar config list',
  completes: [
    { value: defaultProfile.key, summary: defaultProfile.summary },
    { value: baseUrlKey.key, summary: baseUrlKey.summary },
    ...settings.map(({ key, summary }) => ({ value: key, summary })),
  ],
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
    const rows = allEntries(context).map(({ key, summary, read }) =>
      fromPlain({ key, value: read(context.config) ?? '', meaning: summary }),
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
    const { key, read } = findEntry(context, input.arguments[0] ?? '');
    const value = read(context.config) ?? '';
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
    const [name = '', value = ''] = input.arguments;
    const { key, write } = findEntry(context, name);
    await context.configFile.update((config) => write(config, value));
    if (key === settingRules.rememberIds.key && value === 'off') forgetIds(context.folders.state);
    await context.printer.outcome({ key, value }, `${key} is now ${value}`);
  },
};

const unset: Command = {
  name: 'unset',
  summary: 'Forget a setting',
  arguments: [keyArgument],
  examples: [{ does: 'Back to what it was', line: 'mar config unset output' }],
  async run(context, input) {
    const { key, write } = findEntry(context, input.arguments[0] ?? '');
    await context.configFile.update((config) => write(config, undefined));
    await context.printer.outcome({ key, value: '' }, `${key} is unset`);
  },
};

export const commands = { list, get, set, unset };
