import { Context } from '../../context.ts';
import type { Streams } from '../../terminal/streams.ts';
import { formatTime } from '../../terminal/time.ts';
import { truncate } from '../../terminal/width.ts';
import { formatDuration } from '../../values/duration.ts';
import { plural } from '../../values/numbers.ts';
import { drawBoard, isBoardDrawn, printBoard, screenOptions } from './boardDraw.ts';
import {
  type BoardRow,
  type Grouping,
  type Reading,
  readBoard,
  rowsOf,
  safeMessage,
} from './boardRows.ts';
import { isTemporary, pause, pauseAfter } from './poll.ts';

interface Watch {
  first: readonly Reading[];
  group: Grouping;
  intervalMs: number;
  findIds(): Promise<string[]>;
}

interface State {
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
  const { show, close } = displayOf(context, watch);
  let failedRounds = 0;
  let retryAfterMs = 0;
  try {
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
      await show(state, state.changes !== before.changes);
    }
  } finally {
    await close(state);
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
  before: State | undefined,
  latest = readings,
): State {
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
    before.status !== now.status && `was ${before.status || 'without a status'}`,
    !before.isLate && now.isLate && 'is late now',
    before.due?.getTime() !== now.due?.getTime() && 'new due date',
    arrived.length > 0 && `no longer missing ${arrived.join(', ')}`,
    lacking.length > 0 && `now missing ${lacking.join(', ')}`,
    before.reason !== now.reason && now.reason !== '' && 'new reason',
  ];
  return parts.filter(Boolean).join(', ');
}

interface Display {
  show(state: State, isChanged: boolean): Promise<void>;
  close(state: State): Promise<void>;
}

function displayOf(context: Context, watch: Watch): Display {
  const isPlain = context.isAccessible || context.world.env.TERM === 'dumb';
  const isRepainted = isBoardDrawn(context) && context.streams.stdout.isTerminal && !isPlain;
  return isRepainted ? repaintedDisplay(context, watch) : printedDisplay(context, watch);
}

/** Prints the board once more for each change: for screen readers, logs and programs. */
function printedDisplay(context: Context, { group }: Watch): Display {
  let lastTrouble: string | undefined;
  let isFirst = true;
  const announce = async (text: string) => {
    if (isBoardDrawn(context)) await context.streams.stdout.write(`\n${text}\n`);
    else context.reportOnce(text);
  };
  return {
    async show({ rows, changes, trouble, readAt }, isChanged) {
      const time = formatTime(readAt);
      if (trouble !== undefined && trouble !== lastTrouble)
        context.reportOnce(`${time}  ${trouble}`);
      lastTrouble = trouble;
      if (!isChanged) return;
      if (!isFirst) await announce(`${time}  ${plural(changes.size, 'work request')} changed`);
      isFirst = false;
      // A printer keeps its time, so that each board needs a new one.
      const fresh = new Context(context.world, context.flags);
      await fresh.prepare();
      await printBoard(fresh, rows, { group, changes });
      fresh.printFinalReports();
    },
    close: async () => {},
  };
}

const openScreen = '\u001b[?1049h\u001b[?25l';
const closeScreen = '\u001b[?25h\u001b[?1049l';
/** Between these two, a terminal that knows them draws nothing (DEC mode 2026). */
const beginFrame = '\u001b[?2026h\u001b[H';
const endFrame = '\u001b[J\u001b[?2026l';

/** Redraws the board on the alternate screen. The last board stays on the usual one. */
function repaintedDisplay(context: Context, { group, intervalMs }: Watch): Display {
  const { streams, errorStyle } = context;
  const { stdout, stderr } = streams;
  let shown: State | undefined;
  let isOpen = false;
  const linesOf = ({ rows, changes, trouble, readAt }: State, height: number) => {
    const screen = screenOptions(context);
    // The last column stays free: erasing the rest of a full line would erase its end.
    const width = screen.width - 1;
    const head = `Work requests at ${formatTime(readAt)}, every ${formatDuration(intervalMs)} (Ctrl-C stops)`;
    const heads = [
      screen.style.dim(truncate(head, width)),
      ...(trouble === undefined ? [] : [errorStyle.yellow(truncate(trouble, width))]),
    ];
    const board = { ...screen, width, group, changes, height: height - heads.length };
    return [...heads, ...drawBoard(rows, board)].slice(0, height);
  };
  const paint = async () => {
    if (!shown) return;
    const lines = linesOf(shown, stdout.rows);
    const frame = lines.map((line) => `${line}\u001b[K`).join('\n');
    const opening = isOpen ? '' : openScreen;
    isOpen = true;
    await stdout.write(`${opening}${beginFrame}${frame}${endFrame}`);
  };
  const repaint = () => void paint().catch(() => {});
  const leave = async () => {
    if (!isOpen) return;
    isOpen = false;
    await stdout.write(closeScreen);
  };
  const unblock = holdProgress(streams);
  // A warning goes to the usual screen, where it stays; the next frame opens the other one again.
  if (stderr.isTerminal) stderr.beforeWrite = leave;
  stdout.terminal.on('resize', repaint);
  return {
    async show(state) {
      shown = state;
      await paint();
    },
    async close(state) {
      stdout.terminal.off('resize', repaint);
      stderr.beforeWrite = undefined;
      unblock();
      await leave();
      // Two lines are for the prompt, and for the ^C that the terminal shows.
      await stdout.write(`${linesOf(state, stdout.rows - 2).join('\n')}\n`);
    },
  };
}

/** While it is set, no spinner is drawn into the board. */
function holdProgress(streams: Streams): () => void {
  streams.progress = { announceRetry: () => {} };
  return () => {
    streams.progress = undefined;
  };
}
