import type { Command } from '../../../../core/commands/command.ts';
import {
  downloadPages,
  leftOut,
  sinceOption,
} from '../../../../core/commands/downloads/filters.ts';
import { type Grouping, summarise } from '../../../../core/commands/downloads/summary.ts';
import { knownFields } from '../../../../core/commands/viewParts.ts';
import { MarError } from '../../../../core/errors.ts';
import { type Input, option, stringOption } from '../../../../core/input.ts';
import { textAt, valueAt } from '../../../../core/json/fields.ts';
import { ServiceRecord } from '../../../../core/json/serviceRecord.ts';
import { listResult } from '../../../../core/output/result.ts';
import type { View } from '../../../../core/output/viewType.ts';
import { learnNames } from '../../../../core/reads/knownUsers.ts';
import { type Extent, listPages, wholeList } from '../../../../core/reads/listRecords.ts';
import {
  type Embargo,
  embargoEnd,
  embargoOf,
  isUnderEmbargo,
} from '../../../../core/records/embargo.ts';
import { safeText } from '../../../../core/records/look.ts';
import type { Context } from '../../../../core/session/context.ts';
import { plural } from '../../../../core/values/numbers.ts';

const view: View = {
  knownFields: knownFields('download', 'file'),
  columns: [
    { title: 'When', path: 'created', kind: 'time', importance: 6 },
    { title: 'Who', path: 'user.name', importance: 5 },
    { title: 'User id', path: 'user._id', isOffScreen: true },
    { title: 'File', path: 'file.name', importance: 5 },
    { title: 'Asset', path: 'asset.name', importance: 3, within: 'project.name' },
    { title: 'Asset id', path: 'asset._id', isOffScreen: true },
    { title: 'Embargo ends', path: 'embargo.end', kind: 'time', importance: 5, words: embargoEnd },
    { title: 'Until event', path: 'embargo.event', isOffScreen: true },
    { title: 'Project', path: 'project.name', importance: 2 },
    { title: 'Id', path: '_id', isOffScreen: true },
  ],
};

export const command: Command = {
  isPaged: true,
  summary: 'List downloads of files while they were under embargo',
  details:
    'Compares the downloads with the embargoes that the files have now: one that was changed or lifted since is not known. A download counts if it was before the end of the embargo. An embargo without an end lasts until an event.',
  view,
  options: [
    sinceOption,
    option('--summary <what>', 'count them by this', { choices: ['file', 'user', 'asset'] }),
    option('--fail', 'exit with 3 if there is such a download'),
  ],
  examples: {
    'List the downloads of files under embargo': 'mar downloads audit',
    'Save those of the last month for the lawyers':
      'mar downloads audit --since 1mo -O embargo.xlsx',
    'Count them by file': 'mar downloads audit --summary file',
    'Fail in a nightly job': 'mar downloads audit --since 1d --fail',
  },
  async *run(context, input) {
    const { reporter, session } = context;
    const grouping = stringOption(input, 'summary') as Grouping | undefined;
    const extent = wholeList(context, input);
    const files = await readFiles(context, input, extent);
    let count = 0;
    const unlisted = leftOut(reporter);
    const undated = leftOut(reporter);
    async function* findings() {
      for await (const page of downloadPages(context, input, extent)) {
        const downloads = page.flatMap(({ value }) => {
          const id = textAt(value, 'file._id') || textAt(value, 'file');
          const created = session.clock.date(valueAt(value, 'created'));
          if (!files.has(id)) unlisted.add(id);
          const embargo = files.get(id);
          if (embargo && !created) undated.add(textAt(value, '_id'));
          const user = safeText(valueAt(value, 'user._id') ?? valueAt(value, 'user'));
          return created && isUnderEmbargo(embargo, created) ? [{ value, embargo, user }] : [];
        });
        const users = downloads.map(({ user }) => user);
        await learnNames(context, users);
        count += downloads.length;
        yield downloads.map(({ value, embargo, user: _id }) => {
          const name = session.userName(_id) ?? _id;
          const added = { user: { _id, name }, embargo: embargo?.field };
          return ServiceRecord.fromValue({ ...(value as object), ...added });
        });
      }
    }
    if (grouping) yield* summarise(context, grouping, findings());
    else yield listResult(findings(), view);
    reporter.reportAtEnd(`${plural(count, 'download')} under embargo`);
    reporter.reportAtEnd(
      'The embargoes are those that the files have now. One that was changed or lifted since a download is not known.',
    );
    const why = "the service's list of files does not contain the file";
    unlisted.warn('unlisted-file', `could not be checked, because ${why}`);
    undated.warn('undated-download', 'of files with an embargo have no readable time');
    if (input.options.fail && count > 0) {
      throw new MarError('check', `${plural(count, 'download')} under embargo`);
    }
  },
};

/** The files of the service by id, each with its embargo, if it has one. */
async function readFiles(context: Context, input: Input, extent: Extent) {
  const files = new Map<string, Embargo>();
  for await (const page of listPages(context, { endpoint: 'fileList', input }, extent)) {
    for (const { value } of page) {
      files.set(textAt(value, '_id'), embargoOf(value, context.session.clock));
    }
  }
  return files;
}
