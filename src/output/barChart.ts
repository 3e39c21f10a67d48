import { sanitise } from '../values/sanitise.ts';
import { pad, wrap } from '../values/width.ts';
import type { Style } from './style.ts';
import { fitTable, type TableColumn } from './table.ts';

interface BarRow {
  cells: readonly string[];
  count: number;
}

export interface BarChart {
  columns: readonly TableColumn[];
  unit: string;
  /** Counted rows, and notes between them. */
  rows: readonly (BarRow | { text: string })[];
}

const gap = '  ';
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;
/** Shorter bars are hard to compare, so the cells beside them are cut first. */
const minBarWidth = 10;

/** A bar for a share of the width, in eighths of a column. A share above 0 is always visible. */
export function bar(share: number, width: number): string {
  const length = share > 0 ? Math.max(1, Math.round(share * width * 8)) : 0;
  return '█'.repeat(Math.floor(length / 8)) + (eighths[length % 8] ?? '');
}

export function renderBars(chart: BarChart, width: number, style: Style): string[] {
  if (style.isAccessible) return chart.rows.map(labelledRow);
  const rows = chart.rows.filter(isCounted);
  const maxCount = rows.reduce((largest, { count }) => Math.max(largest, count), 1);
  const columns: TableColumn[] = [...chart.columns, { title: chart.unit, align: 'right' }];
  const tableWidth = width - gap.length - Math.max(minBarWidth, Math.floor(width / 4));
  const layout = fitTable(columns, rows.map(cellsOf), tableWidth, style);
  const drawBar = ({ count }: BarRow, used: number) => {
    const drawn = bar(count / maxCount, Math.max(1, width - used - gap.length));
    return drawn === '' ? '' : gap + style.cyan(drawn);
  };
  const lines = (row: BarRow): string[] => {
    const cells = cellsOf(row);
    if (layout) return [layout.row(cells) + drawBar(row, layout.width)];
    // Too narrow for columns: the cells get lines of their own.
    const names = cells.slice(0, -1).filter((cell) => cell !== '');
    const count = pad(String(row.count), String(maxCount).length, 'right');
    return [...wrap(names.join(gap), width), gap + count + drawBar(row, gap.length + count.length)];
  };
  return [
    ...(layout ? [layout.header] : []),
    ...chart.rows.flatMap((row) =>
      isCounted(row) ? lines(row) : wrap(sanitise(row.text), width).map(style.dim),
    ),
  ];
}

/** `u-ines, Inès: 12`, for screen readers. */
const labelledRow = (row: BarChart['rows'][number]): string =>
  isCounted(row)
    ? `${row.cells.filter(Boolean).map(sanitise).join(', ')}: ${row.count}`
    : sanitise(row.text);

const isCounted = (row: BarChart['rows'][number]): row is BarRow => 'count' in row;

const cellsOf = ({ cells, count }: BarRow) => [...cells.map(sanitise), String(count)];
