import { describe, expect, it } from 'vitest';
import { createStyle } from '../../src/output/style.ts';

describe('createStyle', () => {
  it('adds nothing without colour', () => {
    const { bold, dim, red, green, yellow, cyan, link } = createStyle(false);
    for (const paint of [bold, dim, red, green, yellow, cyan]) expect(paint('text')).toBe('text');
    expect(link('text', 'https://desk.example/')).toBe('text');
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
