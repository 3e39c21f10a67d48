import type { Context } from '../../context.ts';
import { paintTimeLeft } from '../../records/timeLeft.ts';
import { fitTable, type TableLayout } from '../../terminal/table.ts';
import { formatRelative } from '../../values/time.ts';
import { truncate, wrap } from '../../values/width.ts';
import {
  type Arrange,
  type BoardRow,
  boardRecord,
  boardView,
  isBoardDrawn,
  sectionsOf,
  totalsOf,
} from './boardRows.ts';

export interface BoardOptions {
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
export function drawBoard(context: Context, rows: readonly BoardRow[], options: BoardOptions) {
  const { style } = context;
  const { columns: width } = context.streams.stdout;
  const { arrange, height = Number.POSITIVE_INFINITY, moreHint = '' } = options;
  const sections = sectionsOf(rows, arrange, options);
  const shown = sections.flatMap((section) => section.rows);
  const layout = context.isAccessible
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
  const available = Math.max(10, context.streams.stdout.columns - 4);
  if (!layout) {
    const labelled = (['language', 'territory', 'asset'] as const)
      .filter((field) => row[field] !== '')
      .map((field) => `${field} ${row[field]}`);
    const facts = [row.timeLeft, ...labelled, detail, who].filter(Boolean).join('; ');
    const [first, ...rest] = wrap(`${row.id}: ${facts}`, available);
    return [`  ${first}`, ...rest.map((line) => `    ${line}`)];
  }
  const mark = changed ? context.style.yellow('* ') : '  ';
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
    await context.streams.stdout.write(`${lines.join('\n')}\n`);
    return hidden;
  }
  const records = sections.flatMap((section) =>
    section.rows.map((row) => boardRecord(row, section)),
  );
  await context.printer.list([records], boardView);
  if (rows.length > 0) context.reportAtEnd(totalsOf(rows));
  return [];
}
