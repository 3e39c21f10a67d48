import { sanitise } from './sanitise.ts';
import type { Style } from './style.ts';
import { displayWidth, truncate } from './width.ts';

export interface TableColumn {
  title: string;
  align?: 'left' | 'right';
  /** A column of higher importance keeps its width longer. */
  importance?: number;
  /** Never cut: for ids. */
  fixed?: boolean;
  /** Colours a cell, after it was fitted. */
  paint?: (text: string, style: Style) => string;
}

export interface TableLayout {
  header: string;
  row(cells: readonly string[]): string;
}

const gap = '  ';
/** A column is cut down to this first, and below it, where nothing else helps, to the second. */
const narrow = 10;
const narrowest = 6;
/** A table that shows less than this part of itself cannot be read. Long cells count as so long. */
const readable = 0.5;
const longCell = 40;
const longNumber = 20;

interface Fitted {
  column: TableColumn;
  /** Of its widest cell, or its title. */
  natural: number;
  width: number;
  /** Not to be cut below this: the whole of an id or a number. */
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
  const titles = columns.map((column) => sanitise(column.title).toUpperCase());
  const fitted = columns.map((column, index): Fitted => {
    const title = displayWidth(titles[index] ?? '');
    const widest = sample.reduce((most, row) => Math.max(most, displayWidth(row[index] ?? '')), 0);
    const natural = Math.max(title, widest);
    // Half a number is a wrong one.
    const least = column.fixed
      ? widest
      : column.align === 'right'
        ? Math.min(widest, longNumber)
        : 0;
    return { column, natural, width: column.fixed ? natural : Math.min(natural, width), least };
  });
  if (!shrink(fitted, width - gap.length * (columns.length - 1))) return undefined;
  return {
    header: line(
      fitted.map(({ column, width }, index) => ({
        text: truncate(titles[index] ?? '', width),
        width,
        align: column.align,
        paint: style.dim,
      })),
    ),
    row: (cells) =>
      line(
        fitted.map(({ column, width }, index) => {
          const text = (cells[index] ?? '').trimEnd();
          return {
            text: column.fixed ? text : truncate(text, width),
            width,
            align: column.align,
            paint: (shown: string) => column.paint?.(shown, style) ?? shown,
          };
        }),
      ),
  };
}

/** Takes from the least important columns, of these from the widest, until all fit. */
function shrink(fitted: readonly Fitted[], available: number): boolean {
  const wanted = fitted.reduce((sum, { natural, least }) => {
    return sum + Math.max(least, Math.min(natural, longCell));
  }, 0);
  if (available < wanted * readable) return false;
  const ranks = [...new Set(fitted.map(rankOf))].sort((a, b) => a - b);
  let excess = fitted.reduce((sum, { width }) => sum + width, 0) - available;
  for (const floor of [narrow, narrowest]) {
    for (const rank of ranks) {
      const group = fitted.filter((one) => rankOf(one) === rank);
      let widest = widestAbove(floor, group);
      while (excess > 0 && widest !== undefined) {
        widest.width -= 1;
        excess -= 1;
        widest = widestAbove(floor, group);
      }
    }
  }
  return excess <= 0;
}

function rankOf({ column }: Fitted): number {
  return column.importance ?? 0;
}

function widestAbove(floor: number, group: readonly Fitted[]): Fitted | undefined {
  let found: Fitted | undefined;
  for (const one of group) {
    const canShrink = one.width > Math.max(floor, one.least);
    if (canShrink && one.width > (found?.width ?? 0)) found = one;
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
