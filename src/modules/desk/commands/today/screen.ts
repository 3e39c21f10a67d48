import path from 'node:path';
import type { Canvas } from '../../../../core/output/result.ts';
import type { Style } from '../../../../core/output/style.ts';
import { fitTable } from '../../../../core/output/table.ts';
import type { Summary } from '../../../../core/output/viewType.ts';
import { groupBy } from '../../../../core/values/groupBy.ts';
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

export function summaryOf(rows: readonly Row[]): Summary {
  const table = (title: string, nameOf: (row: Row) => string) => {
    const grouped = [...groupBy(rows, nameOf)];
    const counts = grouped.map(([name, { length }]): [string, number] => [name, length]);
    return { title, unit: 'Work requests', rows: counts.sort(([, a], [, b]) => b - a) };
  };
  return [
    table('Status', ({ status }) => status),
    table('Language', ({ language }) => language),
    table('Group', ({ board }) => groups[board.group].heading),
  ];
}

/** One line for all batches that are done, and in which nothing needs attention. */
export function calmBatches(rows: readonly Row[], open: readonly { file: string }[]): string[] {
  const needy = rows.filter(isNeedy).map(({ board }) => board.batch);
  const others = new Set([...needy, ...open.map(({ file }) => file)]);
  const calm = rows.flatMap(({ board }) => board.batch ?? []).filter((file) => !others.has(file));
  const names = [...new Set(calm)].map((file) => sanitise(path.basename(file)));
  if (names.length === 0) return [];
  return [`Batches without a problem (${names.length}): ${names.join(', ')}`];
}

/** How many requests need attention, and how many do not. */
export function closingLine(rows: readonly Row[], source: string, hasOpenBatch: boolean): string {
  const needy = rows.filter(isNeedy).length;
  const settled = rows.filter(({ board }) => board.group === 'finished');
  const finished = settled.filter(({ board }) => board.changes.length > 0);
  const parts = [
    needy > 0 && `${plural(needy, 'work request')} ${needy === 1 ? 'needs' : 'need'} attention`,
    needy === 0 && rows.length === 0 && 'No work request matches',
    needy === 0 && rows.length > 0 && !hasOpenBatch && 'Nothing needs your attention',
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

/** Longer ids stand below, because a column of them leaves no room for the names. */
const maxIdWidth = 12;

/**
 * Draws a header, the sections that have rows, and the last line. On a narrow terminal and for a screen
 * reader, each request is a sentence instead of a row. Also returns the rows that did not fit.
 */
export function drawSections(canvas: Canvas, all: readonly Section[], options: DrawingOptions) {
  const { style, columns: width } = canvas;
  const sections = all.filter(({ rows }) => rows.length > 0);
  const shown = sections.flatMap(({ rows }) => rows);
  const isIdBelow = shown.some(({ id }) => id.length > maxIdWidth);
  const cellsOf = ({ id, timeLeft, language, territory, asset }: Row) => [
    ...(isIdBelow ? [] : [id]),
    ...[timeLeft, language, territory, asset],
  ];
  const layout = style.isAccessible
    ? undefined
    : fitTable(columns.slice(isIdBelow ? 1 : 0), shown.map(cellsOf), width - 2, style);
  const top = layout && shown.length > 0 ? [`  ${layout.header}`] : [];
  const notes = (options.notes ?? []).map((note) => truncate(note, width));
  const end = [...notes, ...wrap(options.closing, width).map(style.bold)];
  const titleOf = ({ heading, rows }: Section) => {
    const title = truncate(`${heading} (${rows.length})`, width);
    return style.bold(rows[0]?.board.late ? style.red(title) : title);
  };
  const linesOf = (row: Row, isShort: boolean) => {
    if (!layout) return sentenceLines(canvas, row);
    const mark = row.changed ? style.yellow('* ') : '  ';
    const below = detailsOf(canvas, row, isShort, isIdBelow ? `${row.id}  ` : '').filter(Boolean);
    return [`${mark}${layout.row(cellsOf(row), row)}`, ...below.map((line) => `    ${line}`)];
  };
  const draw = (section: Section, rows: readonly Row[], isShort: boolean) =>
    rows.length > 0 ? [titleOf(section), ...rows.flatMap((row) => linesOf(row, isShort))] : [];
  const whole = sections.flatMap((one) => draw(one, one.rows, false));
  // The last line of the screen is for the prompt.
  const room = canvas.rows - 1 - top.length - end.length - (options.linesBelow ?? 0);
  if (!options.moreHint || whole.length <= room) {
    return { lines: [...top, ...whole, ...end], unseen: [] };
  }
  // Those that fit, each with the line that says whom it waits for: the first of each section, then the most urgent.
  const order = [...new Set([...sections.flatMap(({ rows }) => rows.slice(0, 1)), ...shown])];
  const digestOf = (count: number) => {
    const some = new Set(order.slice(0, count));
    const shownOf = ({ rows }: Section) => rows.filter((row) => some.has(row));
    return sections.flatMap((one) => draw(one, shownOf(one), true));
  };
  const hasRoom = (count: number) => digestOf(count).length + Number(count < order.length) <= room;
  let count = Math.min(order.length, canvas.rows);
  while (count > 1 && !hasRoom(count)) count -= 1;
  const unseen = order.slice(count);
  const more = truncate(`… ${unseen.length} more${options.moreHint}`, width);
  const digest = digestOf(count);
  return { lines: [...top, ...digest, ...(unseen.length > 0 ? [more] : []), ...end], unseen };
}

const roomFor = ({ columns: width }: Canvas) => Math.max(10, width - 4);

function sentenceLines(canvas: Canvas, row: Row): string[] {
  const labelled = (['language', 'territory', 'asset'] as const)
    .filter((field) => row[field] !== '')
    .map((field) => `${field} ${row[field]}`);
  const own = row.details ?? [changedAndWhy(row, canvas), row.waits];
  const facts = [row.timeLeft, ...labelled, ...own].filter(Boolean).join('; ');
  const [first, ...rest] = wrap(`${row.id}: ${facts}`, roomFor(canvas));
  return [`  ${first}`, ...rest.map((line) => `    ${line}`)];
}

const changedAndWhy = (row: Row, { tools }: Canvas): string =>
  [row.changed && `changed: ${row.changed}`, whyOf(row, tools.now)].filter(Boolean).join('; ');

/** The lines below a row. If it is to be short, one with whom the request waits for first. */
function detailsOf(canvas: Canvas, row: Row, isShort: boolean, id: string): string[] {
  const available = roomFor(canvas);
  const { details, waits } = row;
  if (details) return details.flatMap((line, at) => wrap(at === 0 ? id + line : line, available));
  const detail = changedAndWhy(row, canvas);
  if (isShort) {
    // A change comes first: it is marked once.
    const parts = row.changed ? [detail, waits] : [waits, detail];
    return [truncate(id + parts.filter(Boolean).join('; '), available)];
  }
  const [first = '', ...rest] = wrap(id + detail, available);
  // Two lines at most, so that a long reason does not push other requests off the screen.
  return [first, truncate(rest.join(' '), available), truncate(waits, available)];
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
