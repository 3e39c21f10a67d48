import { describe, expect, it } from 'vitest';
import { createStyle } from '../../src/terminal/style.ts';

describe('createStyle', () => {
  it('adds nothing without colour', () => {
    for (const paint of Object.values(createStyle(false))) expect(paint('text')).toBe('text');
  });

  it('colours whatever the environment and the stream are, for the caller has decided', () => {
    const style = createStyle(true);
    expect(style.bold('text')).toBe('\x1b[1mtext\x1b[22m');
    expect(style.red('text')).toBe('\x1b[31mtext\x1b[39m');
    expect(style.bold(style.red('text'))).toBe('\x1b[1m\x1b[31mtext\x1b[39m\x1b[22m');
  });

  it('colours no empty text', () => {
    expect(createStyle(true).dim('')).toBe('');
  });
});
