import path from 'node:path';
import { runHint } from '../../../../core/errors.ts';
import { shortPath } from '../../../../core/files/paths.ts';
import type { Reporter } from '../../../../core/output/reporter.ts';
import type { Canvas } from '../../../../core/output/result.ts';
import type { Style } from '../../../../core/output/style.ts';
import { fitTable, type TableLayout } from '../../../../core/output/table.ts';
import { words } from '../../../../core/values/commandLine.ts';
import { plural } from '../../../../core/values/numbers.ts';
import { sanitise } from '../../../../core/values/sanitise.ts';
import { longestSpan, minute } from '../../../../core/values/time.ts';
import { truncate, wrap } from '../../../../core/values/width.ts';
import { byUrgency, groups, isCalm, isNeedy, type Row } from './rows.ts';

/* The work requests of `today` as people see them. */

interface Section {
  heading: string;
  rows: readonly Row[];
}

/** A section for each group. */
export function sectionsOf(rows: readonly Row[]) {
  const sorted = [...rows].sort(byUrgency);
  return Object.entries(groups).map(([group, words]) => {
    return { ...words, rows: sorted.filter(({ board }) => board.group === group) };
  });
}

const countsOf = (rows: readonly Row[]): string[] =>
  sectionsOf(rows).flatMap(({ rows: { length }, inCounts }) =>
    length > 0 ? `${length} ${inCounts}` : [],
  );

/** A batch is followed as one: if it `isFolded`, its requests are a line, with their counts. */
export function splitBatches(reporter: Reporter, rows: readonly Row[], isFolded: boolean) {
  const files = new Set(rows.flatMap(({ board }) => (isFolded && board.batch) || []));
  const notes = [...files].map((file) => {
    const own = rows.filter(({ board }) => board.batch === file);
    const total = `${plural(own.length, 'request')}: ${countsOf(own).join(', ')}`;
    const purpose = `Batch ${sanitise(path.basename(file))}: ${total}. To see them`;
    return reporter.textOf(runHint(purpose, words`mar today --batch ${shortPath(file)}`));
  });
  return { loose: rows.filter(({ board }) => !files.has(board.batch ?? '')), notes };
}

/** How many requests need attention, and how many do not. */
export function closingLine(rows: readonly Row[], source: string): string {
  const needy = rows.filter(isNeedy).length;
  const settled = rows.filter(({ board }) => board.group === 'finished');
  const finished = settled.filter(({ board }) => board.changes.length > 0);
  const parts = [
    needy > 0 && `${plural(needy, 'work request')} ${needy === 1 ? 'needs' : 'need'} attention`,
    needy === 0 && (rows.length > 0 ? 'Nothing needs your attention' : 'No work request matches'),
    ...countsOf(rows.filter(isCalm)),
    settled.length > finished.length && `${settled.length - finished.length} finished`,
    finished.length > 0 &&
      `finished since you last looked: ${finished.map(({ id }) => id).join(', ')}`,
    source && `of ${source}`,
  ];
  return parts.filter(Boolean).join('; ');
}

interface DrawingOptions {
  /** The last line. */
  closing: string;
  /** Lines above it. */
  notes?: readonly string[];
  /**
   * Follows the number of requests that do not fit on the screen: it shows some of each section, and the rest
   * in the pager. Without it, all are shown.
   */
  moreHint?: string;
}

const columns = [
  { title: 'Id', fixed: true },
  { title: 'Due', whole: true, importance: 5, paint: paintDue },
  { title: 'Lang', whole: true, importance: 4 },
  { title: 'Terr', whole: true, importance: 4 },
  { title: 'Asset', importance: 3, isName: true },
];

function paintDue(text: string, style: Style, row: unknown): string {
  const { colour } = row as Row;
  return colour ? style[colour](text) : text;
}

const cellsOf = (row: Row) => [row.id, row.timeLeft, row.language, row.territory, row.asset];

interface Block {
  title: string;
  /** The lines of each request, the first one most important. */
  rows: string[][];
}

/**
 * Draws a header, the sections that have rows, and the last line. On a narrow terminal and for a screen
 * reader, each request is a sentence instead of a row. Also returns the rows that did not fit.
 */
export function drawSections(canvas: Canvas, all: readonly Section[], options: DrawingOptions) {
  const { style, columns: width } = canvas;
  const sections = all.filter(({ rows }) => rows.length > 0);
  const shown = sections.flatMap(({ rows }) => rows);
  const layout = style.isAccessible
    ? undefined
    : fitTable(columns, shown.map(cellsOf), width - 2, style);
  const top = layout && shown.length > 0 ? [`  ${layout.header}`] : [];
  const notes = (options.notes ?? []).flatMap((note) => wrap(note, width));
  const closing = wrap(options.closing, width).map(style.bold);
  const blocks = sections.map(({ heading, rows }): Block => {
    const title = truncate(`${heading} (${rows.length})`, width);
    return {
      title: style.bold(rows[0]?.board.late ? style.red(title) : title),
      rows: rows.map((row) => rowLines(canvas, row, layout)),
    };
  });
  const whole = linesOf(blocks);
  // The last line of the screen is for the prompt.
  const height = options.moreHint ? canvas.rows - 1 : Number.POSITIVE_INFINITY;
  const room = height - top.length - notes.length - closing.length;
  if (whole.length <= room) return { lines: [...top, ...whole, ...notes, ...closing], hidden: [] };
  const digest = digestOf(blocks, room - 1, width);
  const hidden = sections.flatMap((section, at) => section.rows.slice(digest[at]?.rows.length));
  const hint = canvas.isPaged ? ' below' : options.moreHint;
  const more = truncate(`… ${hidden.length} more${hint}`, width);
  const screen = [...top, ...linesOf(digest), more, ...notes, ...closing];
  // In a pager, all of them follow.
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
  row: Row,
  layout: TableLayout | undefined,
): string[] {
  const { changed, waits } = row;
  const why = whyOf(row, tools.now);
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
    `${mark}${layout.row(cellsOf(row), row)}`,
    ...details.filter(Boolean).map((line) => `    ${line}`),
  ];
}

/** Why a request is not done: its status, missing materials, the reason. */
export function whyOf(row: Row, now: Date): string {
  const { status, reason, problem } = row;
  const { group, since, missing, lastStatusBy } = row.board;
  if (problem !== undefined) return problem;
  if (group === 'finished') return status;
  const age = since ? now.getTime() - Date.parse(since) : 0;
  const parts = [
    (status || 'no status') +
      (age < minute ? '' : ` for ${longestSpan(age)}`) +
      (lastStatusBy === null ? '' : `, set by ${lastStatusBy}`),
    missing.length > 0 && `missing ${missing.join(', ')}`,
    reason,
  ];
  return parts.filter(Boolean).join('; ');
}
