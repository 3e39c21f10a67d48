import { expect, it } from 'vitest';
import { differentWidths } from '../output/samples.ts';

// About 260,000 characters take a while on a busy machine.
it('every character is as wide as string-width has it', { timeout: 300_000 }, () => {
  const codes = Array.from({ length: 0x3ffe0 }, (_, index) => 0x20 + index);
  expect(differentWidths(codes)).toEqual([]);
});
