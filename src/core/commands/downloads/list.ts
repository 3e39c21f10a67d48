import { endpoints } from '../../api/endpoints.ts';
import { type Input, option, stringOption } from '../../input.ts';
import { textAt } from '../../json/fields.ts';
import { listResult } from '../../output/result.ts';
import { learnNames } from '../../reads/knownUsers.ts';
import { type Extent, listOptions, readExtent, wholeList } from '../../reads/listRecords.ts';
import type { Context } from '../../session/context.ts';
import { learnValues } from '../../session/remember.ts';
import type { Command } from '../command.ts';
import { downloadPages, sinceOption } from './filters.ts';
import { groupings, summarise } from './summary.ts';
import { downloadView } from './view.ts';

const { query } = endpoints.downloadList;

/** The API names these filters but does not document them, so each says what the sandbox expects. */
const filterSummaries: Readonly<Record<(typeof query)[number], string>> = {
  q: 'text to find, sent as q; the sandbox looks in the names of file, asset and project',
  studios: 'studios, sent unchanged; the sandbox expects ids separated by commas',
  projects: 'names or ids of projects, separated by commas',
  types: 'asset types, separated by commas; for trailer.intl, trailer may be enough',
  user: 'name, e-mail or id of a user',
  created:
    'a day or days: 2026-11-14, 14 Nov, monday, yesterday, 2026-11-01..2026-11-14; other text is sent as created',
  type: 'asset type; for trailer.intl, trailer may be enough',
  order: 'order, sent unchanged; the sandbox expects a field; -created is newest first',
};

export const command: Command = {
  isPaged: true,
  summary: 'List which file was downloaded, when, and by whom if the service says it',
  endpoint: 'downloadList',
  view: downloadView,
  options: [
    ...query.map((name) => option(`--${name} <text>`, filterSummaries[name])),
    sinceOption,
    option(
      '--summary <what>',
      'count downloads by this; reads the whole list unless --limit or --range is given',
      { choices: groupings },
    ),
    ...listOptions,
  ],
  details:
    'For --since, and for --created with days (A..B includes both days; A.. and ..B work too), mar reads the whole list and takes all matches, unless you give --limit or --range. Days are in the time zone of this machine (TZ), as in a summary by day; monday and 1 Nov are the last ones, or today. All other filters go to the service, which does not document their values. A name of a user, a type or a project (if it has a space or a capital letter) is looked up, and mar prints the id that it sends; what is no known name is sent unchanged. The flags say what the sandbox expects; your service may differ. A summary by day is sorted by day, any other by count; downloads without the value come last. A summary by user takes names that the downloads lack from the list of users.',
  examples: {
    'List the first ten downloads': 'mar downloads list',
    'Search by name': 'mar downloads list --q trailer --limit 50',
    'Save all downloads for a script': 'mar downloads list --all -O downloads.jsonl',
    'List the downloads of two weeks': 'mar downloads list --created 2026-11-01..2026-11-14',
    'List the downloads of yesterday': 'mar downloads list --created yesterday',
    'List what somebody downloaded': "mar downloads list --user 'Greta Vogel' --all",
    'Save three months of downloads for a spreadsheet':
      'mar downloads list --since 3mo -O downloads.xlsx',
    'Count downloads per day of the last week': 'mar downloads list --since 7d --summary day',
    'Count all downloads per day': 'mar downloads list --summary day',
    'Find the most downloaded asset':
      "mar downloads list --summary asset --json | jq -r '.[0].name'",
  },
  async *run(context, input) {
    const grouping = groupings.find((name) => name === stringOption(input, 'summary'));
    if (grouping) {
      const extent = readExtent(context, input) ?? wholeList(context, input);
      const pages = learntPages(context, input, extent);
      return yield* summarise(context, grouping, pages);
    }
    yield listResult(learntPages(context, input), downloadView);
  },
};

/** Learns the asset types of the first page, and the names of its users for a sheet. */
async function* learntPages(context: Context, input: Input, extent?: Extent) {
  const { session, flags } = context;
  const hasNames = flags.names || flags.format === 'xlsx';
  let isEmpty = true;
  for await (const page of downloadPages(context, input, extent)) {
    const records = page.map(({ value }) => value);
    if (hasNames)
      await learnNames(context, records.map((one) => textAt(one, 'user')).filter(Boolean));
    yield page;
    if (isEmpty) await learnValues(session, 'Download', records);
    isEmpty = false;
  }
}
