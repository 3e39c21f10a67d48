import type { Context } from '../../context.ts';
import { paintTimeLeft } from '../../records/timeLeft.ts';
import type { Style } from '../../terminal/style.ts';
import { fitTable, type TableLayout } from '../../terminal/table.ts';
import { formatRelative } from '../../values/time.ts';
import { truncate, wrap } from '../../values/width.ts';
import {
  type BoardRow,
  boardRecord,
  boardView,
  type Grouping,
  type Section,
  sectionsOf,
  totalsOf,
} from './boardRows.ts';

/** Why a request is not done: its status unless the heading has it, missing materials, the reason. */
function whyOf(row: BoardRow, now: Date, { hasStatus }: { hasStatus: boolean }): string {
  const { status, since, missing, reason, problem } = row;
  if (problem !== undefined) return problem;
  if (row.isSettled) return hasStatus ? status : '';
  const [, span] = /^(.*) ago$/.exec(since ? formatRelative(since, now) : '') ?? [];
  const parts = [
    hasStatus && (status || 'no status') + (span === undefined ? '' : ` for ${span}`),
    missing.length > 0 && `missing ${missing.join(', ')}`,
    reason,
  ];
  return parts.filter(Boolean).join('; ');
}

export interface BoardOptions {
  group: Grouping;
  now: Date;
  width: number;
  style: Style;
  /** Plain sentences for a screen reader, also if the terminal is too narrow for a table. */
  isAccessible: boolean;
  /** Descriptions of changes, by id. Only a board that is watched has them, and lists unreadable ids. */
  changes?: ReadonlyMap<string, string>;
  /** The lines that fit on the screen; without it, everything is drawn. */
  height?: number;
}

const columns = [
  { title: 'Id', fixed: true },
  { title: 'Due', whole: true, importance: 5, paint: paintTimeLeft },
  { title: 'Lang', whole: true, importance: 4 },
  { title: 'Terr', whole: true, importance: 4 },
  { title: 'Asset', importance: 3 },
];

/** Draws the board: a header, the sections with as many requests as fit, and the totals. */
export function drawBoard(rows: readonly BoardRow[], options: BoardOptions): string[] {
  const { group, now, width, style, isAccessible, changes } = options;
  const { height = Number.POSITIVE_INFINITY } = options;
  const cells = (row: BoardRow) => [
    row.id,
    row.problem === undefined ? row.timeLeft : '',
    row.language,
    row.territory,
    row.asset,
  ];
  const layout = isAccessible ? undefined : fitTable(columns, rows.map(cells), width - 2, style);
  const header = layout && rows.length > 0 ? [`  ${layout.header}`] : [];
  const totals = wrap(totalsOf(rows, now), width).map(style.bold);
  const listed = changes ? rows : rows.filter(({ problem }) => problem === undefined);
  const blocks = sectionsOf(listed, group).flatMap((section) => {
    const heading = `${section.heading} (${section.rows.length})`;
    const painted = section.isLate ? style.bold(style.red(heading)) : style.bold(heading);
    return section.rows.map((row, at) => {
      const lines = rowLines(row, { cells: cells(row), layout, section, options });
      return at === 0 ? [painted, ...lines] : lines;
    });
  });
  const lines = [...header];
  // Lines stay free for the totals and the number of requests that do not fit.
  const available = height - totals.length;
  const isWhole = header.length + blocks.flat().length <= available;
  let drawn = 0;
  for (const block of blocks) {
    if (!isWhole && lines.length + block.length + 1 > available) break;
    lines.push(...block);
    drawn += 1;
  }
  const more = blocks.length - drawn;
  return [...lines, ...(more > 0 ? [`… ${more} more`] : []), ...totals];
}

interface RowParts {
  cells: readonly string[];
  layout: TableLayout | undefined;
  section: Section;
  options: BoardOptions;
}

function rowLines(row: BoardRow, { cells, layout, section, options }: RowParts): string[] {
  const { now, width, style, changes, group } = options;
  const change = changes?.get(row.id);
  const hasStatus = section.isLate === true || group !== 'status';
  const why = whyOf(row, now, { hasStatus });
  const detail = [change === undefined ? '' : `changed: ${change}`, why].filter(Boolean).join('; ');
  if (!layout) {
    const labelled = (['language', 'territory', 'asset'] as const)
      .filter((field) => row[field] !== '')
      .map((field) => `${field} ${row[field]}`);
    const facts = [cells[1], ...labelled, detail].filter(Boolean).join('; ');
    const [first, ...rest] = wrap(`${row.id}: ${facts}`, Math.max(10, width - 4));
    return [`  ${first}`, ...rest.map((line) => `    ${line}`)];
  }
  const mark = change === undefined ? '  ' : style.yellow('* ');
  const available = Math.max(10, width - 4);
  const [first = '', ...rest] = wrap(detail, available);
  // Two lines at most, so that a long reason does not push other requests off the screen.
  const details = [first, truncate(rest.join(' '), available)].filter(Boolean);
  return [`${mark}${layout.row(cells)}`, ...details.map((line) => `    ${line}`)];
}

/** True for a board, false for a list of records. */
export const isBoardDrawn = ({ printer, flags }: Context) =>
  (printer.isForPeople || flags.format === 'table') && !flags.columns && !flags.jq;

export const screenOptions = (context: Context) => ({
  now: context.world.now(),
  width: context.streams.stdout.columns,
  style: context.style,
  isAccessible: context.isAccessible,
});

/** The board for people, and the records in its order for programs. */
export async function printBoard(
  context: Context,
  rows: readonly BoardRow[],
  options: Pick<BoardOptions, 'group' | 'changes'>,
): Promise<void> {
  const { stdout } = context.streams;
  const now = context.world.now();
  const read = rows.filter(({ problem }) => problem === undefined);
  if (isBoardDrawn(context) && (read.length > 0 || options.changes)) {
    const lines = drawBoard(rows, { ...screenOptions(context), ...options });
    return stdout.write(`${lines.join('\n')}\n`);
  }
  const sorted = sectionsOf(read, options.group).flatMap((section) => section.rows);
  const records = sorted.map((row) => boardRecord(row, now));
  await context.printer.records(records, boardView);
  if (rows.length > 0) context.reportAtEnd(totalsOf(rows, now));
}
