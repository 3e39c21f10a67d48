import { MarError } from '../errors.ts';
import { fromOption, idsFrom } from '../reads/idFile.ts';
import { isBlocked } from '../records/status.ts';
import type { Context } from '../session/context.ts';
import { warnOfUnknownOrders } from '../session/openOrders.ts';
import { rememberShown } from '../session/remember.ts';
import { knownIds, nothingKnownNote } from '../session/tracked.ts';
import { commandLine, withProfile } from '../values/commandLine.ts';
import { plural, pluralNoun } from '../values/numbers.ts';
import type { Command } from './command.ts';
import { readInterval, watchOptions } from './wr/board.ts';
import {
  type Arrange,
  type BoardRow,
  boardView,
  isBoardDrawn,
  type Reading,
  readBoard,
  rowsOf,
} from './wr/boardRows.ts';
import { showBoard, watchBoard } from './wr/boardScreen.ts';

export const command: Command = {
  name: 'today',
  summary: 'Show what needs your attention, and who can act',
  details:
    'The service cannot list work requests, so mar reads those that this machine knows for your account: those that you track ' +
    '(mar wr track), created or used, and those that notifications and events named. It leaves out finished ones and shows four ' +
    'groups: late, due in 24 hours, blocked, waiting or missing materials, and changed since you last looked. The others are ' +
    'one line. mar wr board shows them all. The exit code is 0 whatever is late; with --fail-late it is 3. In a pipe, ' +
    'every record has one more field: board, as in wr board, with group.',
  view: boardView,
  options: [
    fromOption,
    { flags: '--only', summary: 'with --from: only the ids in the file', needs: '--from FILE' },
    { flags: '--fail-late', summary: 'exit with 3 if something is late' },
    ...watchOptions,
    {
      flags: '--notify',
      summary:
        'with --watch: notify you of changes, with a notification if the terminal can show one, otherwise with the bell',
      needs: '--watch',
    },
  ],
  examples: {
    'Show what needs your attention': 'mar today',
    'Use the list of your team as well': 'mar today --from team.txt',
    'Print the ids of what is late': "mar today --jq 'select(.board.late)._id'",
    'Fail in a nightly job if something is late': 'mar today --fail-late --from team.txt --only',
  },
  async *run(context, input) {
    const { only, from, watch, failLate } = input.options;
    const isNotified = input.options.notify === true;
    const intervalMs = readInterval(input);
    const findIds = async () => {
      const known = only ? [] : knownIds(context.session);
      return [...new Set([...known, ...(await idsFrom(context, input))])];
    };
    const ids = await findIds();
    if (ids.length === 0 && !from) context.reporter.reportAtEnd(nothingKnownNote(context.session));
    const first = await readBoard(context, ids);
    const { signal } = context.world;
    const isStopped = signal.aborted;
    const failures = first.flatMap(({ error }) => error ?? []);
    if (isStopped) {
      const read = `${first.length} of ${plural(ids.length, 'work request')}`;
      context.reporter.reportOnce(`Stopped after ${read}`, 'essential');
    } else if (failures.length > 0 && failures.length === first.length) {
      throw MarError.together(failures);
    } else if (watch && ids.length > 0) {
      return yield* watchBoard(context, { first, arrange, intervalMs, findIds, isNotified });
    }
    const rows = rowsOf(context, first);
    // Their changes are still news the next time.
    const hidden = yield* show(context, rows);
    reportUnreadable(context, first);
    await warnOfUnknownOrders(context);
    const shown = rows.filter((row) => !hidden.includes(row));
    const records = shown.flatMap(({ record }) => record?.value ?? []);
    await rememberShown(context.session, 'WorkRequest', records);
    if (isStopped) throw signal.reason;
    const late = rows.filter(({ board }) => board.late).length;
    if (!failLate || late === 0) return;
    const verb = late === 1 ? 'is' : 'are';
    throw new MarError('check', `${plural(late, 'work request')} ${verb} late`);
  },
};

const isStuck = ({ status, board }: BoardRow) => board.missing.length > 0 || isBlocked(status);

const groups: readonly [name: string, heading: string, isIn: (row: BoardRow) => boolean][] = [
  ['late', 'Late', ({ board }) => board.late],
  ['due-soon', 'Due in 24 hours', ({ isSoon }) => isSoon],
  ['blocked', 'Blocked, waiting or missing materials', isStuck],
  ['changed', 'Changed since you last looked', ({ board }) => board.changes.length > 0],
  ['other', 'Others', () => true],
];

/** Each request is in the first group that fits. Finished ones are in none. */
const groupOf = (row: BoardRow) =>
  row.isSettled ? undefined : groups.find(([, , isIn]) => isIn(row))?.[0];

const arrange: Arrange = (rows) =>
  groups.map(([name, heading]) => {
    return { name, heading, rows: rows.filter((row) => groupOf(row) === name) };
  });

/** Returns the rows that did not fit on the screen. */
function show(context: Context, rows: readonly BoardRow[]): ReturnType<typeof showBoard> {
  const open = rows.filter(({ isSettled }) => !isSettled);
  if (!isBoardDrawn(context)) return showBoard(context, open, { arrange });
  return showBoard(context, open, {
    arrange: (read) => arrange(read).filter(({ name }) => name !== 'other'),
    listsUnreadable: true,
    closing: rows.length === 0 ? undefined : closingLine(rows),
    moreHint: withProfile('; to see all, run: mar wr board', context.flags.profile),
    fitsScreen: context.world.streams.stdout.isTerminal && !context.reporter.isAccessible,
  });
}

/** The requests that need no attention, in numbers. */
function closingLine(rows: readonly BoardRow[]): string {
  const open = rows.filter(({ problem, isSettled }) => problem === undefined && !isSettled);
  const calm = open.filter((row) => groupOf(row) === 'other').length;
  const needy = open.length - calm;
  const finished = rows.filter(({ isSettled, board }) => isSettled && board.changes.length > 0);
  const parts = [
    needy === 0
      ? 'Nothing needs your attention'
      : `${plural(needy, 'work request')} ${needy === 1 ? 'needs' : 'need'} attention`,
    calm > 0 && `${calm} ${pluralNoun(calm, 'other')} on time`,
    finished.length > 0 &&
      `finished since you last looked: ${finished.map(({ id }) => id).join(', ')}`,
  ];
  return parts.filter(Boolean).join('; ');
}

/** A board lists what cannot be read; programs get warnings. What is gone for good can be forgotten. */
function reportUnreadable(context: Context, readings: readonly Reading[]): void {
  const gone: string[] = [];
  for (const { id, error } of readings) {
    if (error && !isBoardDrawn(context)) context.reporter.warn('not-read', error.message);
    if (error && ['not-found', 'auth'].includes(error.kind)) gone.push(commandLine`${id}`);
  }
  if (gone.length === 0) return;
  const command = ['mar wr untrack', ...gone].join(' ');
  context.reporter.reportAtEnd(`To take what is gone off your list, run: ${command}`);
}
