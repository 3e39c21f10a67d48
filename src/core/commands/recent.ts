import { endpointsOf, type Resource, resourceNoun } from '../api/endpoints.ts';
import { type Hint, hintList, runHint } from '../errors.ts';
import { textAt } from '../json/fields.ts';
import { rowsResult } from '../output/result.ts';
import type { Column } from '../output/viewType.ts';
import { extentOptions, noteCount, readExtent } from '../reads/listRecords.ts';
import { nothingUsedNote } from '../session/remember.ts';
import { trackHint } from '../session/tracked.ts';
import { words } from '../values/commandLine.ts';
import { formatRelative } from '../values/time.ts';
import type { Command } from './command.ts';
import { kindColumns, kindOf, parseKind, recordKinds, usedRecords } from './kinds.ts';

const defaultLimit = 20;

export const command: Command = {
  isPaged: true,
  summary: 'List the records that you used recently, newest first',
  details:
    'These are the records that you showed, created or changed on this machine at this service. mar ' +
    'remembers their ids and names, and sends no request. To delete this list and remember nothing more, run: mar config set remember-ids off',
  arguments: [
    {
      name: 'kind',
      summary: `kind of record: ${recordKinds.map(({ name }) => name).join(', ')}`,
      optional: true,
      completes: recordKinds.map(({ name }) => ({ value: name })),
    },
  ],
  options: extentOptions
    .filter(({ flags }) => !flags.startsWith('--page-size'))
    .map((option) =>
      option.flags.startsWith('--limit') ? { ...option, default: String(defaultLimit) } : option,
    ),
  examples: {
    'List what you used recently': 'mar recent',
    'List work requests only': 'mar recent wr',
    'Show the last asset again': 'mar recent asset --limit 1 --jq .id | mar asset get -',
  },
  async *run(context, input) {
    const [word] = input.arguments;
    const resource = word === undefined ? undefined : parseKind(word);
    const extent = readExtent(context, input) ?? { from: 0, to: defaultLimit - 1, pageSize: 100 };
    const { session, reporter } = context;
    const used = usedRecords(session, resource);
    const shown = used.slice(0, (extent.to ?? used.length) + 1);
    yield rowsResult(shown, columns);
    const [count, total] = [shown.length, used.length];
    if (total > 0) return noteCount(context, extent, { count, total });
    const noun = resource === undefined ? 'record' : resourceNoun(resource);
    const note = nothingUsedNote(session, noun);
    reporter.reportAtEnd(
      session.memory.isDisabled ? note : [...hintList(note), ...searchHints(resource)],
    );
  },
};

function searchHints(resource: Resource | undefined): (string | Hint)[] {
  const noList = ['The service cannot list work requests.', trackHint];
  const search = words`mar find WORDS`;
  if (resource === undefined) return [runHint('To search', search), ...noList];
  if (resource === 'WorkRequest') return noList;
  const isListed = endpointsOf(resource).some(({ range }) => range);
  return isListed
    ? [runHint('To search', [...search, ...words`--kind ${kindOf(resource) ?? ''}`])]
    : ['The service cannot list them'];
}

const columns: readonly Column[] = [
  ...kindColumns,
  {
    title: 'Last used',
    path: 'lastUsed',
    importance: 2,
    words: (record, { now }) => formatRelative(new Date(textAt(record, 'lastUsed')), now),
  },
];
