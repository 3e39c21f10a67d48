import path from 'node:path';
import type { Canvas } from '../../../../core/output/result.ts';
import type { Style } from '../../../../core/output/style.ts';
import { fitTable, type TableLayout } from '../../../../core/output/table.ts';
import type { Summary } from '../../../../core/output/viewType.ts';
import { countsOf } from '../../../../core/values/counts.ts';
import { plural } from '../../../../core/values/numbers.ts';
import { sanitise } from '../../../../core/values/sanitise.ts';
import { longestSpan, minute } from '../../../../core/values/time.ts';
import { truncate, wrap } from '../../../../core/values/width.ts';
import { byUrgency, groups, isNeedy, type Row } from './rows.ts';

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

const partsOf = (rows: readonly Row[]): string[] =>
  sectionsOf(rows).flatMap(({ rows: { length }, inCounts }) =>
    length > 0 ? `${length} ${inCounts}` : [],
  );

/** For a workbook. */
export function summaryOf(rows: readonly Row[]): Summary {
  const table = (title: string, nameOf: (row: Row) => string) => {
    return { title, unit: 'Work requests', rows: countsOf(rows.map(nameOf)) };
  };
  return [
    table('Status', ({ status }) => status),
    table('Language', ({ language }) => language),
    table('Group', ({ board }) => groups[board.group].heading),
  ];
}

/** One line for all batches in which nothing needs attention. */
export function calmBatches(rows: readonly Row[]): string[] {
  const needy = new Set(rows.filter(isNeedy).map(({ board }) => board.batch));
  const calm = rows.flatMap(({ board }) => board.batch ?? []).filter((file) => !needy.has(file));
  const names = [...new Set(calm)].map((file) => sanitise(path.basename(file)));
  if (names.length === 0) return [];
  return [`Batches without a problem (${names.length}): ${names.join(', ')}`];
}

/** How many requests need attention, and how many do not. */
export function closingLine(rows: readonly Row[], source: string): string {
  const needy = rows.filter(isNeedy).length;
  const settled = rows.filter(({ board }) => board.group === 'finished');
  const finished = settled.filter(({ board }) => board.changes.length > 0);
  const parts = [
    needy > 0 && `${plural(needy, 'work request')} ${needy === 1 ? 'needs' : 'need'} attention`,
    needy === 0 && (rows.length > 0 ? 'Nothing needs your attention' : 'No work request matches'),
    ...partsOf(rows.filter(({ board }) => ['other', 'no-due-date'].includes(board.group))),
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
  /** Lines above it, each cut to the width. */
  notes?: readonly string[];
  /** How to see what does not fit on the screen. Without it, all requests are shown. */
  moreHint?: string;
  /** The height of what is printed below the drawing. */
  linesBelow?: number;
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

/**
 * Draws a header, the sections that have rows, and the last line. On a narrow terminal and for a screen
 * reader, each request is a sentence instead of a row. Also returns the rows whose news did not fit.
 */
export function drawSections(canvas: Canvas, all: readonly Section[], options: DrawingOptions) {
  const { style, columns: width } = canvas;
  const sections = all.filter(({ rows }) => rows.length > 0);
  const shown = sections.flatMap(({ rows }) => rows);
  const layout = style.isAccessible
    ? undefined
    : fitTable(columns, shown.map(cellsOf), width - 2, style);
  const top = layout && shown.length > 0 ? [`  ${layout.header}`] : [];
  const notes = (options.notes ?? []).map((note) => truncate(note, width));
  const end = [...notes, ...wrap(options.closing, width).map(style.bold)];
  const titleOf = ({ heading, rows }: Section) => {
    const title = truncate(`${heading} (${rows.length})`, width);
    return style.bold(rows[0]?.board.late ? style.red(title) : title);
  };
  const linesOf = (row: Row) => rowLines(canvas, row, layout);
  const whole = sections.flatMap((one) => [titleOf(one), ...one.rows.flatMap(linesOf)]);
  // The last line of the screen is for the prompt.
  const room = canvas.rows - 1 - top.length - end.length - (options.linesBelow ?? 0);
  if (!options.moreHint || whole.length <= room) {
    return { lines: [...top, ...whole, ...end], unseen: [] };
  }
  // If all fit, those that changed and the most urgent have a line of details; otherwise all that do.
  const spare = room - sections.length - shown.length;
  const fitting = Math.max(1, Math.floor((room - 1 - sections.length) / 2));
  const hidden = new Set(spare < 0 ? shown.slice(fitting) : []);
  const newsFirst = [...shown].sort((a, b) => Number(!a.changed) - Number(!b.changed));
  const detailed = new Set(spare < 0 ? shown : newsFirst.slice(0, spare));
  const digest = sections.flatMap((section) => {
    const lines = section.rows.flatMap((row) => {
      if (hidden.has(row)) return [];
      if (!layout) return linesOf(row);
      return [...linesOf(row).slice(0, 1), ...(detailed.has(row) ? [detailLine(row, canvas)] : [])];
    });
    return lines.length > 0 ? [titleOf(section), ...lines] : [];
  });
  const more = truncate(`… ${hidden.size} more${options.moreHint}`, width);
  const lines = [...top, ...digest, ...(hidden.size > 0 ? [more] : []), ...end];
  return {
    lines,
    unseen: shown.filter((row) => hidden.has(row) || (row.changed && !detailed.has(row))),
  };
}

/** The most important fact about a request, in one line. */
function detailLine(row: Row, { columns: width, tools }: Canvas): string {
  const { changed, waits } = row;
  const parts = [changed && `changed: ${changed}`, waits, whyOf(row, tools.now)];
  return truncate(`    ${parts.filter(Boolean).join('; ')}`, width);
}

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
