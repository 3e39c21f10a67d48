import { describe, expect, it } from 'vitest';
import { bar } from '../../src/output/timeline.ts';

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
