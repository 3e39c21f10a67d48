import { endpoints } from '../../api/endpoints.ts';
import { type Command, type Option, stringOption } from '../command.ts';
import { list, listOptions } from '../read/list.ts';
import { downloadPages } from './period.ts';
import { groupings, summarise } from './summary.ts';
import { downloadView } from './view.ts';

/** The service's filters. Their meaning is not documented, so values are passed on unchanged. */
const filterOptions: readonly Option[] = endpoints.downloadList.query.map((name) => ({
  flags: `--${name} <text>`,
  summary:
    name === 'created'
      ? 'downloads of these days: 2026-11-01..2026-11-14; else as the other filters'
      : `the filter "${name}" of the service, passed on as it is`,
}));

export const command: Command = {
  name: 'list',
  summary: 'List downloads',
  endpoint: 'downloadList',
  view: downloadView,
  options: [
    ...filterOptions,
    {
      flags: '--since <time>',
      summary: 'downloads of the last 12h, 7d, 2w, or since a day: 2026-11-01',
    },
    {
      flags: '--summary <what>',
      summary: 'count them instead, all of them unless --limit or --range says otherwise',
      choices: groupings,
    },
    ...listOptions,
  ],
  details:
    'What the filters of the service mean is not documented. So days (--created A..B, both included; A.. ' +
    'and ..B too) and --since are picked here, from all downloads there are, or from those of --range; ' +
    '--limit is then how many of them to show. ' +
    'With --summary only the counts are kept, however many downloads there are. Days are those of the ' +
    'time zone of this machine (TZ), days without downloads among them; all else is ordered by count.',
  examples: [
    { does: 'The first ten', line: 'mar downloads list' },
    { does: 'Search', line: 'mar downloads list --q trailer --limit 50' },
    {
      does: 'Everything, for a script',
      line: 'mar downloads list --all --jsonl > downloads.jsonl',
    },
    { does: 'Of two weeks', line: 'mar downloads list --created 2026-11-01..2026-11-14' },
    { does: 'How many a day this week?', line: 'mar downloads list --since 7d --summary day' },
    { does: 'How many a day?', line: 'mar downloads list --summary day' },
    {
      does: 'What is wanted most?',
      line: "mar downloads list --summary asset --json | jq -r '.[0].name'",
    },
  ],
  async run(context, input) {
    const { since, created } = input.options;
    const grouping = groupings.find((name) => name === stringOption(input, 'summary'));
    if (grouping) return summarise(context, grouping, input);
    if (since === undefined && created === undefined) {
      return list(context, { endpoint: 'downloadList', view: downloadView, input });
    }
    await context.printer.list(downloadPages(context, input), downloadView);
  },
};
