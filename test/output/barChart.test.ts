import { describe, expect, it } from 'vitest';
import { bar, renderBars } from '../../src/output/barChart.ts';
import { createStyle } from '../../src/output/style.ts';
import { displayWidth } from '../../src/values/width.ts';
import { texts } from './samples.ts';

const plain = createStyle(false);

describe('bar', () => {
  it.each([
    [0, ''],
    [1, '██████████'],
    [0.5, '█████'],
    [0.55, '█████▌'],
    [1 / 80, '▏'],
    [7 / 80, '▉'],
    [0.000_001, '▏'],
  ])('of %d is drawn in eighths', (share, drawn) => {
    expect(bar(share, 10)).toBe(drawn);
  });
});

describe('renderBars', () => {
  const rows = Object.values(texts).map((name, index) => ({
    cells: [`5f0c1e2d3a4b5c6d7e8f9a${index}`, name],
    count: 7 ** index,
  }));
  const columns = [{ title: 'id', fixed: true }, { title: 'name' }];

  it.each([20, 40, 60, 80, 120, 200])('at %i columns is not wider, and cuts no id', (width) => {
    const lines = renderBars({ columns, unit: 'count', rows }, width, plain);
    const shown = lines.join('');
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    for (const { cells } of rows) expect(shown).toContain(cells[0]);
    for (const { count } of rows) expect(shown).toContain(String(count));
  });

  it('lets the longest bar reach the edge', () => {
    const lines = renderBars({ columns, unit: 'count', rows }, 120, plain);
    expect(Math.max(...lines.map(displayWidth))).toBe(120);
  });
});
