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

/** The API names these filters but does not document them, so each says how it works in the sandbox. */
const filterSummaries: Readonly<Record<(typeof query)[number], string>> = {
  q: 'text to find in the names of file, asset or project',
  studios: 'ids of studios, separated by commas',
  projects: 'ids or names of projects, separated by commas',
  types: 'asset types, separated by commas; for trailer.intl, trailer may be enough',
  user: 'name, e-mail or id of a user',
  created: 'a day or days: 2026-11-14, 14 Nov, monday, yesterday, 2026-11-01..2026-11-14',
  type: 'asset type; for trailer.intl, trailer may be enough',
  order: 'field to sort by; -created is newest first',
};

export const command: Command = {
  isPaged: true,
  summary: 'List which file was downloaded, when, and by whom if the service says it',
  endpoint: 'downloadList',
  view: downloadView,
  options: [
    ...query.map((name) => option(`--${name} <text>`, filterSummaries[name])),
    sinceOption,
    option('--summary <what>', 'count downloads by this, in the whole list by default', {
      choices: groupings,
    }),
    ...listOptions,
  ],
  details:
    '--since, and days in --created, are filters of mar: it reads the list to its end, until it has found --limit downloads, or only the --range. Days are in the time zone of this machine. The other filters go to the service, which does not document them: the flags say how they work in the sandbox.',
  examples: {
    'List the first ten downloads': 'mar downloads list',
    'Search by name': 'mar downloads list --q trailer --limit 50',
    'Save all downloads for a script': 'mar downloads list --all -O downloads.jsonl',
    'List the downloads of two weeks': 'mar downloads list --created 2026-11-01..2026-11-14',
    'List what somebody downloaded': "mar downloads list --user 'Greta Vogel' --all",
    'Save three months of downloads for a spreadsheet':
      'mar downloads list --since 3mo -O downloads.xlsx',
    'Count downloads per day of the last week': 'mar downloads list --since 7d --summary day',
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
