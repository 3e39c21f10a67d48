import { sanitise } from './sanitise.ts';
import type { Style } from './style.ts';
import { displayWidth, truncate, wrap } from './width.ts';

export interface TableColumn {
  title: string;
  align?: 'left' | 'right';
  /** A column of higher importance keeps its width longer. */
  importance?: number;
  fixed?: boolean;
  /** Cut last: half a time or half a status is misleading. */
  whole?: boolean;
  /** Continues on the next line, for tables in a card. */
  wraps?: boolean;
  paint?: (text: string, style: Style) => string;
}

export interface TableLayout {
  width: number;
  header: string;
  row(cells: readonly string[]): string;
  lines(cells: readonly string[]): string[];
}

const gap = '  ';
/** Columns are cut to the first width, and to the second only if nothing else helps. */
const narrowWidth = 10;
const minWidth = 6;
/** A table that shows less than this share of itself is unreadable. Longer cells count as `maxCell`. */
const minShownShare = 0.5;
const maxCell = 40;
const maxUncutCell = 20;
const minWrappedWidth = 16;
const number = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/;

interface Fitted {
  column: TableColumn;
  align: 'left' | 'right';
  title: string;
  natural: number;
  widest: number;
  width: number;
  /** The column is not cut below this: the whole of an id, a number or a time. */
  minimum: number;
}

/**
 * Fits columns to a width by a sample of rows. Undefined if the table would be unreadable. Later rows
 * are cut to the same widths, except in fixed columns. Cells must be one line, and safe already.
 */
export function fitTable(
  columns: readonly TableColumn[],
  sample: readonly (readonly string[])[],
  width: number,
  style: Style,
): TableLayout | undefined {
  const fitted = columns.map((column, index) => {
    const cells = sample.map((row) => row[index] ?? '').filter(Boolean);
    return measure(column, cells, width);
  });
  const gaps = gap.length * (columns.length - 1);
  if (!shrink(fitted, width - gaps)) return undefined;
  const rowOf = (cells: readonly string[]) => {
    const texts = fitted.map(({ column, width }, index) => {
      const text = (cells[index] ?? '').trimEnd();
      return column.fixed ? text : truncate(text, width);
    });
    return line(fitted, texts, (text, { paint }) => paint?.(text, style) ?? text);
  };
  const titles = fitted.map(({ title, width }) => truncate(title, width));
  return {
    width: gaps + fitted.reduce((sum, { width }) => sum + width, 0),
    header: line(fitted, titles, style.dim),
    row: rowOf,
    lines: (cells) => wrapCells(fitted, cells).map(rowOf),
  };
}

function measure(column: TableColumn, cells: readonly string[], maxWidth: number): Fitted {
  const title = sanitise(column.title).toUpperCase();
  const widest = cells.reduce((width, cell) => Math.max(width, displayWidth(cell)), 0);
  const natural = Math.max(displayWidth(title), widest);
  const isNumber = !column.fixed && cells.length > 0 && cells.every((cell) => number.test(cell));
  const align = column.align ?? (isNumber ? 'right' : 'left');
  return {
    column,
    align,
    title,
    natural,
    widest,
    width: column.fixed ? natural : Math.min(natural, maxWidth),
    minimum: Math.min(widest, maxMinimum(column, align)),
  };
}

function maxMinimum({ fixed, wraps, whole }: TableColumn, align: 'left' | 'right'): number {
  if (fixed) return Number.POSITIVE_INFINITY;
  if (wraps) return minWrappedWidth;
  return whole || align === 'right' ? maxUncutCell : 0;
}

function wrapCells(fitted: readonly Fitted[], cells: readonly string[]): string[][] {
  const columns = fitted.map(({ column, width }, index) => {
    const text = cells[index] ?? '';
    return column.wraps ? wrap(text, width) : [text];
  });
  const height = Math.max(1, ...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) => columns.map((lines) => lines[at] ?? ''));
}

function shrink(fitted: readonly Fitted[], available: number): boolean {
  const wanted = fitted.reduce(
    (sum, { natural, minimum }) => sum + Math.max(minimum, Math.min(natural, maxCell)),
    0,
  );
  if (available < wanted * minShownShare) return false;
  let excess = fitted.reduce((sum, { width }) => sum + width, 0) - available;
  for (const { columns, floor } of steps(fitted)) {
    while (excess > 0) {
      const wide = columns.filter((one) => one.width > floor(one));
      const [widest] = wide.sort((a, b) => b.width - a.width);
      if (!widest) break;
      widest.width -= 1;
      excess -= 1;
    }
  }
  return excess <= 0;
}

type Floor = (one: Fitted) => number;

/**
 * The order of cutting. First very long cells, then titles that are wider than their cells. Then each
 * rank of columns to `narrowWidth`, and to `minWidth` before the rank two above is cut at all.
 */
function* steps(fitted: readonly Fitted[]): Generator<{ columns: Fitted[]; floor: Floor }> {
  const ranks = [...new Set(fitted.map(rankOf))].sort((a, b) => a - b);
  const ofRank = (rank: number | undefined) => fitted.filter((one) => rankOf(one) === rank);
  const to =
    (width: number): Floor =>
    ({ minimum }) =>
      Math.max(width, minimum);
  for (const rank of ranks) yield { columns: ofRank(rank), floor: to(maxCell) };
  yield { columns: [...fitted], floor: ({ widest }) => Math.max(widest, minWidth) };
  for (const [index, rank] of ranks.entries()) {
    yield { columns: ofRank(rank), floor: to(narrowWidth) };
    yield { columns: ofRank(ranks[index - 1]), floor: to(minWidth) };
  }
  const whole = fitted.filter(({ column }) => column.whole && !column.fixed);
  yield { columns: whole, floor: () => narrowWidth };
  yield { columns: ofRank(ranks.at(-1)), floor: to(minWidth) };
}

const rankOf = ({ column }: Fitted): number => column.importance ?? 0;

function line(
  fitted: readonly Fitted[],
  texts: readonly string[],
  paint: (text: string, column: TableColumn) => string,
): string {
  const last = texts.findLastIndex((text) => text !== '');
  const cells = fitted.slice(0, last + 1).map(({ column, align, width }, index) => {
    const text = texts[index] ?? '';
    // Padding is not painted, so that underlines and backgrounds end with the text.
    const fill = ' '.repeat(Math.max(0, width - displayWidth(text)));
    if (align === 'right') return fill + paint(text, column);
    return index === last ? paint(text, column) : paint(text, column) + fill;
  });
  return cells.join(gap);
}
