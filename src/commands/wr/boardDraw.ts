import type { Context } from '../../context.ts';
import { paintTimeLeft } from '../../records/timeLeft.ts';
import type { Style } from '../../terminal/style.ts';
import { fitTable, type TableLayout } from '../../terminal/table.ts';
import { formatRelative } from '../../values/time.ts';
import { truncate, wrap } from '../../values/width.ts';
import {
  type Arrange,
  type BoardRow,
  boardRecord,
  boardView,
  isBoardDrawn,
  type Section,
  totalsOf,
} from './boardRows.ts';

/** Why a request is not done: its status unless the heading has it, missing materials, the reason. */
function whyOf(
  row: BoardRow,
  now: Date,
  { hasStatus, hasActors }: { hasStatus: boolean; hasActors?: boolean },
): string {
  const { status, since, missing, reason, problem, lastBy } = row;
  if (problem !== undefined) return problem;
  if (row.isSettled) return hasStatus ? status : '';
  const [, span] = /^(.*) ago$/.exec(since ? formatRelative(since, now) : '') ?? [];
  const parts = [
    hasStatus &&
      (status || 'no status') +
        (span === undefined ? '' : ` for ${span}`) +
        (hasActors && lastBy !== '' ? `, set by ${lastBy}` : ''),
    missing.length > 0 && `missing ${missing.join(', ')}`,
    reason,
  ];
  return parts.filter(Boolean).join('; ');
}

/** `can act: Greta Vogel, Paris office`: users, then groups. */
const whoOf = ({ actors, isSettled }: BoardRow): string =>
  isSettled || actors.length === 0 ? '' : `can act: ${actors.map(({ name }) => name).join(', ')}`;

export interface BoardOptions {
  arrange: Arrange;
  now: Date;
  width: number;
  style: Style;
  /** Plain sentences for a screen reader, also if the terminal is too narrow for a table. */
  isAccessible: boolean;
  /** Descriptions of changes, by id. */
  changes?: ReadonlyMap<string, string>;
  listsUnreadable?: boolean;
  /** The lines that fit on the screen; without it, everything is drawn. */
  height?: number;
  /** Adds a line about who can act. */
  hasActors?: boolean;
  /** After the number of requests that do not fit. */
  moreHint?: string;
  onHidden?(rows: readonly BoardRow[]): void;
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

/** Draws the board: a header, the sections with as many requests as fit, and the totals. */
export function drawBoard(rows: readonly BoardRow[], options: BoardOptions): string[] {
  const { arrange, width, style, isAccessible, listsUnreadable } = options;
  const { height = Number.POSITIVE_INFINITY } = options;
  const cells = (row: BoardRow) => [
    row.id,
    row.problem === undefined ? row.timeLeft : '',
    row.language,
    row.territory,
    row.asset,
  ];
  const listed = listsUnreadable ? rows : rows.filter(({ problem }) => problem === undefined);
  const sections = arrange(listed);
  const shown = sections.flatMap((section) => section.rows.map(cells));
  const layout = isAccessible ? undefined : fitTable(columns, shown, width - 2, style);
  const header = layout && shown.length > 0 ? [`  ${layout.header}`] : [];
  const totals = wrap(options.closing ?? totalsOf(rows), width).map(style.bold);
  const blocks = sections.flatMap((section) => {
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
  options.onHidden?.(sections.flatMap((section) => section.rows).slice(drawn));
  return [...lines, ...(more > 0 ? [`… ${more} more${options.moreHint ?? ''}`] : []), ...totals];
}

interface RowParts {
  cells: readonly string[];
  layout: TableLayout | undefined;
  section: Section;
  options: BoardOptions;
}

function rowLines(row: BoardRow, { cells, layout, section, options }: RowParts): string[] {
  const { now, width, style, changes, hasActors } = options;
  const change = changes?.get(row.id);
  const why = whyOf(row, now, { hasStatus: !section.isStatus, hasActors });
  const who = hasActors ? whoOf(row) : '';
  const detail = [change === undefined ? '' : `changed: ${change}`, why].filter(Boolean).join('; ');
  if (!layout) {
    const labelled = (['language', 'territory', 'asset'] as const)
      .filter((field) => row[field] !== '')
      .map((field) => `${field} ${row[field]}`);
    const facts = [cells[1], ...labelled, detail, who].filter(Boolean).join('; ');
    const [first, ...rest] = wrap(`${row.id}: ${facts}`, Math.max(10, width - 4));
    return [`  ${first}`, ...rest.map((line) => `    ${line}`)];
  }
  const mark = change === undefined ? '  ' : style.yellow('* ');
  const available = Math.max(10, width - 4);
  const [first = '', ...rest] = wrap(detail, available);
  // Two lines at most, so that a long reason does not push other requests off the screen.
  const details = [first, truncate(rest.join(' '), available), truncate(who, available)].filter(
    Boolean,
  );
  return [`${mark}${layout.row(cells)}`, ...details.map((line) => `    ${line}`)];
}

export const screenOptions = (context: Context) => ({
  now: context.world.now(),
  width: context.streams.stdout.columns,
  style: context.style,
  isAccessible: context.isAccessible,
});

type BoardParts = Omit<BoardOptions, keyof ReturnType<typeof screenOptions>> & {
  /** More facts for programs. */
  facts?(row: BoardRow, section: Section): object;
};

/** The board for people, and the records in its order for programs. */
export async function printBoard(
  context: Context,
  rows: readonly BoardRow[],
  { facts, ...options }: BoardParts,
): Promise<void> {
  const { stdout } = context.streams;
  const now = context.world.now();
  const read = rows.filter(({ problem }) => problem === undefined);
  if (isBoardDrawn(context) && (read.length > 0 || options.listsUnreadable)) {
    const lines = drawBoard(rows, { ...screenOptions(context), ...options });
    return stdout.write(`${lines.join('\n')}\n`);
  }
  const records = options
    .arrange(read)
    .flatMap((section) => section.rows.map((row) => boardRecord(row, now, facts?.(row, section))));
  await context.printer.records(records, boardView);
  if (rows.length > 0) context.reportAtEnd(totalsOf(rows));
}
