import { expect, it } from 'vitest';
import { differentWidths } from '../core/output/samples.ts';

// About 140,000 characters take a while on a busy machine.
it('every character is as wide as string-width has it', { timeout: 300_000 }, () => {
  const codes = Array.from({ length: 0x1ffe0 }, (_, index) => 0x20 + index);
  // The planes above have only Han characters.
  for (let code = 0x20000; code < 0x40000; code += 16) codes.push(code);
  expect(differentWidths(codes)).toEqual([]);
});
