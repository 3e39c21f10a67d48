import { Context } from '../../context.ts';
import { changesBetween, describeChanges } from '../../records/look.ts';
import { formatDuration } from '../../values/duration.ts';
import { plural } from '../../values/numbers.ts';
import { formatTime } from '../../values/time.ts';
import { truncate } from '../../values/width.ts';
import { drawBoard, printBoard, screenOptions } from './boardDraw.ts';
import {
  type Arrange,
  type BoardRow,
  isBoardDrawn,
  type Reading,
  readBoard,
  rowsOf,
  safeMessage,
} from './boardRows.ts';
import { isTemporary, pause, pauseAfter } from './poll.ts';

interface Watch {
  first: readonly Reading[];
  arrange: Arrange;
  intervalMs: number;
  findIds(): Promise<string[]> | string[];
  /** Changes to mark on the first board, by id. */
  changes?: ReadonlyMap<string, string>;
  hasActors?: boolean;
  /** Runs when something has changed since the last board. */
  onChange?(changes: ReadonlyMap<string, string>): Promise<void>;
}

interface WatchState {
  rows: readonly BoardRow[];
  /** The latest changes, which stay marked until the next ones. */
  changes: ReadonlyMap<string, string>;
  trouble?: string;
  readAt: Date;
}

/** Reads the board again and again until the user stops it, or the service refuses the login. */
export async function watchBoard(context: Context, watch: Watch): Promise<void> {
  const { first, intervalMs } = watch;
  const { signal } = context.world;
  let readings = first;
  let state = stateOf(context, readings, undefined);
  if (watch.changes) state = { ...state, changes: watch.changes };
  const show = displayOf(context, watch);
  let failedRounds = 0;
  let retryAfterMs = 0;
  await show(state, true);
  for (;;) {
    await pause(Math.max(retryAfterMs, pauseAfter(failedRounds, intervalMs)), signal);
    const latest = await readBoard(context, await watch.findIds());
    const refused = latest.find(({ error }) => error?.kind === 'auth')?.error;
    if (refused) throw refused;
    const isFailed = latest.some(({ error }) => error) && latest.every(isUnreachable);
    failedRounds = isFailed ? failedRounds + 1 : 0;
    retryAfterMs = Math.max(...latest.map(({ error }) => error?.details.retryAfterMs ?? 0));
    readings = latest.map((reading) => withEarlier(reading, readings));
    const before = state;
    state = stateOf(context, readings, before, latest);
    const isChanged = state.changes !== before.changes;
    await show(state, isChanged);
    if (isChanged) await watch.onChange?.(state.changes);
  }
}

const isUnreachable = ({ error }: Reading) => error !== undefined && isTemporary(error);

/** A request that cannot be read for the moment keeps its last record. */
function withEarlier(reading: Reading, earlier: readonly Reading[]): Reading {
  if (!isUnreachable(reading)) return reading;
  const record = earlier.find(({ id }) => id === reading.id)?.record;
  return record ? { id: reading.id, record } : reading;
}

function stateOf(
  context: Context,
  readings: readonly Reading[],
  before: WatchState | undefined,
  latest = readings,
): WatchState {
  const rows = rowsOf(context, readings);
  const known = new Map(before?.rows.map((row) => [row.id, row]));
  const changed = rows.flatMap((row): [string, string][] => {
    const text = before ? changeOf(known.get(row.id), row) : '';
    return text === '' ? [] : [[row.id, text]];
  });
  const changes = changed.length > 0 || !before ? new Map(changed) : before.changes;
  return { rows, changes, trouble: troubleOf(context, latest), readAt: context.world.now() };
}

function troubleOf(context: Context, latest: readonly Reading[]): string | undefined {
  const unreachable = latest.filter(isUnreachable);
  const first = unreachable[0]?.error;
  if (!first) return undefined;
  const count = plural(unreachable.length, 'work request');
  return `${count} not updated: ${safeMessage(context, first)}; retrying`;
}

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

/** Returns a function that shows a board. */
function displayOf(context: Context, { arrange, intervalMs, hasActors }: Watch) {
  const { stdout } = context.streams;
  const parts = { arrange, hasActors, listsUnreadable: true };
  const isPlain = context.isAccessible || context.world.env.TERM === 'dumb';
  const isCleared = isBoardDrawn(context) && stdout.isTerminal && !isPlain;
  let lastTrouble: string | undefined;
  let isFirst = true;

  /** Warnings of the first read stay above the first board. */
  const redraw = async ({ rows, changes, trouble, readAt }: WatchState) => {
    const screen = screenOptions(context);
    const { style, width } = screen;
    const head = `Work requests at ${formatTime(readAt)}, every ${formatDuration(intervalMs)} (Ctrl-C stops)`;
    const heads = [
      style.dim(truncate(head, width)),
      ...(trouble === undefined ? [] : [style.yellow(truncate(trouble, width))]),
    ];
    // The last line of the screen is for the cursor.
    const height = stdout.rows - 1 - heads.length;
    const lines = [...heads, ...drawBoard(rows, { ...screen, ...parts, changes, height })];
    await stdout.write(`${isFirst ? '' : clear}${lines.join('\n')}\n`);
  };

  /** For screen readers, logs and programs. */
  const printChanged = async (
    { rows, changes, trouble, readAt }: WatchState,
    isChanged: boolean,
  ) => {
    const time = formatTime(readAt);
    if (trouble !== undefined && trouble !== lastTrouble) context.reportOnce(`${time}  ${trouble}`);
    lastTrouble = trouble;
    if (!isChanged) return;
    const text = `${time}  ${plural(changes.size, 'work request')} changed`;
    if (!isFirst && isBoardDrawn(context)) await stdout.write(`\n${text}\n`);
    else if (!isFirst) context.reportOnce(text);
    // A printer keeps its time, so that each board needs a new one.
    const fresh = new Context(context.world, context.flags);
    await fresh.prepare();
    await printBoard(fresh, rows, { ...parts, changes });
    fresh.printFinalReports();
  };

  return async (state: WatchState, isChanged: boolean): Promise<void> => {
    await (isCleared ? redraw(state) : printChanged(state, isChanged));
    isFirst = false;
  };
}
