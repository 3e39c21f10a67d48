import { sanitise } from '../values/sanitise.ts';
import { displayWidth, truncate, truncateMiddle, wrap } from '../values/width.ts';
import type { Style } from './style.ts';

export interface TableColumn {
  title: string;
  short?: string;
  align?: 'left' | 'right';
  /**
   * A column of higher importance keeps its width longer, and stays when others are left out. A fixed
   * column without an importance is never left out.
   */
  importance?: number;
  fixed?: boolean;
  /** Names often begin alike, so they may be cut in the middle. */
  isName?: boolean;
  /** Cut last: half a time or half a status is misleading. */
  whole?: boolean;
  /** Continues on the next line. */
  wraps?: boolean;
  /** The index of a column whose text this one often begins with. That part is not shown twice. */
  within?: number;
  /** The record is the one of the row. */
  paint?: (text: string, style: Style, record?: unknown) => string;
}

type Sample = readonly (readonly string[])[];

/** Between columns; one space if a table with all its essential columns fits only then. */
const gap = '  ';
const tightGap = ' ';
/** Columns are cut to the first width, and to the second only if nothing else helps. */
const narrowWidth = 10;
const minWidth = 6;
/** A table that shows less than this share of itself is unreadable. Longer cells count as `maxCell`. */
const minShownShare = 0.5;
const maxCell = 40;
const maxUncutCell = 24;
const minWrappedWidth = 16;
/**
 * A table that may leave out columns cuts texts to `textWidth` at most, and to `essentialWidth` if they
 * have the importance `essential`. If only essential columns remain, they are cut to `textWidth` before
 * one of them is left out, and if only vital ones remain, to `tightWidth`.
 */
const essentialWidth = 28;
const textWidth = 16;
const tightWidth = 8;
const essential = 4;
const vital = 5;
/** With fewer columns, a table says less than records with labels. */
const minColumns = 3;
const number = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/;

interface Fitted extends ReturnType<typeof measure> {
  index: number;
  /** The column is not cut below this while others can be cut. */
  comfortable?: number;
  cut?: typeof truncate;
  /** The width of its texts without the beginning that another column has too. */
  restWidth?: number;
}

/**
 * Fits columns to a width by a sample of rows. Undefined if the table would be unreadable. Later rows
 * are cut to the same widths, except in fixed columns. Cells must be one line, and safe already. With
 * `mayOmit`, columns that are empty in the sample are left out, and those of low importance rather than
 * all of them cut.
 */
export function fitTable(
  columns: readonly TableColumn[],
  sample: Sample,
  width: number,
  style: Style,
  { mayOmit = false } = {},
) {
  const { shown, needs, between } = mayOmit
    ? chooseColumns(columns, sample, width)
    : { shown: [...columns.keys()], between: gap };
  const used = new Set(shown.flatMap((index) => [index, columns[index]?.within ?? index]));
  const isRest = ({ within }: TableColumn) => within !== undefined && shown.includes(within);
  const fitted = shown.map((index): Fitted => {
    const column = columns[index] as TableColumn;
    const cells = sample
      .map((row) => (isRest(column) ? restOf(column, row, index) : (row[index] ?? '')))
      .filter(Boolean);
    const restWidth = column.within === undefined ? undefined : widestRest(column, sample, index);
    return { ...measure(column, cells, width), index, comfortable: needs?.get(index), restWidth };
  });
  const gaps = between.length * (shown.length - 1);
  if (!shrink(fitted, width - gaps)) return undefined;
  const wholeText = ({ column, index, natural, width }: Fitted, cells: readonly string[]) => {
    const text = (cells[index] ?? '').trimEnd();
    // If one text of the sample is too long, all rows are shortened, so that they look alike.
    const isShort = isRest(column) || natural > width || displayWidth(text) > width;
    return isShort && !column.fixed ? restOf(column, cells, index) : text;
  };
  for (const one of fitted) {
    const texts = sample.map((row) => wholeText(one, row));
    one.cut = one.column.isName ? cutFor(texts, one.width) : truncate;
    const widest = Math.max(displayWidth(one.title), ...texts.map(displayWidth));
    if (!one.column.fixed) one.width = Math.min(one.width, widest);
  }
  const textOf = (one: Fitted, cells: readonly string[]) => {
    const text = wholeText(one, cells);
    return one.column.fixed ? text : (one.cut ?? truncate)(text, one.width);
  };
  const line = (texts: readonly string[], paint: (text: string, column: TableColumn) => string) => {
    const last = texts.findLastIndex((text) => text !== '');
    const cells = fitted.slice(0, last + 1).map(({ column, align, width }, index) => {
      const text = texts[index] ?? '';
      // Padding is not painted, so that underlines and backgrounds end with the text.
      const fill = ' '.repeat(Math.max(0, width - displayWidth(text)));
      if (align === 'right') return fill + paint(text, column);
      return index === last ? paint(text, column) : paint(text, column) + fill;
    });
    return cells.join(between);
  };
  const rowOf = (cells: readonly string[], record?: unknown) => {
    const texts = fitted.map((one) => textOf(one, cells));
    return line(texts, (text, { paint }) => paint?.(text, style, record) ?? text);
  };
  const titles = fitted.map(({ title, width }) => truncate(title, width));
  return {
    width: gaps + fitted.reduce((sum, { width }) => sum + width, 0),
    header: line(titles, style.dim),
    /** The indexes of the cells that rows are made of; the others are not needed. */
    used: used as ReadonlySet<number>,
    row: rowOf,
    lines: (cells: readonly string[], record?: unknown) =>
      fitted.some(({ column }) => column.wraps)
        ? wrapCells(fitted, cells).map((one) => rowOf(one, record))
        : [rowOf(cells, record)],
  };
}

/** The shares of a width that the end of a text gets. */
const endShares = [0, 0.5, 0.7];

/** Chooses the way to cut names that keeps most of them apart. */
function cutFor(texts: readonly string[], width: number): typeof truncate {
  const [first = truncate, ...others] = endShares.map(
    (share): typeof truncate =>
      (text, most) =>
        truncateMiddle(text, most, Math.floor(most * share)),
  );
  const distinct = (cut: typeof truncate) => new Set(texts.map((text) => cut(text, width))).size;
  return others.reduce((best, cut) => (distinct(cut) > distinct(best) ? cut : best), first);
}

/** Leaves out empty columns, then the least important ones, those on the right first, until the others fit. */
function chooseColumns(columns: readonly TableColumn[], sample: Sample, width: number) {
  const widest = columns.map((column, index) => widestRest(column, sample, index));
  const rank = (index: number) => {
    const { importance, fixed } = columns[index] as TableColumn;
    return importance ?? (fixed ? Number.POSITIVE_INFINITY : 0);
  };
  const need = (index: number, maxEssential: number) => {
    const column = columns[index] as TableColumn;
    const maxText = rank(index) >= essential ? maxEssential : textWidth;
    const natural = Math.max(displayWidth(titleOf(column)), widest[index] ?? 0);
    return column.fixed ? natural : Math.min(natural, column.whole ? maxUncutCell : maxText);
  };
  const filled = [...columns.keys()].filter((index) => widest[index] !== 0);
  let shown = filled.length > 0 ? filled : [...columns.keys()];
  for (;;) {
    const least = Math.min(...shown.map(rank));
    const widths = [
      essentialWidth,
      ...(least >= essential ? [textWidth] : []),
      ...(least >= vital ? [tightWidth] : []),
    ];
    for (const maxEssential of widths) {
      const needs = new Map(shown.map((index) => [index, need(index, maxEssential)]));
      const total = [...needs.values()].reduce((sum, one) => sum + one, 0);
      const between = [gap, ...(maxEssential === tightWidth ? [tightGap] : [])].find(
        ({ length }) => total + length * (shown.length - 1) <= width,
      );
      if (between) return { shown, needs, between };
    }
    const isFewest = shown.length <= minColumns || least === Number.POSITIVE_INFINITY;
    if (isFewest) return { shown, between: gap };
    const omitted = shown.findLast((index) => rank(index) === least);
    shown = shown.filter((index) => index !== omitted);
  }
}

const titleOf = ({ title, short = title }: TableColumn) => sanitise(short).toUpperCase();

const widestRest = (column: TableColumn, sample: Sample, index: number): number =>
  sample.reduce((most, row) => Math.max(most, displayWidth(restOf(column, row, index))), 0);

/** `Trailer A` of `The Harbor Light – Trailer A`, if the other column is `The Harbor Light`. */
function restOf({ within }: TableColumn, cells: readonly string[], index: number): string {
  const text = cells[index] ?? '';
  const beginning = within === undefined ? '' : (cells[within] ?? '');
  if (beginning === '' || !text.startsWith(beginning)) return text;
  const rest = text.slice(beginning.length);
  return /^[\s–—:_|/·-]+(.+)$/u.exec(rest)?.[1] ?? text;
}

function measure(column: TableColumn, cells: readonly string[], maxWidth: number) {
  const title = titleOf(column);
  const widest = cells.reduce((width, cell) => Math.max(width, displayWidth(cell)), 0);
  const natural = Math.max(displayWidth(title), widest);
  const isNumber = !column.fixed && cells.length > 0 && cells.every((cell) => number.test(cell));
  const align: 'left' | 'right' = column.align ?? (isNumber ? 'right' : 'left');
  return {
    column,
    align,
    title,
    natural,
    widest,
    width: column.fixed ? natural : Math.min(natural, maxWidth),
    /** The column is not cut below this: the whole of an id, a number or a time. */
    minimum: Math.min(widest, maxMinimum(column, align)),
  };
}

function maxMinimum({ fixed, wraps, whole }: TableColumn, align: 'left' | 'right'): number {
  if (fixed) return Number.POSITIVE_INFINITY;
  if (wraps) return minWrappedWidth;
  return whole || align === 'right' ? maxUncutCell : 0;
}

function wrapCells(fitted: readonly Fitted[], cells: readonly string[]): string[][] {
  const columns = cells.map((text, at) => {
    const one = fitted.find(({ index }) => index === at);
    return one?.column.wraps ? wrap(text, one.width) : [text];
  });
  const height = Math.max(1, ...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) => columns.map((lines) => lines[at] ?? ''));
}

/**
 * Cuts very long cells first, then titles that are wider than their cells. Then each rank of columns to
 * `narrowWidth`, and to `minWidth` before the rank two above is cut at all. False if that is not enough.
 */
function shrink(fitted: readonly Fitted[], available: number): boolean {
  const wanted = fitted.reduce(
    (sum, { natural, minimum }) => sum + Math.max(minimum, Math.min(natural, maxCell)),
    0,
  );
  if (available < wanted * minShownShare) return false;
  let excess = fitted.reduce((sum, { width }) => sum + width, 0) - available;
  const cut = (columns: readonly Fitted[], floor: (one: Fitted) => number) => {
    while (excess > 0) {
      const wide = columns.filter((one) => one.width > floor(one));
      const [widest] = wide.sort((a, b) => b.width - a.width);
      if (!widest) break;
      widest.width -= 1;
      excess -= 1;
    }
  };
  const ofRank = (rank: number | undefined) => fitted.filter((one) => rankOf(one) === rank);
  const cutRank = (rank: number | undefined, width: number) =>
    cut(ofRank(rank), ({ minimum }) => Math.max(width, minimum));
  const ranks = [...new Set(fitted.map(rankOf))].sort((a, b) => a - b);
  for (const rank of ranks) cutRank(rank, maxCell);
  cut(fitted, (one) =>
    one.comfortable === undefined ? Math.max(one.widest, minWidth) : one.width,
  );
  cut(fitted, ({ restWidth, width }) => Math.max(restWidth ?? width, minWidth));
  for (const rank of ranks) {
    cut(ofRank(rank), ({ comfortable, width }) => comfortable ?? width);
  }
  for (const [index, rank] of ranks.entries()) {
    cutRank(rank, narrowWidth);
    cutRank(ranks[index - 1], minWidth);
  }
  cut(fitted, ({ column, width }) => (column.whole && !column.fixed ? narrowWidth : width));
  return excess <= 0;
}

const rankOf = ({ column }: Fitted): number => column.importance ?? 0;
