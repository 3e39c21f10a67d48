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
import type { Column, View } from '../terminal/view.ts';
import { commandLine } from '../values/commandLine.ts';
import type { Argument, Command } from './command.ts';

/** One thing that can be configured. */
interface Entry {
  key: string;
  summary: string;
  read(config: Config): string | undefined;
  /** What it may be, where that is one of a few. */
  choices?: readonly string[];
  /** Without a value it is unset. */
  write(config: Config, value: string | undefined): void;
}

function entries(context: Context): Entry[] {
  return [defaultProfile, baseUrl(context), ...settings];
}

const defaultProfile: Entry = {
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

const baseUrlFacts = { key: 'base-url', summary: 'the service of the profile' };

const baseUrl = (context: Context): Entry => {
  const { env } = context.world;
  const name = profileName({ env, config: context.config, profile: context.flags.profile });
  return {
    ...baseUrlFacts,
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

const settings = (Object.keys(settingRules) as (keyof Settings)[]).map((name): Entry => {
  const { key, summary, choices } = settingRules[name];
  return {
    key,
    choices,
    summary: choices ? `${summary}: ${choices.join(', ')}` : summary,
    read: (config) => config.settings?.[name]?.toString(),
    write(config, text) {
      const value = choices || text === undefined ? text : Number(text);
      const problem = value === undefined ? undefined : settingProblem(name, value);
      if (problem !== undefined) throw usageError(`${key}: ${problem}, not "${text}"`);
      config.settings = { ...config.settings, [name]: value };
    },
  };
});

function find(context: Context, key: string): Entry {
  const all = entries(context);
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
    { value: baseUrlFacts.key, summary: baseUrlFacts.summary },
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
const view: View = { columns, card: () => ({ title: '', sections: [] }) };

const list: Command = {
  name: 'list',
  summary: 'Show every setting',
  examples: [{ does: 'All settings and what they mean', line: 'mar config list' }],
  async run(context) {
    async function* page() {
      yield entries(context).map(({ key, summary, read }) => {
        const value = { key, value: read(context.config) ?? '', meaning: summary };
        return { value, text: JSON.stringify(value) };
      });
    }
    await context.printer.list(page(), view);
  },
};

const get: Command = {
  name: 'get',
  summary: 'Print one setting',
  arguments: [keyArgument],
  examples: [{ does: 'Which profile is used?', line: 'mar config get default-profile' }],
  async run(context, input) {
    const { key, read } = find(context, input.arguments[0] ?? '');
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
    const { key, write } = find(context, name);
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
    const { key, write } = find(context, input.arguments[0] ?? '');
    await context.configFile.update((config) => write(config, undefined));
    await context.printer.outcome({ key, value: '' }, `${key} is unset`);
  },
};

export const commands = { list, get, set, unset };
