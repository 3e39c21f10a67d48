import { sanitise } from './sanitise.ts';
import type { Style } from './style.ts';
import { displayWidth, truncate, wrap } from './width.ts';

export interface TableColumn {
  title: string;
  align?: 'left' | 'right';
  /** A column of higher importance keeps its width longer. */
  importance?: number;
  /** Never cut: for ids. */
  fixed?: boolean;
  /** Among the last to be cut: half a time is a wrong one, and half a status may be another. */
  whole?: boolean;
  /** What does not fit goes on below, where there is room for several lines: in a card. */
  wraps?: boolean;
  /** Colours a cell, after it was fitted. */
  paint?: (text: string, style: Style) => string;
}

export interface TableLayout {
  /** That of a whole row. */
  width: number;
  header: string;
  /** One line; what does not fit is cut. */
  row(cells: readonly string[]): string;
  /** As many lines as the cells that wrap need. */
  lines(cells: readonly string[]): string[];
}

const gap = '  ';
/** A column is cut down to this first, and below it, where nothing else helps, to the second. */
const narrow = 10;
const narrowest = 6;
/** A table that shows less than this part of itself cannot be read. Long cells count as so long. */
const readable = 0.5;
const longCell = 40;
const longWhole = 20;
/** Text that goes on below needs room for a few words in each line. */
const narrowestWrapped = 16;
/** Of a sample that is all numbers, the column is one of numbers. */
const number = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/;

interface Fitted {
  column: TableColumn;
  align: 'left' | 'right';
  title: string;
  /** Of its widest cell, or its title. */
  natural: number;
  /** Of its widest cell alone. */
  widest: number;
  width: number;
  /** Not to be cut below this: the whole of an id, a number or a time. */
  least: number;
}

/**
 * Column widths for the header and the sample, or nothing where they cannot be read at this width.
 * The layout holds for rows that come later: they are cut to it, but for fixed columns, whose rows
 * grow wider instead. Cells are one line and safe already.
 */
export function fitTable(
  columns: readonly TableColumn[],
  sample: readonly (readonly string[])[],
  width: number,
  style: Style,
): TableLayout | undefined {
  const fitted = columns.map((column, index) => {
    const cells = sample.map((row) => row[index] ?? '').filter((cell) => cell !== '');
    return measure(column, cells, width);
  });
  const gaps = gap.length * (columns.length - 1);
  if (!shrink(fitted, width - gaps)) return undefined;
  const rowOf = (cells: readonly string[]) =>
    line(
      fitted.map(({ column, align, width }, index) => {
        const text = (cells[index] ?? '').trimEnd();
        return {
          text: column.fixed ? text : truncate(text, width),
          width,
          align,
          paint: (shown: string) => column.paint?.(shown, style) ?? shown,
        };
      }),
    );
  return {
    width: gaps + fitted.reduce((sum, { width }) => sum + width, 0),
    header: line(
      fitted.map(({ title, align, width }) => ({
        text: truncate(title, width),
        width,
        align,
        paint: style.dim,
      })),
    ),
    row: rowOf,
    lines: (cells) => folded(fitted, cells).map(rowOf),
  };
}

function measure(column: TableColumn, cells: readonly string[], room: number): Fitted {
  const title = sanitise(column.title).toUpperCase();
  const widest = cells.reduce((most, cell) => Math.max(most, displayWidth(cell)), 0);
  const natural = Math.max(displayWidth(title), widest);
  const isNumber = !column.fixed && cells.length > 0 && cells.every((cell) => number.test(cell));
  const align = column.align ?? (isNumber ? 'right' : 'left');
  const isWhole = column.whole || align === 'right';
  return {
    column,
    align,
    title,
    natural,
    widest,
    width: column.fixed ? natural : Math.min(natural, room),
    least: leastOf(column, widest, isWhole),
  };
}

function leastOf({ fixed, wraps }: TableColumn, widest: number, isWhole: boolean): number {
  if (fixed) return widest;
  if (wraps) return Math.min(widest, narrowestWrapped);
  return isWhole ? Math.min(widest, longWhole) : 0;
}

/** The cells of one row, line by line. */
function folded(fitted: readonly Fitted[], cells: readonly string[]): string[][] {
  const columns = fitted.map(({ column, width }, index) => {
    const text = cells[index] ?? '';
    return column.wraps ? wrap(text, width) : [text];
  });
  const height = Math.max(1, ...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) => columns.map((lines) => lines[at] ?? ''));
}

/** Takes from the least important columns, step by step, until all fit. */
function shrink(fitted: readonly Fitted[], available: number): boolean {
  const wanted = fitted.reduce((sum, { natural, least }) => {
    return sum + Math.max(least, Math.min(natural, longCell));
  }, 0);
  if (available < wanted * readable) return false;
  let excess = fitted.reduce((sum, { width }) => sum + width, 0) - available;
  for (const { columns, floor } of steps(fitted)) {
    let widest = widestAbove(floor, columns);
    while (excess > 0 && widest !== undefined) {
      widest.width -= 1;
      excess -= 1;
      widest = widestAbove(floor, columns);
    }
  }
  return excess <= 0;
}

type Floor = (one: Fitted) => number;

/**
 * What is cut in which order. First what is very long, then titles that are longer than all below
 * them. Then each rank of columns down to narrow, and to the narrowest before the rank two above is
 * cut at all: a name is worth more than what stands in the last column.
 */
function* steps(fitted: readonly Fitted[]): Generator<{ columns: Fitted[]; floor: Floor }> {
  const ranks = [...new Set(fitted.map(rankOf))].sort((a, b) => a - b);
  const ofRank = (rank: number | undefined) => fitted.filter((one) => rankOf(one) === rank);
  const to =
    (width: number): Floor =>
    ({ least }) =>
      Math.max(width, least);
  for (const rank of ranks) yield { columns: ofRank(rank), floor: to(longCell) };
  yield { columns: [...fitted], floor: ({ widest }) => Math.max(widest, narrowest) };
  for (const [index, rank] of ranks.entries()) {
    yield { columns: ofRank(rank), floor: to(narrow) };
    yield { columns: ofRank(ranks[index - 1]), floor: to(narrowest) };
  }
  const whole = fitted.filter(({ column }) => column.whole && !column.fixed);
  yield { columns: whole, floor: () => narrow };
  yield { columns: ofRank(ranks.at(-1)), floor: to(narrowest) };
}

function rankOf({ column }: Fitted): number {
  return column.importance ?? 0;
}

function widestAbove(floor: Floor, group: readonly Fitted[]): Fitted | undefined {
  let found: Fitted | undefined;
  for (const one of group) {
    if (one.width > floor(one) && one.width > (found?.width ?? 0)) found = one;
  }
  return found;
}

interface Cell {
  text: string;
  width: number;
  align: 'left' | 'right' | undefined;
  paint: (text: string) => string;
}

function line(cells: readonly Cell[]): string {
  const shown = cells.slice(0, cells.findLastIndex(({ text }) => text !== '') + 1);
  return shown
    .map(({ text, width, align, paint }, index) => {
      // Spaces are added outside of the paint, so that underlines and backgrounds end with the text.
      const fill = ' '.repeat(Math.max(0, width - displayWidth(text)));
      if (align === 'right') return fill + paint(text);
      return index === shown.length - 1 ? paint(text) : paint(text) + fill;
    })
    .join(gap);
}
