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
  const { streams, signal, env } = context.world;
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
    readings = latest.map((reading) => withEarlier(reading, readings));
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
    if (watch.isNotified && changes.length > 0) {
      await notify(context.world, changes.join('; '));
    }
    await pause(errors, passing.length > 0 && passing.length === latest.length);
  }
}

/** A request that cannot be read for the moment keeps its last record. */
function withEarlier(reading: Reading, earlier: readonly Reading[]): Reading {
  if (!reading.error || !isTemporary(reading.error)) return reading;
  const record = earlier.find(({ id }) => id === reading.id)?.record;
  return record ? { id: reading.id, record } : reading;
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

/** Returns a function that shows a board, with the number of changed requests. */
function displayOf(context: Context, { intervalMs, arrange }: Watch) {
  const { stdout } = context.streams;
  const isPlain = context.isAccessible || context.world.env.TERM === 'dumb';
  const isCleared = isBoardDrawn(context) && stdout.isTerminal && !isPlain;
  const options = { arrange, listsUnreadable: true };
  let lastTrouble: string | undefined;
  let isFirst = true;

  /** Warnings of the first read stay above the first board. */
  const redraw = async (rows: readonly BoardRow[], time: string, trouble = '') => {
    const { style } = context;
    const head = `Work requests at ${time}, every ${formatDuration(intervalMs)} (Ctrl-C stops)`;
    const heads = [
      style.dim(truncate(head, stdout.columns)),
      style.yellow(truncate(trouble, stdout.columns)),
    ].slice(0, trouble ? 2 : 1);
    // The last line of the screen is for the cursor.
    const height = stdout.rows - 1 - heads.length;
    const { lines } = drawBoard(context, rows, { ...options, height });
    await stdout.write(`${isFirst ? '' : clear}${[...heads, ...lines].join('\n')}\n`);
  };

  /** For screen readers, logs and programs. */
  const printChanged = async (rows: readonly BoardRow[], time: string, changed: number) => {
    const text = `${time}  ${plural(changed, 'work request')} changed`;
    if (!isFirst && isBoardDrawn(context)) await stdout.write(`\n${text}\n`);
    else if (!isFirst) context.reportOnce(text);
    // A printer keeps its time, so that each board needs a new one.
    const fresh = new Context(context.world, context.flags);
    await fresh.prepare();
    await printBoard(fresh, rows, options);
    fresh.printFinalReports();
  };

  return async (rows: readonly BoardRow[], changed = 0, trouble?: string): Promise<void> => {
    const time = formatTime(context.world.now());
    if (isCleared) await redraw(rows, time, trouble);
    else {
      if (trouble && trouble !== lastTrouble) context.reportOnce(`${time}  ${trouble}`);
      if (isFirst || changed > 0) await printChanged(rows, time, changed);
    }
    lastTrouble = trouble;
    isFirst = false;
  };
}
