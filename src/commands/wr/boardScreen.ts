import { recordWith } from '../../json/serviceRecord.ts';
import { type Canvas, listResult, type Result } from '../../output/result.ts';
import type { Style } from '../../output/style.ts';
import { fitTable, type TableLayout } from '../../output/table.ts';
import type { Context } from '../../session/context.ts';
import { formatRelative } from '../../values/time.ts';
import { truncate, wrap } from '../../values/width.ts';
import { type BoardRow, boardView } from './boardRows.ts';
import { type Arrange, sectionsOf, totalsOf } from './boardSections.ts';

/* Boards as people see them. */

interface BoardOptions {
  arrange: Arrange;
  listsUnreadable?: boolean;
  /** Shows some of each section if not all of them fit on the screen, and the rest in the pager. */
  fitsScreen?: boolean;
  /** Lines between the board and the last line. */
  notes?: readonly string[];
  /** After the number of requests that do not fit. */
  moreHint?: string;
  /** The last line, in place of the totals. */
  closing?: string;
  /** Whose requests these are, for the totals in a pipe: `12 followed on this machine`. */
  source?: string;
}

const columns = [
  { title: 'Id', fixed: true },
  { title: 'Due', whole: true, importance: 5, paint: paintDue },
  { title: 'Lang', whole: true, importance: 4 },
  { title: 'Terr', whole: true, importance: 4 },
  { title: 'Asset', importance: 3, isName: true },
];

function paintDue(text: string, style: Style, row: unknown): string {
  const { colour } = row as BoardRow;
  return colour ? style[colour](text) : text;
}

const cellsOf = (row: BoardRow) => [row.id, row.timeLeft, row.language, row.territory, row.asset];

const withSource = (rows: readonly BoardRow[], { source }: BoardOptions) =>
  source ? `${totalsOf(rows)}; of ${source}` : totalsOf(rows);

interface Block {
  title: string;
  /** The lines of each request, the first one most important. */
  rows: string[][];
}

/**
 * Draws the board: a header, the sections, and the totals. On a narrow terminal and for a screen reader,
 * each request is a sentence instead of a row.
 */
export function drawBoard(canvas: Canvas, rows: readonly BoardRow[], options: BoardOptions) {
  const { style, columns: width } = canvas;
  const sections = sectionsOf(rows, options.arrange, options);
  const shown = sections.flatMap((section) => section.rows);
  const layout = style.isAccessible
    ? undefined
    : fitTable(columns, shown.map(cellsOf), width - 2, style);
  const top = layout && shown.length > 0 ? [`  ${layout.header}`] : [];
  const notes = (options.notes ?? []).flatMap((note) => wrap(note, width));
  const totals = wrap(options.closing ?? withSource(rows, options), width).map(style.bold);
  const blocks = sections.map(({ heading, rows: members }): Block => {
    const title = `${heading} (${members.length})`;
    return {
      title: style.bold(members[0]?.board.late ? style.red(title) : title),
      rows: members.map((row) => rowLines(canvas, row, heading, layout)),
    };
  });
  const whole = linesOf(blocks);
  // The last line of the screen is for the prompt.
  const height = options.fitsScreen ? canvas.rows - 1 : Number.POSITIVE_INFINITY;
  const room = height - top.length - notes.length - totals.length;
  if (whole.length <= room) return { lines: [...top, ...whole, ...notes, ...totals], hidden: [] };
  const digest = digestOf(blocks, room - 1, width);
  const hidden = sections.flatMap((section, at) => section.rows.slice(digest[at]?.rows.length));
  const hint = canvas.isPaged ? ' below' : (options.moreHint ?? '');
  const more = truncate(`… ${hidden.length} more${hint}`, width);
  const screen = [...top, ...linesOf(digest), more, ...notes, ...totals];
  // In a pager, the whole board follows.
  if (!canvas.isPaged) return { lines: screen, hidden };
  return { lines: [...screen, '', ...top, ...whole], hidden: [] };
}

/** The request, why it is not done in one line, and whom it waits for. */
function shortened([row = '', ...details]: readonly string[], width: number): string[] {
  if (details.length < 3) return [row, ...details];
  const why = details.slice(0, -1).map((line) => line.trim());
  return [row, truncate(`    ${why.join(' ')}`, width), details.at(-1) ?? ''];
}

/** The first request of every section, then as many others as fit. */
function digestOf(blocks: readonly Block[], room: number, width: number): Block[] {
  let left = room;
  const take = (lines: readonly string[]) => {
    const isFitting = lines.length <= left;
    if (isFitting) left -= lines.length;
    return isFitting;
  };
  const digest = blocks.map(({ title, rows }) => {
    const [first = [], ...others] = rows.map((row) => shortened(row, width));
    return { title, rows: take([title, ...first]) ? [first] : [], others };
  });
  for (const { rows, others } of digest.filter((block) => block.rows.length > 0)) {
    const end = others.findIndex((row) => !take(row));
    rows.push(...others.slice(0, end < 0 ? others.length : end));
  }
  return digest;
}

const linesOf = (blocks: readonly Block[]) =>
  blocks.flatMap(({ title, rows }) => (rows.length === 0 ? [] : [title, ...rows.flat()]));

function rowLines(
  { style, columns: width, tools }: Canvas,
  row: BoardRow,
  heading: string,
  layout: TableLayout | undefined,
): string[] {
  const { changed, waits } = row;
  const why = whyOf(row, tools.now, heading);
  const detail = [changed && `changed: ${changed}`, why].filter(Boolean).join('; ');
  const available = Math.max(10, width - 4);
  if (!layout) {
    const labelled = (['language', 'territory', 'asset'] as const)
      .filter((field) => row[field] !== '')
      .map((field) => `${field} ${row[field]}`);
    const own = row.details ?? [detail, waits];
    const facts = [row.timeLeft, ...labelled, ...own].filter(Boolean).join('; ');
    const [first, ...rest] = wrap(`${row.id}: ${facts}`, available);
    return [`  ${first}`, ...rest.map((line) => `    ${line}`)];
  }
  const mark = changed ? style.yellow('* ') : '  ';
  const [first = '', ...rest] = wrap(detail, available);
  // Two lines at most, so that a long reason does not push other requests off the screen.
  const details = row.details?.flatMap((line) => wrap(line, available)) ?? [
    first,
    truncate(rest.join(' '), available),
    truncate(waits, available),
  ];
  return [
    `${mark}${layout.row(cellsOf(row), { record: row })}`,
    ...details.filter(Boolean).map((line) => `    ${line}`),
  ];
}

/** Why a request is not done: its status unless the heading has it, missing materials, the reason. */
export function whyOf(row: BoardRow, now: Date, heading: string): string {
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
export async function* showBoard(
  { reporter }: Context,
  rows: readonly BoardRow[],
  options: BoardOptions,
): AsyncGenerator<Result, readonly BoardRow[]> {
  const sections = sectionsOf(rows, options.arrange);
  // The record of the service, and the facts of the board in one more field. Not for a drawing, which
  // has shortened records.
  function* pages() {
    yield sections.flatMap(({ name: group, rows: members }) =>
      members.map(({ record, board }) =>
        recordWith(record?.tree ?? null, 'record', { board: { ...board, group } }),
      ),
    );
  }
  const drawn: { hidden?: readonly BoardRow[] } = {};
  const drawing = (canvas: Canvas) => {
    const { lines, hidden } = drawBoard(canvas, rows, options);
    drawn.hidden = hidden;
    return lines;
  };
  yield listResult(pages(), boardView, {
    isDrawnInPipes: true,
    drawing: sections.length > 0 || options.listsUnreadable ? drawing : undefined,
  });
  if (!drawn.hidden && rows.length > 0) reporter.reportAtEnd(withSource(rows, options));
  return drawn.hidden ?? [];
}
