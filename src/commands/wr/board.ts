import { MarError } from '../../errors.ts';
import { option, stringOption } from '../../input.ts';
import { distinctIds, idsArgument } from '../../reads/get.ts';
import { remember, rememberShown } from '../../session/remember.ts';
import { listedRequests } from '../../session/tracked.ts';
import type { Command } from '../command.ts';
import { filterOptions, rowFilter } from './boardFilters.ts';
import { boardRows, boardView, isBoardDrawn, readBoard } from './boardRows.ts';
import { showBoard } from './boardScreen.ts';
import { byGroup, type Grouping, groupings, splitBatches } from './boardSections.ts';

export const command: Command = {
  isPaged: true,
  summary: 'Show many work requests at once: late ones first, and why',
  details:
    'Without ids, it shows the work requests of mar today: those that you created or track, or else those that you opened. Late ones ' +
    'come first, then the others by the time left, in groups. Below each, mar prints why it is not done: status, missing ' +
    'materials, reason. In a pipe, every record has one more field: board, with late, due, timeLeftMs, since, ' +
    'missing, waitsFor, canAct, lastStatusBy and changes (since you last saw it on a screen). Ids that cannot be read are reported after the others, with the exit code of wr get.',
  view: boardView,
  arguments: [{ ...idsArgument, optional: true, completes: { idOf: 'WorkRequest' } }],
  options: [
    ...filterOptions,
    option('--group <field>', 'field for the groups below the late ones', {
      choices: groupings,
      default: 'status',
    }),
  ],
  examples: {
    'Show what is late, and why': 'mar wr board',
    'Show two work requests': 'mar wr board wr-2001 wr-2004',
    'Read ids from a file, and group by territory': 'mar wr board - --group territory < ids.txt',
    'Print the ids of the late ones': "mar wr board --jq 'select(.board.late)._id'",
  },
  async *run(context, input) {
    const arrange = byGroup((stringOption(input, 'group') ?? 'status') as Grouping);
    const isGiven = input.arguments.length > 0;
    const filter = await rowFilter(context, input);
    const { ids, sources } = isGiven
      ? { ids: await distinctIds(context, input), sources: [] }
      : listedRequests(context);
    const readings = await readBoard(context, ids);
    context.world.signal.throwIfAborted();
    // Before they are remembered, because the changes since then are marked.
    const rows = filter.apply(await boardRows(context, readings));
    const typed = readings.flatMap(({ id, record }) =>
      record && input.arguments.includes(id) ? [{ id, record }] : [],
    );
    await remember(context.session, 'WorkRequest', typed);
    const isFolded = !isGiven && filter.flags === '' && isBoardDrawn(context);
    const { loose, notes } = splitBatches(context, rows, isFolded);
    yield* showBoard(context, loose, { arrange, source: sources.join(' and '), notes });
    const records = loose.flatMap(({ record }) => record?.value ?? []);
    await rememberShown(context.session, 'WorkRequest', records);
    const failures = readings.flatMap(({ error }) => error ?? []);
    if (failures.length > 0) throw MarError.together(failures);
  },
};
