import type { Resource } from '../api/endpoints.ts';
import type { Candidate, Completes } from '../commands/command.ts';
import { parseBaseUrl } from '../config/baseUrl.ts';
import { type Config, configFile, profileOf } from '../config/config.ts';
import { type Environment, findFolders } from '../config/folders.ts';
import { usedIds } from '../config/usedIds.ts';
import { profileName } from '../credentials/identity.ts';
import { sanitise } from '../terminal/sanitise.ts';
import { argumentAt, type Line, readLine, splitFlag } from './partialLine.ts';

/** What may stand where Tab was pressed. */
export interface Offer {
  /** Whole words, in the order in which they are to be shown. */
  candidates: readonly Candidate[];
  /** Names of files or folders as well, which the shell knows best. */
  paths?: 'file' | 'folder';
  /** What stands before the value in the same word: `--file=`. */
  before: string;
}

/** What only this machine knows. */
export interface Known {
  profiles(): readonly Candidate[];
  ids(resource: Resource, line: Line): readonly Candidate[];
}

type Value = Omit<Offer, 'before'>;
const nothing: Value = { candidates: [] };

/** The last of the words is the one that Tab was pressed in; it may be empty. */
export async function offer(words: readonly string[], known: Known): Promise<Offer> {
  const current = words.at(-1) ?? '';
  const line = await readLine(words.slice(0, -1));
  if (line.pending) {
    return { ...valuesOf(line.pending.option, current, line, known), before: '' };
  }
  const [name, value] = splitFlag(current);
  if (value !== undefined && !line.isPlain) {
    const flag = line.flags.find((one) => one.isCalled(name));
    const before = `${name}=`;
    const found = flag?.takesValue ? valuesOf(flag.option, value, line, known) : nothing;
    return {
      ...found,
      candidates: found.candidates.map((one) => ({ ...one, value: `${before}${one.value}` })),
      before,
    };
  }
  if (current.startsWith('-') && !line.isPlain)
    return { candidates: flagsOf(line, current), before: '' };
  return { ...wordOf(current, line, known), before: '' };
}

/** A word that is no flag: the name of a command, or one of its arguments. */
function wordOf(current: string, line: Line, known: Known): Value {
  const { entry, command, isHelp } = line;
  if (!entry) return line.arguments.length > 0 ? nothing : { candidates: entries(current, line) };
  if (!command) {
    if (line.arguments.length > 0) return nothing;
    return { candidates: entry.commands.map(({ name, summary }) => ({ value: name, summary })) };
  }
  if (isHelp) return nothing;
  const argument = argumentAt(line);
  if (argument) {
    const { candidates, paths } = valuesOf(argument, current, line, known);
    const used = new Set(argument.many ? line.arguments : []);
    return { paths, candidates: candidates.filter(({ value }) => !used.has(value)) };
  }
  // All arguments are there: what is left is flags, and those of its own come to mind first.
  const own = flagsOf(line, '').filter(({ value }) => isOwn(line, value));
  return { candidates: current === '' ? own : [] };
}

const isOwn = ({ command, flags }: Line, name: string) =>
  flags.slice(0, command?.options?.length ?? 0).some((flag) => flag.isCalled(name));

/** Other names of a command are for those who know them: they are not shown, only completed. */
function entries(current: string, { entries }: Line): Candidate[] {
  const names = entries.map(({ name, summary }) => ({ value: name, summary }));
  if (current === '' || names.some(({ value }) => value.startsWith(current))) return names;
  return entries.flatMap(({ aliases, summary }) =>
    aliases.filter((alias) => alias.startsWith(current)).map((value) => ({ value, summary })),
  );
}

/** By their names, unless they are there already and may be there once only. */
function flagsOf({ flags, given }: Line, current: string): Candidate[] {
  const isLong = current === '' || current.startsWith('--');
  return flags
    .filter((flag) => flag.option.many || !given.has(flag))
    .flatMap(({ names, option: { summary } }) =>
      names.slice(isLong ? -1 : 0).map((value) => ({ value, summary })),
    );
}

function valuesOf(
  { choices, completes }: { choices?: readonly string[]; completes?: Completes },
  current: string,
  line: Line,
  known: Known,
): Value {
  if (choices) return { candidates: choices.map((value) => ({ value })) };
  if (completes === undefined) return nothing;
  if (isList(completes)) return { candidates: completes };
  switch (completes) {
    case 'file':
    case 'folder':
      return { candidates: [], paths: completes };
    case 'profile':
      return { candidates: known.profiles() };
    case 'columns':
      return { candidates: columns(current, line) };
    case 'id': {
      const resource = line.command?.resource;
      return resource ? { candidates: known.ids(resource, line) } : nothing;
    }
  }
  if ('idOf' in completes) return idsOf(completes, current, line, known);
  const previous = line.arguments.at(-1) ?? '';
  const { [previous]: own, [previous.toUpperCase()]: upper } = completes.after;
  return valuesOf({ completes: own ?? upper }, current, line, known);
}

const isList = (completes: Completes): completes is readonly Candidate[] =>
  Array.isArray(completes);

/** Where a file may stand as well, it is a file that is begun when no id begins like that. */
function idsOf(
  { idOf, orFile }: Extract<Completes, { idOf: Resource }>,
  current: string,
  line: Line,
  known: Known,
): Value {
  const candidates = known.ids(idOf, line);
  const isId = ({ value }: Candidate) =>
    value.startsWith(current) && !line.arguments.includes(value);
  const isFile = orFile && !candidates.some(isId);
  return isFile ? { candidates: [], paths: 'file' } : { candidates };
}

/** One more column behind those that are there. */
function columns(current: string, { entry }: Line): Candidate[] {
  const before = current.split(',').slice(0, -1);
  return (entry?.columns ?? [])
    .filter(({ path }) => !before.includes(path))
    .map(({ path, title }) => ({
      value: [...before, path].join(','),
      summary: title,
      isOpen: true,
    }));
}

/** What the files of this machine tell. No token is read and nobody is asked. */
export function localKnowledge(env: Environment, platform: NodeJS.Platform): Known {
  const folders = findFolders(env, platform);
  const config = () => readConfig(folders.config);
  return {
    profiles: () =>
      Object.entries(config().profiles ?? {})
        .filter(([name]) => sanitise(name) === name)
        .map(([name, { baseUrl }]) => ({ value: name, summary: sanitise(baseUrl) })),
    ids(resource: Resource, line: Line): Candidate[] {
      const own = config();
      const origin = originOf(env, own, line);
      if (own.settings?.rememberIds === 'off' || origin === undefined) return [];
      return usedIds(folders.state, { origin, resource }).map(({ id, name }) => ({
        value: id,
        summary: sanitise(name),
      }));
    },
  };
}

function readConfig(folder: string): Config {
  try {
    return configFile(folder).read();
  } catch {
    // Whatever is wrong with it, the next command says so; Tab is not the place.
    return {};
  }
}

/** The service that the command line would go to. */
function originOf(env: Environment, config: Config, { given }: Line): string | undefined {
  const textOf = (name: string) => [...given].find(([flag]) => flag.isCalled(name))?.[1];
  const profile = profileName({ env, config, profile: textOf('--profile') });
  const address = textOf('--base-url') || env.MAR_BASE_URL || profileOf(config, profile)?.baseUrl;
  return address && parseBaseUrl(address, { allowHttp: true }).origin;
}
