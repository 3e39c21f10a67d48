import { endpoints } from '../api/endpoints.ts';
import { type Command, type Noun, type Option, textOption } from './command.ts';
import { groupings } from './downloads/tally.ts';
import { list, listOptions } from './verbs/list.ts';
import { downloadView } from './views/download.ts';

/** The service's own filters. Their meaning is not documented: they are passed on as they are. */
const filters: readonly Option[] = endpoints.downloadList.query.map((name) => ({
  flags: `--${name} <text>`,
  summary: `the filter "${name}" of the service, passed on as it is`,
}));

const summary: Option = {
  flags: '--summary <what>',
  summary: 'count them instead, all of them unless --limit or --range says otherwise',
  choices: groupings,
};

const listDownloads: Command = {
  name: 'list',
  summary: 'List downloads',
  endpoint: 'downloadList',
  options: [...filters, summary, ...listOptions],
  details:
    'With --summary only the counts are kept, however many downloads there are. Days are those of the ' +
    'time zone of this machine (TZ), days without downloads among them; all else is ordered by count.',
  examples: [
    { does: 'The first ten', line: 'mar downloads list' },
    { does: 'Search', line: 'mar downloads list --q trailer --limit 50' },
    {
      does: 'Everything, for a script',
      line: 'mar downloads list --all --jsonl > downloads.jsonl',
    },
    { does: 'How many a day?', line: 'mar downloads list --summary day' },
    {
      does: 'What is wanted most?',
      line: "mar downloads list --summary asset --json | jq -r '.[0].name'",
    },
  ],
  async run(context, input) {
    const by = groupings.find((grouping) => grouping === textOption(input, 'summary'));
    if (by === undefined) return list(context, 'downloadList', downloadView, input);
    const { summarise } = await import('./downloads/summary.ts');
    return summarise(context, by, input);
  },
};

export const downloads: Noun = {
  commands: [listDownloads],
  view: downloadView,
  examples: [{ does: 'List downloads', line: 'mar downloads list --limit 50' }],
};
