import type { Context } from '../context.ts';
import { MarError, usageError } from '../errors.ts';
import { isBlocked } from '../records/status.ts';
import { commandLine } from '../values/commandLine.ts';
import { plural, pluralNoun } from '../values/numbers.ts';
import { type Command, type Input, stringOption } from './command.ts';
import { learnValues, looksOf } from './read/remember.ts';
import { explainNothingKnown, knownIds } from './read/tracked.ts';
import { readInterval, watchOptions } from './wr/board.ts';
import { printBoard } from './wr/boardDraw.ts';
import {
  type Arrange,
  type BoardRow,
  boardView,
  type Changes,
  changesSince,
  describedChanges,
  filled,
  isBoardDrawn,
  type Reading,
  readBoard,
  readRows,
  rowsOf,
  type Section,
  unreadable,
} from './wr/boardRows.ts';

export const command: Command = {
  name: 'today',
  summary: 'Show what needs your attention, and who has to act',
  details:
    'The service cannot list work requests, so mar reads those that this machine knows for your account: those that you track ' +
    '(mar wr track), created or used, and those that notifications and events named. It leaves out finished ones and shows four ' +
    'groups: late, due in 24 hours, blocked, waiting or missing materials, and changed since you last looked. The others are ' +
    'one line. mar wr board shows them all. The exit code is 0 whatever is late; with --fail-late it is 3. In a pipe, ' +
    'every record has one more field: board, as in wr board, with group and changes.',
  view: boardView,
  options: [
    {
      flags: '--from <file>',
      summary: 'also read the ids in this file: one on each line, or CSV or JSON lines with _id',
      completes: 'file',
    },
    { flags: '--only', summary: 'with --from: only the ids in the file' },
    { flags: '--fail-late', summary: 'exit with 3 if something is late' },
    ...watchOptions,
    {
      flags: '--notify',
      summary:
        'with --watch: notify you of changes, with a notification if the terminal can show one, otherwise with the bell',
    },
  ],
  examples: {
    'Show what needs your attention': 'mar today',
    'Use the list of your team as well': 'mar today --from team.txt',
    'Print the ids of what is late': "mar today --jq 'select(.board.late)._id'",
    'Fail in a nightly job if something is late': 'mar today --fail-late --from team.txt --only',
  },
  checkFlags: readFlags,
  async run(context, input) {
    const { intervalMs, isWatched, isNotified, from, isOnly } = readFlags(input);
    const findIds = async () => {
      const known = isOnly ? [] : knownIds(context);
      if (from === undefined) return known;
      const { idsInFile } = await import('./read/idFile.ts');
      return [...new Set([...known, ...(await idsInFile(context, from))])];
    };
    const ids = await findIds();
    if (ids.length === 0 && from === undefined) explainNothingKnown(context);
    const first: Reading[] = [];
    const interruption = await readBoard(context, ids, first).then(
      () => undefined,
      (error: unknown) => {
        if (!context.world.signal.aborted) throw error;
        const read = `${first.length} of ${plural(ids.length, 'work request')}`;
        context.reportOnce(`Stopped after ${read}`, 'essential');
        return error;
      },
    );
    const failures = first.flatMap(({ error }) => error ?? []);
    if (failures.length > 0 && failures.length === first.length && !interruption) {
      throw MarError.together(failures);
    }
    const rows = rowsOf(context, first);
    const changes = changesSince(context, rows);
    if (isWatched && !interruption && ids.length > 0) {
      const { watchBoard } = await import('./wr/boardWatch.ts');
      return watchBoard(context, {
        first,
        arrange: arrangeBy(changes),
        intervalMs,
        findIds,
        changes: describedChanges(changes),
        hasActors: true,
        onChange: isNotified ? (texts) => notifyOf(context, texts) : undefined,
      });
    }
    const hidden = await print(context, rows, changes);
    reportUnreadable(context, first);
    const records = first.flatMap(({ id, record }) =>
      hidden.has(id) ? [] : (record?.value ?? []),
    );
    await context.memory.add(await looksOf(context, records));
    await learnValues(context, 'WorkRequest', records);
    if (interruption) throw interruption;
    const late = rows.filter(({ isLate }) => isLate).length;
    if (input.options.failLate && late > 0) {
      throw new MarError(
        'check',
        `${plural(late, 'work request')} ${late === 1 ? 'is' : 'are'} late`,
      );
    }
  },
};

function readFlags(input: Input) {
  const { only, notify, watch } = input.options;
  const from = stringOption(input, 'from');
  if (only === true && from === undefined) throw usageError('--only needs --from FILE');
  if (notify === true && watch !== true) throw usageError('--notify needs --watch');
  return {
    from,
    isOnly: only === true,
    isNotified: notify === true,
    isWatched: watch === true,
    intervalMs: readInterval(input),
  };
}

const groups: Readonly<
  Record<string, [heading: string, isIn: (row: BoardRow, changes: Changes) => boolean]>
> = {
  late: ['Late', ({ isLate }) => isLate],
  'due-soon': ['Due in 24 hours', ({ isSoon }) => isSoon],
  blocked: [
    'Blocked, waiting or missing materials',
    ({ status, missing }) => missing.length > 0 || isBlocked(status),
  ],
  changed: ['Changed since you last looked', ({ id }, changes) => changes.has(id)],
  other: ['Others', () => true],
};

/** Each request is in the first group that fits. Finished ones are in none. */
const arrangeBy =
  (changes: Changes): Arrange =>
  (rows) => {
    let left = readRows(rows).filter(({ isSettled }) => !isSettled);
    const sections = Object.entries(groups).map(([name, [heading, isIn]]): Section => {
      const taken = left.filter((row) => isIn(row, changes));
      left = left.filter((row) => !taken.includes(row));
      return { name, heading, rows: taken, isLate: name === 'late' };
    });
    return filled([...sections, unreadable(rows)]);
  };

/** Returns the ids that did not fit on the screen: their changes are still news the next time. */
async function print(
  context: Context,
  rows: readonly BoardRow[],
  changes: Changes,
): Promise<ReadonlySet<string>> {
  const arrange = arrangeBy(changes);
  const hidden = new Set<string>();
  if (!isBoardDrawn(context)) {
    const open = rows.filter(({ isSettled }) => !isSettled);
    await printBoard(context, open, {
      arrange,
      facts: (row, { name }) => ({ group: name, changes: [...(changes.get(row.id) ?? [])] }),
    });
    return hidden;
  }
  const { stdout } = context.streams;
  const sections = arrange(rows);
  const shown = sections.filter(({ name }) => name !== 'other');
  const closing = closingLine(rows, sections, changes);
  await printBoard(context, rows, {
    arrange: () => shown,
    changes: describedChanges(changes),
    hasActors: true,
    listsUnreadable: true,
    closing,
    onHidden: (cut) => {
      for (const { id } of cut) hidden.add(id);
    },
    moreHint: '; to see all, run: mar wr board',
    // The prompt of the shell takes one line.
    height: stdout.isTerminal && !context.isAccessible ? stdout.rows - 1 : undefined,
  });
  return hidden;
}

/** The requests that need no attention, in numbers. */
function closingLine(
  rows: readonly BoardRow[],
  sections: readonly Section[],
  changes: Changes,
): string {
  const calm = sections.find(({ name }) => name === 'other')?.rows ?? [];
  const finished = rows.filter(({ id, isSettled }) => isSettled && changes.has(id));
  const read = rows.filter(({ problem }) => problem === undefined);
  const needy = read.filter(({ isSettled }) => !isSettled).length - calm.length;
  const parts = [
    needy === 0
      ? 'Nothing needs your attention'
      : `${plural(needy, 'work request')} ${needy === 1 ? 'needs' : 'need'} attention`,
    ...(calm.length > 0 ? [`${calm.length} ${pluralNoun(calm.length, 'other')} on time`] : []),
    ...(finished.length > 0
      ? [`finished since you last looked: ${finished.map(({ id }) => id).join(', ')}`]
      : []),
  ];
  return parts.join('; ');
}

/** A board lists what cannot be read; programs get warnings. What is gone for good can be forgotten. */
function reportUnreadable(context: Context, readings: readonly Reading[]): void {
  const failed = readings.flatMap(({ id, error }) => (error ? [{ id, error }] : []));
  if (!isBoardDrawn(context)) {
    for (const { error } of failed) context.warn('not-read', error.message);
  }
  const gone = failed.filter(({ error }) => ['not-found', 'auth'].includes(error.kind));
  if (gone.length === 0) return;
  const command = ['mar wr untrack', ...gone.map(({ id }) => commandLine`${id}`)].join(' ');
  context.reportAtEnd(`To take what is gone off your list, run: ${command}`);
}

async function notifyOf(context: Context, changes: ReadonlyMap<string, string>): Promise<void> {
  const { streams, world } = context;
  if (!streams.stderr.isTerminal) return;
  const { notify } = await import('../terminal/notify.ts');
  const text = [...changes].map(([id, change]) => `${id}: ${change}`).join('; ');
  // A terminal that is gone needs no notification.
  await notify(streams.stderr, world.env, `mar: ${text}`).catch(() => {});
}
