import { Context } from '../../context.ts';
import { changesBetween, describeChanges } from '../../records/look.ts';
import { notify } from '../../terminal/notify.ts';
import { formatDuration } from '../../values/duration.ts';
import { plural } from '../../values/numbers.ts';
import { formatTime } from '../../values/time.ts';
import { truncate } from '../../values/width.ts';
import { drawBoard, printBoard } from './boardDraw.ts';
import {
  type Arrange,
  type BoardRow,
  isBoardDrawn,
  type Reading,
  readBoard,
  rowsOf,
  safeMessage,
} from './boardRows.ts';
import { isTemporary, pauses } from './poll.ts';

interface Watch {
  first: readonly Reading[];
  arrange: Arrange;
  intervalMs: number;
  isNotified?: boolean;
  findIds(): Promise<string[]> | string[];
}

/** Reads the board again and again until the user stops it, or the service refuses the login. */
export async function watchBoard(context: Context, watch: Watch): Promise<void> {
  const { signal } = context.world;
  const show = displayOf(context, watch);
  const pause = pauses(watch.intervalMs, signal);
  let readings = watch.first;
  let rows = rowsOf(context, readings);
  await show(rows);
  await pause([]);
  for (;;) {
    const latest = await readBoard(context, await watch.findIds());
    signal.throwIfAborted();
    const errors = latest.flatMap(({ error }) => error ?? []);
    const refused = errors.find(({ kind }) => kind === 'auth');
    if (refused) throw refused;
    const passing = errors.filter(isTemporary);
    // A request that cannot be read for the moment keeps its last record.
    const known = readings.filter(({ record }) => record);
    readings = latest.map(({ id, record, error }) => {
      const isKept = error && isTemporary(error);
      return (isKept && known.find((one) => one.id === id)) || { id, record, error };
    });
    const before = new Map(rows.map((row) => [row.id, row]));
    rows = rowsOf(context, readings).map((row) => {
      return { ...row, changed: changeOf(before.get(row.id), row) };
    });
    const changes = rows.flatMap(({ id, changed }) => (changed ? `${id}: ${changed}` : []));
    if (changes.length === 0) {
      // Changes stay marked until the next ones.
      rows = rows.map((row) => ({ ...row, changed: before.get(row.id)?.changed ?? '' }));
    }
    const trouble =
      passing[0] &&
      `${plural(passing.length, 'work request')} not updated: ${safeMessage(context, passing[0])}; retrying`;
    await show(rows, changes.length, trouble);
    if (watch.isNotified && changes.length > 0) await notify(context.world, changes.join('; '));
    await pause(errors, passing.length > 0 && passing.length === latest.length);
  }
}

function changeOf(before: BoardRow | undefined, now: BoardRow): string {
  if (!before) return 'new';
  if (before.problem !== now.problem)
    return now.problem === undefined ? 'can be read again' : 'cannot be read';
  const [earlier, missing] = [before.board.missing, now.board.missing];
  const arrived = earlier.filter((name) => !missing.includes(name));
  const lacking = missing.filter((name) => !earlier.includes(name));
  const parts = [
    describeChanges(changesBetween(before.look, now.look)),
    !before.board.late && now.board.late && 'is late now',
    arrived.length > 0 && `no longer missing ${arrived.join(', ')}`,
    lacking.length > 0 && `now missing ${lacking.join(', ')}`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** Moves the cursor to the top, and erases everything below. */
const clear = '\u001b[H\u001b[J';

/** Returns a function that shows a board. From the second one on, it gets the number of changed requests. */
function displayOf(context: Context, { intervalMs, arrange }: Watch) {
  const { stdout } = context.streams;
  const { style } = context;
  const isPlain = context.isAccessible || context.world.env.TERM === 'dumb';
  const isCleared = isBoardDrawn(context) && stdout.isTerminal && !isPlain;
  const options = { arrange, listsUnreadable: true };
  let lastTrouble = '';
  return async (rows: readonly BoardRow[], changed?: number, trouble = ''): Promise<void> => {
    const time = formatTime(context.world.now());
    if (isCleared) {
      const head = `Work requests at ${time}, every ${formatDuration(intervalMs)} (Ctrl-C stops)`;
      const heads = [
        style.dim(truncate(head, stdout.columns)),
        ...(trouble ? [style.yellow(truncate(trouble, stdout.columns))] : []),
      ];
      // The last line of the screen is for the cursor.
      const height = stdout.rows - 1 - heads.length;
      const { lines } = drawBoard(context, rows, { ...options, height });
      // Warnings of the first read stay above the first board.
      const start = changed === undefined ? '' : clear;
      return stdout.write(`${start}${[...heads, ...lines].join('\n')}\n`);
    }
    if (trouble && trouble !== lastTrouble) context.reportOnce(`${time}  ${trouble}`);
    lastTrouble = trouble;
    if (changed === 0) return;
    const text = `${time}  ${plural(changed ?? 0, 'work request')} changed`;
    if (changed && isBoardDrawn(context)) await stdout.write(`\n${text}\n`);
    else if (changed) context.reportOnce(text);
    // A printer keeps its time, so that each board needs a new one.
    const fresh = new Context(context.world, context.flags);
    await fresh.prepare();
    await printBoard(fresh, rows, options);
    fresh.printFinalReports();
  };
}
