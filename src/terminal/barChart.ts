import { sanitise } from './sanitise.ts';
import type { Style } from './style.ts';
import { fitTable, type TableColumn } from './table.ts';
import { pad, wrap } from './width.ts';

interface BarRow {
  /** What is counted: a cell for each column. */
  cells: readonly string[];
  count: number;
}

/** A line that stands in place of rows. */
interface BarGap {
  text: string;
}

export interface BarChart {
  columns: readonly TableColumn[];
  /** What the counts are of. */
  unit: string;
  rows: readonly (BarRow | BarGap)[];
}

const gap = '  ';
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;
/** A bar that is shorter tells little: the words beside it are cut first. */
const shortestBar = 10;

/** A bar of a part of the width, in eighths of a column; what is not nothing can be seen. */
export function bar(share: number, width: number): string {
  const length = share > 0 ? Math.max(1, Math.round(share * width * 8)) : 0;
  return '█'.repeat(Math.floor(length / 8)) + (eighths[length % 8] ?? '');
}

/** Counts with bars beside them, the longest of which reaches the edge. */
export function renderBars(chart: BarChart, width: number, style: Style): string[] {
  const counted = chart.rows.filter(isCounted);
  const most = counted.reduce((largest, { count }) => Math.max(largest, count), 1);
  const columns: TableColumn[] = [...chart.columns, { title: chart.unit, align: 'right' }];
  const room = width - gap.length - Math.max(shortestBar, Math.floor(width / 4));
  const layout = fitTable(columns, counted.map(cellsOf), room, style);
  const drawn = ({ count }: BarRow, used: number) => {
    const text = bar(count / most, Math.max(1, width - used - gap.length));
    return text === '' ? '' : gap + style.cyan(text);
  };
  const lines = (row: BarRow): string[] => {
    const cells = cellsOf(row);
    if (layout) return [layout.row(cells) + drawn(row, layout.width)];
    // Too narrow for columns: the words have lines of their own.
    const names = cells.slice(0, -1).filter((cell) => cell !== '');
    const count = pad(String(row.count), String(most).length, 'right');
    return [...wrap(names.join(gap), width), gap + count + drawn(row, gap.length + count.length)];
  };
  return [
    ...(layout ? [layout.header] : []),
    ...chart.rows.flatMap((row) =>
      isCounted(row) ? lines(row) : wrap(sanitise(row.text), width).map(style.dim),
    ),
  ];
}

const isCounted = (row: BarRow | BarGap): row is BarRow => 'count' in row;

const cellsOf = ({ cells, count }: BarRow) => [...cells.map(sanitise), String(count)];
