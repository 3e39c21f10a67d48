import { pathSegment } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { parseDuration } from '../../values/duration.ts';
import { groupDigits } from '../../values/numbers.ts';
import { type Command, type Input, stringOption } from '../command.ts';
import { idsArgument, idsOf } from '../read/get.ts';
import { nothingUsedNote, recentIds, remember } from '../read/remember.ts';
import { printBoard } from './boardDraw.ts';
import { boardView, type Grouping, groupings, readBoard, rowsOf } from './boardRows.ts';

const defaultInterval = '30s';

export const command: Command = {
  name: 'board',
  summary: 'Show many work requests at once: late ones first, and why',
  details:
    'The service cannot list work requests, so name them: ids, --recent, --batch, or several of these. Late ones ' +
    'come first, then the others by the time left, in groups. Below each, mar prints why it is not done: status, missing ' +
    'materials, reason. In a pipe, every record has one more field: board, with late, due, timeLeftMs, since and ' +
    'missing. Ids that cannot be read are reported after the others, with the exit code of wr get. --watch ' +
    'clears the screen and prints the board again until Ctrl-C, and marks what changed last with *. Without a ' +
    'terminal, or with ACCESSIBLE=1, it prints the board when something has changed. Failed reads are retried.',
  view: boardView,
  arguments: [{ ...idsArgument, optional: true, completes: { idOf: 'WorkRequest' } }],
  options: [
    { flags: '--recent', summary: 'the work requests that you used recently' },
    {
      flags: '--batch <file>',
      summary: 'the work requests that wr create --batch FILE has created, from its journal',
      completes: 'file',
    },
    {
      flags: '--group <field>',
      summary: 'field for the groups below the late ones',
      choices: groupings,
      default: 'status',
    },
    { flags: '--watch', summary: 'read and print again until Ctrl-C' },
    {
      flags: '--interval <duration>',
      summary: 'time between two reads with --watch',
      default: defaultInterval,
    },
  ],
  examples: {
    'Show what is late, and why': 'mar wr board --recent',
    'Follow the work requests of a batch': 'mar wr board --batch rows.csv --watch',
    'Read ids from a file, and group by territory': 'mar wr board - --group territory < ids.txt',
    'Print the ids of the late ones': "mar wr board --recent --jq 'select(.board.late)._id'",
  },
  async run(context, input) {
    if (input.options.interval !== undefined && input.options.watch !== true) {
      throw usageError('--interval needs --watch', 'Add --watch, or leave --interval out.');
    }
    const group = (stringOption(input, 'group') ?? 'status') as Grouping;
    const intervalMs = parseDuration(
      stringOption(input, 'interval') ?? defaultInterval,
      '--interval',
    );
    const findIds = await idSource(context, input);
    const ids = await findIds();
    const isTyped = new Set(input.arguments);
    const first = await readBoard(context, ids);
    const used = first.flatMap(({ id, record }) =>
      record && isTyped.has(id) ? [{ id, record }] : [],
    );
    await remember(context, 'WorkRequest', used);
    const failures = first.flatMap(({ error }) => error ?? []);
    // A batch that has created nothing yet may be running.
    const isWatchable = first.length > 0 || input.options.batch !== undefined;
    if (input.options.watch === true && isWatchable) {
      // If nothing can be read, something is wrong that waiting does not change.
      if (failures.length > 0 && failures.length === first.length)
        throw MarError.together(failures);
      const { watchBoard } = await import('./boardWatch.ts');
      return watchBoard(context, { first, group, intervalMs, findIds });
    }
    await printBoard(context, rowsOf(context, first), { group });
    if (failures.length > 0) throw MarError.together(failures);
  },
};

/** Returns a function, since a batch that is running creates more work requests. */
async function idSource(context: Context, input: Input): Promise<() => Promise<string[]>> {
  const batch = stringOption(input, 'batch');
  const isNothingNamed = input.arguments.length === 0 && batch === undefined;
  // Without an id, other commands offer the recently used ones; a board shows them.
  const isRecent = input.options.recent === true || (isNothingNamed && context.isInteractive);
  if (isNothingNamed && !isRecent) {
    throw usageError(
      'no work requests given',
      'Give their ids, - to read ids from standard input, --recent for those that you used recently, or --batch FILE for those of a batch.',
    );
  }
  for (const id of input.arguments) pathSegment(id);
  const named: string[] = [];
  for await (const id of idsOf(context, input.arguments, 'WorkRequest')) {
    pathSegment(id);
    named.push(id);
  }
  const recent = isRecent ? recentIds(context, 'WorkRequest').map(({ id }) => id) : [];
  if (isRecent && recent.length === 0) {
    context.reportAtEnd(nothingUsedNote(context, 'work request'));
  }
  let isFirst = true;
  return async () => {
    const created = batch === undefined ? [] : await batchIds(context, batch, isFirst);
    isFirst = false;
    return [...new Set([...named, ...recent, ...created])];
  };
}

async function batchIds(context: Context, file: string, isNoted: boolean): Promise<string[]> {
  const { createdIds } = await import('../batch/createdIds.ts');
  const { ids, rows } = await createdIds(context, file, 'workRequestCreate');
  if (isNoted && ids.length < rows) {
    const counts = `${groupDigits(ids.length)} of ${groupDigits(rows)}`;
    context.reportOnce(`${counts} rows of ${file} have a work request`);
  }
  return ids;
}
