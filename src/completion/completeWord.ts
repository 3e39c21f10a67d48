import type { Resource } from '../core/api/endpoints.ts';
import { Service } from '../core/api/service.ts';
import { parseBaseUrl } from '../core/config/baseUrl.ts';
import { type Config, configFile, profileName, profileOf } from '../core/config/configFile.ts';
import { findFolders } from '../core/config/folders.ts';
import { type Account, type Entry, Memory } from '../core/config/memory.ts';
import { serviceOf } from '../core/config/serviceSettings.ts';
import { orUndefined } from '../core/errors.ts';
import type { Candidate, Completes, Option } from '../core/input.ts';
import { seenKind, type ValueName } from '../core/records/knownValues.ts';
import type { Environment } from '../core/values/environment.ts';
import { sanitise } from '../core/values/sanitise.ts';
import { argumentAt, type PartialLine, readLine, splitFlag } from './partialLine.ts';

export interface Completion {
  candidates: readonly Candidate[];
  /** Names that the shell itself completes. */
  paths?: 'file' | 'folder';
  /** The part of the word before the value, such as `--file=`. */
  before?: string;
}

/** `process`, or a part of it. */
export interface CompletionHost {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  getuid?(): number;
}

type LocalSource = ReturnType<typeof localSource>;

const nothing: Completion = { candidates: [] };

/** Completes the last word, which may be empty. */
export async function completeWord(words: readonly string[], source: LocalSource) {
  const current = words.at(-1) ?? '';
  const line = await readLine(words.slice(0, -1));
  if (line.pending) return valuesOf(line.pending.option, current, line, source);
  const [name, value] = splitFlag(current);
  if (value !== undefined && !line.isAfterDashes) {
    const flag = line.flags.find(({ names }) => names.includes(name));
    const before = `${name}=`;
    const found = flag?.takesValue ? valuesOf(flag.option, value, line, source) : nothing;
    const candidates = found.candidates.map((one) => ({ ...one, value: `${before}${one.value}` }));
    return { ...found, candidates, before };
  }
  if (current.startsWith('-') && !line.isAfterDashes) {
    return { candidates: flagsOf(line, current) };
  }
  return wordsOf(current, line, source);
}

function wordsOf(current: string, line: PartialLine, source: LocalSource): Completion {
  const { entry, command, isHelp } = line;
  if (!entry) return line.arguments.length > 0 ? nothing : { candidates: entries(current, line) };
  if (entry.isNoun && (!command || command.name === entry.name)) {
    const verbs = entry.commands.filter(({ name }) => name !== entry.name);
    if (line.arguments.length > 0) return nothing;
    return { candidates: verbs.map(({ name, summary }) => ({ value: name, summary })) };
  }
  if (!command || isHelp) return nothing;
  const argument = argumentAt(line);
  if (argument) {
    const { candidates, paths } = valuesOf(argument, current, line, source);
    const used = new Set(argument.many ? line.arguments : []);
    return { paths, candidates: candidates.filter(({ value }) => !used.has(value)) };
  }
  // All arguments are given, so only flags can follow. The command's own are the likely ones.
  const own = { ...line, flags: line.flags.slice(0, command.options.length) };
  return { candidates: current === '' ? flagsOf(own, '') : [] };
}

/** Aliases are completed only if no name matches. */
function entries(current: string, { entries, topics }: PartialLine): Candidate[] {
  const names = [...entries.map(({ name, summary }) => ({ value: name, summary })), ...topics];
  if (current === '' || names.some(({ value }) => value.startsWith(current))) return names;
  return entries.flatMap(({ aliases, summary }) =>
    aliases.filter((alias) => alias.startsWith(current)).map((value) => ({ value, summary })),
  );
}

/** Leaves out given flags that cannot be repeated. */
function flagsOf({ flags, given }: PartialLine, current: string): Candidate[] {
  const isLong = current === '' || current.startsWith('--');
  return flags
    .filter((flag) => flag.option.many || !given.has(flag))
    .flatMap(({ names, option: { summary } }) =>
      names.slice(isLong ? -1 : 0).map((value) => ({ value, summary })),
    );
}

function valuesOf(
  { choices, isList, completes }: Pick<Option, 'choices' | 'isList' | 'completes'>,
  current: string,
  line: PartialLine,
  source: LocalSource,
): Completion {
  if (choices) {
    const before = isList ? current.split(',').slice(0, -1) : [];
    const others = choices.filter((value) => !before.includes(value));
    return { candidates: others.map((value) => ({ value: [...before, value].join(',') })) };
  }
  if (completes === undefined) return nothing;
  if (isCandidates(completes)) return { candidates: completes };
  switch (completes) {
    case 'file':
    case 'folder':
      return { candidates: [], paths: completes };
    case 'profile':
      return { candidates: source.profiles() };
    case 'columns':
      return { candidates: columns(current, line) };
    case 'language':
      return { candidates: line.languages };
    case 'time zone':
      return { candidates: Intl.supportedValuesOf('timeZone').map((value) => ({ value })) };
    case 'field': {
      const { body } = line.command ?? {};
      const paths = body ? (line.fields[body] ?? []) : new Set(Object.values(line.fields).flat());
      return { candidates: [...paths].map((value) => ({ value, isOpen: true })) };
    }
    case 'id': {
      const resource = line.command?.resource;
      return resource ? { candidates: source.ids(resource, line) } : nothing;
    }
  }
  if ('idOf' in completes) {
    const candidates = source.ids(completes.idOf, line);
    const isNew = ({ value }: Candidate) =>
      value.startsWith(current) && !line.arguments.includes(value);
    // An argument that takes ids or files completes files only if no id matches.
    return completes.orFile && !candidates.some(isNew)
      ? { candidates: [], paths: 'file' }
      : { candidates };
  }
  if ('valueNamed' in completes) return { candidates: source.values(completes.valueNamed, line) };
  const previous = line.arguments.at(-1) ?? '';
  const { [previous]: own, [previous.toUpperCase()]: upper } = completes.after;
  return valuesOf({ completes: own ?? upper }, current, line, source);
}

const isCandidates = (completes: Completes): completes is readonly Candidate[] =>
  Array.isArray(completes);

function columns(current: string, { entry }: PartialLine): Candidate[] {
  const before = current.split(',').slice(0, -1);
  const others = (entry?.columns ?? []).filter(({ path }) => !before.includes(path));
  return others.map(({ path, title }) => {
    return { value: [...before, path].join(','), summary: title, isOpen: true };
  });
}

/** Reads the configuration and the used ids. It reads no token and sends no request. */
export function localSource({ env, platform, getuid }: CompletionHost) {
  const folders = findFolders(env, platform);
  /** The next command reports what is wrong with a file that is refused. */
  const readConfig = (): Config =>
    orUndefined(() => configFile(folders.config, getuid?.()).read()) ?? {};
  const remembered = (line: PartialLine, ...kinds: readonly string[]): Entry[] => {
    const config = readConfig();
    const account = accountOf(env, config, line);
    if (config.settings?.rememberIds === 'off' || account === undefined) return [];
    const entries = new Memory(folders.state, account).entries(...kinds);
    return entries.filter(({ id }) => sanitise(id) === id);
  };
  return {
    profiles(): Candidate[] {
      return Object.entries(readConfig().profiles ?? {})
        .filter(([name]) => sanitise(name) === name)
        .map(([name, { baseUrl }]) => ({ value: name, summary: sanitise(baseUrl) }));
    },
    ids(resource: Resource, line: PartialLine): Candidate[] {
      // Names of users are known from lists, too.
      const kinds = resource === 'User' ? [resource, 'UserName'] : [resource];
      const found = remembered(line, ...kinds).map(({ id, text }): [string, Candidate] => [
        id,
        { value: id, summary: sanitise(text) },
      ]);
      return [...new Map(found).values()];
    },
    values(name: ValueName, line: PartialLine): Candidate[] {
      const seen = remembered(line, seenKind(name)).map(({ id }) => id);
      const service = orUndefined(() => serviceOf(env, profileIn(env, readConfig(), line)));
      const all = new Set([...(service ?? new Service()).items(name), ...seen]);
      return [...all].map((value) => ({ value }));
    },
  };
}

const flagValue = ({ given }: PartialLine, name: string) =>
  [...given].find(([{ names }]) => names.includes(name))?.[1];

const profileIn = (env: Environment, config: Config, line: PartialLine) =>
  profileOf(config, profileName({ env, config, profile: flagValue(line, '--profile') }));

function accountOf(env: Environment, config: Config, line: PartialLine): Account | undefined {
  const profile = profileIn(env, config, line);
  const address = flagValue(line, '--base-url') || env.MAR_BASE_URL || profile?.baseUrl;
  // Nothing is remembered for a token from the environment.
  if (!address || !profile || env.MAR_TOKEN || env.MAR_TOKEN_FILE) return undefined;
  return { baseUrl: parseBaseUrl(address, { allowHttp: true }), email: profile.email };
}
