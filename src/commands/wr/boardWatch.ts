import { Context } from '../../context.ts';
import { changesBetween, describeChanges } from '../../records/look.ts';
import { formatDuration, pause } from '../../values/duration.ts';
import { plural } from '../../values/numbers.ts';
import { formatTime } from '../../values/time.ts';
import { truncate } from '../../values/width.ts';
import { type BoardOptions, drawBoard, printBoard } from './boardDraw.ts';
import {
  type BoardRow,
  isBoardDrawn,
  type Reading,
  readBoard,
  rowsOf,
  safeMessage,
} from './boardRows.ts';
import { isTemporary, pauseAfter } from './poll.ts';

interface Watch extends BoardOptions {
  first: readonly Reading[];
  intervalMs: number;
  findIds(): Promise<string[]> | string[];
  /** Runs when something has changed since the last board. */
  onChange?(changes: ReadonlyMap<string, string>): Promise<void>;
}

/** Reads the board again and again until the user stops it, or the service refuses the login. */
export async function watchBoard(context: Context, watch: Watch): Promise<void> {
  const { first, intervalMs } = watch;
  const { signal } = context.world;
  const show = displayOf(context, { ...watch, listsUnreadable: true });
  let readings = first;
  let rows = rowsOf(context, readings);
  let failedRounds = 0;
  let retryAfterMs = 0;
  await show(rows);
  for (;;) {
    await pause(Math.max(retryAfterMs, pauseAfter(failedRounds, intervalMs)), signal);
    const latest = await readBoard(context, await watch.findIds());
    signal.throwIfAborted();
    const errors = latest.flatMap(({ error }) => error ?? []);
    const refused = errors.find(({ kind }) => kind === 'auth');
    if (refused) throw refused;
    const passing = errors.filter(isTemporary);
    const isFailed = passing.length > 0 && passing.length === latest.length;
    failedRounds = isFailed ? failedRounds + 1 : 0;
    retryAfterMs = Math.max(0, ...errors.map(({ details }) => details.retryAfterMs ?? 0));
    readings = latest.map((reading) => withEarlier(reading, readings));
    const before = new Map(rows.map((row) => [row.id, row]));
    const now = rowsOf(context, readings);
    const changes = changesBetweenRows(before, now);
    // Changes stay marked until the next ones.
    const marks = changes.size > 0 ? changes : new Map(rows.map((row) => [row.id, row.changed]));
    rows = now.map((row) => ({ ...row, changed: marks.get(row.id) ?? '' }));
    const trouble =
      passing[0] &&
      `${plural(passing.length, 'work request')} not updated: ${safeMessage(context, passing[0])}; retrying`;
    await show(rows, changes.size, trouble);
    if (changes.size > 0) await watch.onChange?.(changes);
  }
}

/** A request that cannot be read for the moment keeps its last record. */
function withEarlier(reading: Reading, earlier: readonly Reading[]): Reading {
  if (!reading.error || !isTemporary(reading.error)) return reading;
  const record = earlier.find(({ id }) => id === reading.id)?.record;
  return record ? { id: reading.id, record } : reading;
}

const changesBetweenRows = (before: ReadonlyMap<string, BoardRow>, now: readonly BoardRow[]) =>
  new Map(
    now
      .map((row): [string, string] => [row.id, changeOf(before.get(row.id), row)])
      .filter(([, change]) => change !== ''),
  );

function changeOf(before: BoardRow | undefined, now: BoardRow): string {
  if (!before) return 'new';
  if (before.problem !== now.problem)
    return now.problem === undefined ? 'can be read again' : 'cannot be read';
  const arrived = before.missing.filter((name) => !now.missing.includes(name));
  const lacking = now.missing.filter((name) => !before.missing.includes(name));
  const parts = [
    describeChanges(changesBetween(before.look, now.look)),
    !before.isLate && now.isLate && 'is late now',
    arrived.length > 0 && `no longer missing ${arrived.join(', ')}`,
    lacking.length > 0 && `now missing ${lacking.join(', ')}`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** Moves the cursor to the top, and erases everything below. */
const clear = '\u001b[H\u001b[J';

/** Returns a function that shows a board, with the number of changed requests. */
function displayOf(context: Context, { intervalMs, ...options }: Watch) {
  const { stdout } = context.streams;
  const isPlain = context.isAccessible || context.world.env.TERM === 'dumb';
  const isCleared = isBoardDrawn(context) && stdout.isTerminal && !isPlain;
  let lastTrouble: string | undefined;
  let isFirst = true;

  /** Warnings of the first read stay above the first board. */
  const redraw = async (rows: readonly BoardRow[], time: string, trouble?: string) => {
    const { style } = context;
    const head = `Work requests at ${time}, every ${formatDuration(intervalMs)} (Ctrl-C stops)`;
    const heads = [
      style.dim(truncate(head, stdout.columns)),
      ...(trouble === undefined ? [] : [style.yellow(truncate(trouble, stdout.columns))]),
    ];
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
