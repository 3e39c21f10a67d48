import { MarError } from '../../errors.ts';
import { type Input, type Option, option, stringOption } from '../../input.ts';
import { distinctIds, idsArgument } from '../../reads/get.ts';
import { remember, rememberShown } from '../../session/remember.ts';
import { listedRequests } from '../../session/tracked.ts';
import { parseDuration } from '../../values/duration.ts';
import type { Command } from '../command.ts';
import { filterOptions, rowFilter } from './boardFilters.ts';
import { boardRows, boardView, isBoardDrawn, readBoard, refuseUnreadable } from './boardRows.ts';
import { showBoard, watchBoard } from './boardScreen.ts';
import { byGroup, type Grouping, groupings, splitBatches } from './boardSections.ts';

const defaultInterval = '30s';

export const watchOptions: readonly Option[] = [
  option('--watch', 'read and print again until Ctrl-C', { excludes: ['--output'] }),
  option('--interval <duration>', 'time between two reads with --watch', {
    default: defaultInterval,
    needs: '--watch',
  }),
];

export const readInterval = (input: Input): number =>
  parseDuration(stringOption(input, 'interval') ?? defaultInterval, '--interval');

export const command: Command = {
  isPaged: true,
  isEndless: ({ options }) => options.watch === true,
  summary: 'Show many work requests at once: late ones first, and why',
  details:
    'Without ids, it shows the work requests of mar today: those that you created or track, or else those that you opened. Late ones ' +
    'come first, then the others by the time left, in groups. Below each, mar prints why it is not done: status, missing ' +
    'materials, reason. In a pipe, every record has one more field: board, with late, due, timeLeftMs, since, ' +
    'missing, waitsFor, canAct, lastStatusBy and changes (since you last saw it on a screen). Ids that cannot be read are reported after the others, with the exit code of wr get. --watch ' +
    'clears the screen and prints the board again until Ctrl-C, and marks what changed with *. Without a ' +
    'terminal, or with ACCESSIBLE=1, it prints the board when something has changed. Failed reads are retried.',
  view: boardView,
  arguments: [{ ...idsArgument, optional: true, completes: { idOf: 'WorkRequest' } }],
  options: [
    ...filterOptions,
    option('--group <field>', 'field for the groups below the late ones', {
      choices: groupings,
      default: 'status',
    }),
    ...watchOptions,
  ],
  examples: {
    'Show what is late, and why': 'mar wr board',
    'Follow two work requests': 'mar wr board wr-2001 wr-2004 --watch',
    'Read ids from a file, and group by territory': 'mar wr board - --group territory < ids.txt',
    'Print the ids of the late ones': "mar wr board --jq 'select(.board.late)._id'",
  },
  async *run(context, input) {
    const intervalMs = readInterval(input);
    const arrange = byGroup((stringOption(input, 'group') ?? 'status') as Grouping);
    const isGiven = input.arguments.length > 0;
    const filter = await rowFilter(context, input);
    const { ids, sources } = isGiven
      ? { ids: await distinctIds(context, input), sources: [] }
      : listedRequests(context);
    const first = await readBoard(context, ids);
    context.world.signal.throwIfAborted();
    // Before they are remembered, because the changes since then are marked.
    const rows = filter.apply(await boardRows(context, first));
    const typed = first.flatMap(({ id, record }) =>
      record && input.arguments.includes(id) ? [{ id, record }] : [],
    );
    await remember(context.session, 'WorkRequest', typed);
    if (input.options.watch && first.length > 0) {
      refuseUnreadable(first);
      const findIds = () => ids;
      return yield* watchBoard(context, { first, arrange, filter, intervalMs, findIds });
    }
    const isFolded = !isGiven && filter.flags === '' && isBoardDrawn(context);
    const { loose, notes } = splitBatches(rows, isFolded);
    yield* showBoard(context, loose, { arrange, source: sources.join(' and '), notes });
    const records = loose.flatMap(({ record }) => record?.value ?? []);
    await rememberShown(context.session, 'WorkRequest', records);
    const failures = first.flatMap(({ error }) => error ?? []);
    if (failures.length > 0) throw MarError.together(failures);
  },
};
