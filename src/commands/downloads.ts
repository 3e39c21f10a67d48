import { endpoints } from '../api/endpoints.ts';
import type { Command, Noun, Option } from './command.ts';
import { list, listOptions } from './verbs/list.ts';
import { downloadView } from './views/download.ts';

/** The service's own filters. Their meaning is not documented: they are passed on as they are. */
const filters: readonly Option[] = endpoints.downloadList.query.map((name) => ({
  flags: `--${name} <text>`,
  summary: `filter "${name}" of the service, passed on as it is`,
}));

const listDownloads: Command = {
  name: 'list',
  summary: 'List downloads',
  endpoint: 'downloadList',
  options: [...filters, ...listOptions],
  examples: [
    { does: 'The first ten', line: 'mar downloads list' },
    { does: 'Search', line: 'mar downloads list --q trailer --limit 50' },
    {
      does: 'Everything, for a script',
      line: 'mar downloads list --all --jsonl > downloads.jsonl',
    },
  ],
  run: (context, input) => list(context, 'downloadList', downloadView, input),
};

export const downloads: Noun = {
  commands: [listDownloads],
  view: downloadView,
  examples: [{ does: 'List downloads', line: 'mar downloads list --limit 50' }],
};
