import { type Input, type Option, option, optionKey } from '../../input.ts';
import { items, textAt, valueAt } from '../../json/fields.ts';
import { listOptions } from '../../reads/listRecords.ts';
import { knownList, list, type RecordFilter } from '../../reads/select.ts';
import { embargoOf, isUnderEmbargo } from '../../records/embargo.ts';
import { folded, textMatcher } from '../../values/match.ts';
import type { Clock } from '../../values/time.ts';
import type { Command } from '../command.ts';
import { embargoView, fileView } from './view.ts';

const filterOptions: readonly Option[] = [
  option('--asset <id>', 'only files of this asset', { completes: { idOf: 'Asset' } }),
  option('--name <words>', 'only files whose name contains all these words or word parts'),
  option('--language <code>', 'only files with this language code, such as fra', {
    completes: 'language',
  }),
  option('--tag <tag>', 'only files with this tag; repeat it for files with several', {
    many: true,
  }),
  option('--embargoed', 'only files that are under embargo now'),
];

export const command: Command = {
  isPaged: true,
  summary: 'List files',
  endpoint: 'fileList',
  view: fileView,
  details:
    'The API documents no filters for files. With a filter, mar reads the list to its end or that of --range, or until --limit files match, and prints the files that match.',
  options: [...filterOptions, ...listOptions],
  examples: {
    'List the first ten files': 'mar file list',
    'List the French files of an asset': 'mar file list --asset a-1001 --language fra',
    'List what is under embargo, and until when': 'mar file list --embargoed',
    'List all names': 'mar file list --all --columns name',
    'Print the names of the newest five':
      "mar file list --all --jq-slurp 'sort_by(-.created)[:5][].name'",
  },
  run(context, input) {
    const view = input.options.embargoed ? embargoView : fileView;
    const filter = fileFilter(context.session.clock, input);
    return list(context, { endpoint: 'fileList', view, input }, filter);
  },
};

const tests: Readonly<Record<string, (wanted: string) => (file: unknown) => boolean>> = {
  asset: (id) => (file) => (valueAt(file, 'asset._id') ?? valueAt(file, 'asset')) === id,
  name(words) {
    const matches = textMatcher(words);
    return (file) => matches(textAt(file, 'name')) !== undefined;
  },
  language: (code) => (file) => isSameText(valueAt(file, 'language'), code),
  tag: (tag) => (file) => items(file, 'tags').some((own) => isSameText(own, tag)),
};

const isSameText = (own: unknown, wanted: string) =>
  typeof own === 'string' && folded(own) === folded(wanted);

function fileFilter(clock: Clock, { given, options }: Input): RecordFilter | undefined {
  const names = filterOptions.map(({ flags }) => optionKey(flags));
  const used = given.filter(({ name }) => names.includes(name));
  const isEmbargoed = (file: unknown) => isUnderEmbargo(embargoOf(file, clock), clock.now);
  const all = used.map(({ name, value }) => tests[name]?.(value));
  const flags = used.map(({ name, value }) => `--${name} ${value}`);
  if (options.embargoed) {
    all.push(isEmbargoed);
    flags.push('--embargoed');
  }
  if (all.length === 0) return undefined;
  const languages = new Set<string>();
  return {
    isMatch(file) {
      languages.add(textAt(file, 'language'));
      return all.every((test) => test?.(file));
    },
    knownValues: () => (options.language ? knownList('languages', [...languages].sort()) : ''),
    flags: flags.join(' '),
    noun: 'file',
  };
}
