import { type Input, longName, type Option, optionKey } from '../../input.ts';
import { items, textAt, valueAt } from '../../json/fields.ts';
import { listOptions } from '../../reads/list.ts';
import { knownList, list, type RecordFilter } from '../../reads/select.ts';
import { folded, textMatcher } from '../../values/match.ts';
import type { Command } from '../command.ts';
import { nameOf } from '../viewParts.ts';
import { fileView } from './view.ts';

const filterOptions: readonly Option[] = [
  { flags: '--asset <id>', summary: 'only files of this asset', completes: { idOf: 'Asset' } },
  { flags: '--name <words>', summary: 'only files whose name has all these words' },
  {
    flags: '--language <code>',
    summary: 'only files in this language, such as fra',
    completes: 'language',
  },
  { flags: '--tag <tag>', summary: 'only files with this tag; repeat it for several', many: true },
];

export const command: Command = {
  name: 'list',
  isPaged: true,
  summary: 'List files',
  endpoint: 'fileList',
  view: fileView,
  details:
    'The service has no filters for files, so mar applies --asset, --name, --language and --tag itself: it ' +
    'reads all files, not only the first ten, and prints those that match. With --limit it stops after that many matches; with --range it ' +
    'reads only that part of the list. Upper and lower case and accents make no difference.',
  options: [...filterOptions, ...listOptions(...filterOptions.map(({ flags }) => longName(flags)))],
  examples: {
    'List the first ten files': 'mar file list',
    'List the French files of an asset': 'mar file list --asset a-1001 --language fra',
    'List all names': 'mar file list --all --columns name',
    'List all files by name': 'mar file list --all --sort name',
  },
  run: (context, input) =>
    list(context, { endpoint: 'fileList', view: fileView, input }, { filter: fileFilter(input) }),
};

const tests: Readonly<Record<string, (wanted: string) => (file: unknown) => boolean>> = {
  asset: (id) => (file) => (valueAt(file, 'asset._id') ?? valueAt(file, 'asset')) === id,
  name(words) {
    const matches = textMatcher(words);
    return (file) => matches(String(nameOf(file, 'name') ?? '')) !== undefined;
  },
  language: (code) => (file) => isSameText(valueAt(file, 'language'), code),
  tag: (tag) => (file) => items(file, 'tags').some((own) => isSameText(own, tag)),
};

const isSameText = (own: unknown, wanted: string) =>
  typeof own === 'string' && folded(own) === folded(wanted);

function fileFilter({ given, options }: Input): RecordFilter | undefined {
  const names = filterOptions.map(({ flags }) => optionKey(flags));
  const used = given.filter(({ name }) => names.includes(name));
  if (used.length === 0) return undefined;
  const languages = new Set<string>();
  const all = used.map(({ name, value }) => tests[name]?.(value));
  return {
    isMatch(file) {
      languages.add(textAt(file, 'language'));
      return all.every((test) => test?.(file));
    },
    knownValues: () => (options.language ? knownList('languages', [...languages].sort()) : ''),
    flags: used.map(({ name, value }) => `--${name} ${value}`).join(' '),
    noun: 'file',
  };
}
