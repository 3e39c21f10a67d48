import { MarError } from '../../errors.ts';
import { type Input, stringOption } from '../../input.ts';
import { textAt, valueAt } from '../../json/fields.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { listResult } from '../../output/result.ts';
import type { View } from '../../output/view.ts';
import { listedNames } from '../../reads/knownUsers.ts';
import { listPages, wholeList } from '../../reads/list.ts';
import { type Embargo, embargoEnd, embargoOf, isUnderEmbargo } from '../../records/embargo.ts';
import { safeText } from '../../records/look.ts';
import type { Context } from '../../session/context.ts';
import { lazily } from '../../values/concurrency.ts';
import { groupDigits, plural } from '../../values/numbers.ts';
import type { Command } from '../command.ts';
import { knownFields, nameOf } from '../viewParts.ts';
import { downloadPages, sinceOption } from './period.ts';
import { summarise } from './summary.ts';

const view: View = {
  knownFields: knownFields('download'),
  columns: [
    { title: 'When', path: 'created', kind: 'time', importance: 6 },
    { title: 'Who', path: 'user.name', importance: 5 },
    { title: 'User id', path: 'user._id', isOffScreen: true },
    { title: 'File', path: 'file.name', importance: 5 },
    { title: 'Asset', path: 'asset.name', importance: 3, within: 'project.name' },
    { title: 'Asset id', path: 'asset._id', isOffScreen: true },
    { title: 'Embargo ends', path: 'embargo.end', kind: 'time', importance: 4, words: embargoEnd },
    { title: 'Until event', path: 'embargo.event', isOffScreen: true },
    { title: 'Project', path: 'project.name', importance: 2 },
    { title: 'Id', path: '_id', isOffScreen: true },
  ],
};

export const command: Command = {
  name: 'audit',
  isPaged: true,
  summary: 'List downloads of files while they were under embargo',
  details:
    'mar reads all files, with the embargoes that they have now, and all downloads. A download counts if it was before the end of ' +
    'the embargo; an embargo without an end lasts until an event. The list has the name of the user, or the id if the list of ' +
    'users does not contain it. mar cannot know an embargo that was changed or lifted since, and warns of files that the list of ' +
    'files does not contain. The exit code is 0; with --fail it is 3 if there is such a download.',
  view,
  options: [
    sinceOption,
    {
      flags: '--summary <what>',
      summary: 'count them by user or by file',
      choices: ['user', 'file'],
    },
    { flags: '--fail', summary: 'exit with 3 if there is such a download' },
  ],
  examples: {
    'List them all': 'mar downloads audit',
    'Save those of the last month for the lawyers':
      'mar downloads audit --since 1mo -O embargo.xlsx',
    'Fail in a nightly job': 'mar downloads audit --since 1d --fail',
  },
  async *run(context, input) {
    const audit = auditOf(context, await readFiles(context, input));
    const extent = { ...wholeList(context, input), isNeededWhole: true };
    const pages = audit.findings(downloadPages(context, input, extent));
    const by = stringOption(input, 'summary') as 'user' | 'file' | undefined;
    if (by) yield* summarise(context, by, pages);
    else yield listResult(pages, view);
    const count = audit.report();
    if (input.options.fail && count > 0) {
      throw new MarError('check', `${plural(count, 'download')} under embargo`);
    }
  },
};

/** The files of the service by id, each with its embargo, if it has one. */
async function readFiles(context: Context, input: Input) {
  const files = new Map<string, Embargo | undefined>();
  const extent = { ...wholeList(context, input), isNeededWhole: true };
  for await (const page of listPages(context, { endpoint: 'fileList', input }, extent)) {
    for (const { value } of page)
      files.set(textAt(value, '_id'), embargoOf(value, context.session.clock));
  }
  return files;
}

const maxNamed = 3;

function auditOf(context: Context, files: ReadonlyMap<string, Embargo | undefined>) {
  const { date } = context.session.clock;
  const names = lazily(() => listedNames(context));
  const people = new Map<string, number>();
  const downloaded = new Map<string, number>();
  const unlisted: string[] = [];
  const counts = { found: 0, unlisted: 0 };
  const add = (tally: Map<string, number>, name: string) =>
    tally.set(name, (tally.get(name) ?? 0) + 1);

  async function* findings(pages: AsyncIterable<readonly ServiceRecord[]>) {
    for await (const page of pages) {
      const found: ServiceRecord[] = [];
      for (const { value } of page) {
        const id = textAt(value, 'file._id') || textAt(value, 'file');
        const created = date(valueAt(value, 'created'));
        const embargo = files.get(id);
        if (!files.has(id)) {
          counts.unlisted += 1;
          if (unlisted.length < maxNamed && !unlisted.includes(id)) unlisted.push(safeText(id));
        } else if (created && isUnderEmbargo(embargo, created)) {
          const user = safeText(valueAt(value, 'user._id') ?? valueAt(value, 'user'));
          const name = (await names()).get(user) ?? user;
          counts.found += 1;
          add(people, name || 'somebody');
          add(downloaded, safeText(nameOf(value, 'file')));
          found.push(
            ServiceRecord.fromValue({
              ...(value as object),
              user: { _id: user || null, name: name || null },
              embargo: embargo?.field,
            }),
          );
        }
      }
      if (found.length > 0) yield found;
    }
  }

  /** Returns the number of downloads. */
  const report = () => {
    const { reporter } = context;
    const total = `${plural(counts.found, 'download')} under embargo`;
    reporter.reportAtEnd(
      counts.found === 0
        ? `No download under embargo, of ${plural(files.size, 'file')}`
        : `${total}. By user: ${mostOf(people)}. By file: ${mostOf(downloaded)}`,
    );
    reporter.reportAtEnd(
      'The embargoes are those that the files have now. One that was changed or lifted since a download is not known.',
    );
    if (counts.unlisted > 0) {
      const some = `${unlisted.join(', ')}${counts.unlisted > unlisted.length ? ', …' : ''}`;
      reporter.warn(
        'unlisted-file',
        `${plural(counts.unlisted, 'download')} could not be checked, because the service's list of files does not contain the file: ${some}`,
      );
    }
    return counts.found;
  };
  return { findings, report };
}

/** `Marc Dubois 12, Greta Vogel 3, 2 others` */
function mostOf(tally: ReadonlyMap<string, number>): string {
  const sorted = [...tally].sort(([, a], [, b]) => b - a);
  const named = sorted.slice(0, maxNamed).map(([name, count]) => `${name} ${groupDigits(count)}`);
  const others = sorted.length - named.length;
  return [...named, ...(others > 0 ? [plural(others, 'other')] : [])].join(', ');
}
