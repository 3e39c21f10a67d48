import { recordWith } from '../../json/serviceRecord.ts';
import { notify } from '../../output/notify.ts';
import { fitTable, type TableLayout } from '../../output/table.ts';
import { paintTimeLeft } from '../../records/lateness.ts';
import { changesBetween, describeChanges } from '../../records/look.ts';
import type { Context } from '../../session/context.ts';
import { formatDuration } from '../../values/duration.ts';
import { plural } from '../../values/numbers.ts';
import { formatRelative, formatTime } from '../../values/time.ts';
import { truncate, wrap } from '../../values/width.ts';
import {
  type Arrange,
  type BoardRow,
  boardView,
  isBoardDrawn,
  type Reading,
  readBoard,
  rowsOf,
  safeMessage,
  sectionsOf,
  totalsOf,
} from './boardRows.ts';
import { isTemporary, pauses } from './poll.ts';

/* Boards as people see them: drawn once, or again and again. */

interface BoardOptions {
  arrange: Arrange;
  listsUnreadable?: boolean;
  /** The lines that fit on the screen; without it, everything is drawn. */
  height?: number;
  /** After the number of requests that do not fit. */
  moreHint?: string;
  /** The last line, in place of the totals. */
  closing?: string;
}

const columns = [
  { title: 'Id', fixed: true },
  { title: 'Due', whole: true, importance: 5, paint: paintTimeLeft },
  { title: 'Lang', whole: true, importance: 4 },
  { title: 'Terr', whole: true, importance: 4 },
  { title: 'Asset', importance: 3 },
];

const cellsOf = (row: BoardRow) => [row.id, row.timeLeft, row.language, row.territory, row.asset];

/**
 * Draws the board: a header, the sections with as many requests as fit, and the totals. On a narrow
 * terminal and for a screen reader, each request is a sentence instead of a row.
 */
function drawBoard(context: Context, rows: readonly BoardRow[], options: BoardOptions) {
  const { style } = context.output;
  const { columns: width } = context.world.streams.stdout;
  const { arrange, height = Number.POSITIVE_INFINITY, moreHint = '' } = options;
  const sections = sectionsOf(rows, arrange, options);
  const shown = sections.flatMap((section) => section.rows);
  const layout = context.reporter.isAccessible
    ? undefined
    : fitTable(columns, shown.map(cellsOf), width - 2, style);
  const lines = layout && shown.length > 0 ? [`  ${layout.header}`] : [];
  const totals = wrap(options.closing ?? totalsOf(rows), width).map(style.bold);
  const blocks = sections.flatMap(({ heading, rows: members }) => {
    const [first, ...others] = members.map((row) => rowLines(context, row, heading, layout));
    const title = `${heading} (${members.length})`;
    const painted = style.bold(members[0]?.board.late ? style.red(title) : title);
    return [[painted, ...(first ?? [])], ...others];
  });
  // Lines stay free for the totals and the number of requests that do not fit.
  const available = height - totals.length;
  const isWhole = lines.length + blocks.flat().length <= available;
  let drawn = 0;
  for (const block of blocks) {
    if (!isWhole && lines.length + block.length + 1 > available) break;
    lines.push(...block);
    drawn += 1;
  }
  const hidden = shown.slice(drawn);
  if (hidden.length > 0) lines.push(`… ${hidden.length} more${moreHint}`);
  return { lines: [...lines, ...totals], hidden };
}

function rowLines(
  context: Context,
  row: BoardRow,
  heading: string,
  layout: TableLayout | undefined,
): string[] {
  const { board, changed, isSettled } = row;
  const actors = isSettled ? '' : board.canAct.map(({ name }) => name).join(', ');
  const who = actors && `can act: ${actors}`;
  const why = whyOf(row, context.world.now(), heading);
  const detail = [changed && `changed: ${changed}`, why].filter(Boolean).join('; ');
  const available = Math.max(10, context.world.streams.stdout.columns - 4);
  if (!layout) {
    const labelled = (['language', 'territory', 'asset'] as const)
      .filter((field) => row[field] !== '')
      .map((field) => `${field} ${row[field]}`);
    const facts = [row.timeLeft, ...labelled, detail, who].filter(Boolean).join('; ');
    const [first, ...rest] = wrap(`${row.id}: ${facts}`, available);
    return [`  ${first}`, ...rest.map((line) => `    ${line}`)];
  }
  const mark = changed ? context.output.style.yellow('* ') : '  ';
  const [first = '', ...rest] = wrap(detail, available);
  // Two lines at most, so that a long reason does not push other requests off the screen.
  const details = [first, truncate(rest.join(' '), available), truncate(who, available)];
  return [
    `${mark}${layout.row(cellsOf(row))}`,
    ...details.filter(Boolean).map((line) => `    ${line}`),
  ];
}

/** Why a request is not done: its status unless the heading has it, missing materials, the reason. */
function whyOf(row: BoardRow, now: Date, heading: string): string {
  const { status, reason, problem } = row;
  const { since, missing, lastStatusBy } = row.board;
  if (problem !== undefined) return problem;
  const hasStatus = heading !== (status || '(no status)');
  if (row.isSettled) return hasStatus ? status : '';
  const [, span] = /^(.*) ago$/.exec(since ? formatRelative(new Date(since), now) : '') ?? [];
  const parts = [
    hasStatus &&
      (status || 'no status') +
        (span === undefined ? '' : ` for ${span}`) +
        (lastStatusBy === null ? '' : `, set by ${lastStatusBy}`),
    missing.length > 0 && `missing ${missing.join(', ')}`,
    reason,
  ];
  return parts.filter(Boolean).join('; ');
}

/** The board for people, and the records in its order for programs. Returns the rows that did not fit. */
export async function printBoard(
  context: Context,
  rows: readonly BoardRow[],
  options: BoardOptions,
): Promise<readonly BoardRow[]> {
  const sections = sectionsOf(rows, options.arrange);
  if (isBoardDrawn(context) && (sections.length > 0 || options.listsUnreadable)) {
    const { lines, hidden } = drawBoard(context, rows, options);
    await context.world.streams.stdout.write(`${lines.join('\n')}\n`);
    return hidden;
  }
  // The record of the service, and the facts of the board in one more field.
  const records = sections.flatMap(({ name: group, rows: members }) =>
    members.map(({ record, board }) =>
      recordWith(record?.tree ?? null, 'record', { board: { ...board, group } }),
    ),
  );
  await context.output.printer.list([records], boardView);
  if (rows.length > 0) context.reporter.reportAtEnd(totalsOf(rows));
  return [];
}

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
  const { stdout } = context.world.streams;
  const { style } = context.output;
  const isPlain = context.reporter.isAccessible || context.world.env.TERM === 'dumb';
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
    if (trouble && trouble !== lastTrouble) context.reporter.reportOnce(`${time}  ${trouble}`);
    lastTrouble = trouble;
    if (changed === 0) return;
    const text = `${time}  ${plural(changed ?? 0, 'work request')} changed`;
    if (changed && isBoardDrawn(context)) await stdout.write(`\n${text}\n`);
    else if (changed) context.reporter.reportOnce(text);
    await printBoard(context, rows, options);
    context.reporter.printFinalReports();
  };
}
