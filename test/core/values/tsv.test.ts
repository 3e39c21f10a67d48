import { describe, expect, it } from 'vitest';
import { tsvRow } from '../../../src/core/values/separatedValues.ts';
import { hostile, texts } from '../output/samples.ts';

const readCell = (cell: string) =>
  cell.replace(/\\(?:x(..)|(.))/g, (_, hex, letter) => {
    if (hex) return String.fromCharCode(Number.parseInt(hex, 16));
    return { t: '\t', n: '\n', r: '\r', '\\': '\\' }[letter as string] ?? '?';
  });

describe('tsvRow', () => {
  it('puts a tab between cells and keeps empty ones', () => {
    expect(tsvRow(['a', '', 'b', ''])).toBe('a\t\tb\t');
  });

  it('escapes what would end a cell or a row', () => {
    expect(tsvRow(['a\tb', 'c\nd\r', 'e\\t'])).toBe('a\\tb\tc\\nd\\r\te\\\\t');
  });

  it('escapes other controls by their numbers', () => {
    expect(tsvRow(['\x1b[m\x00\x7f\x9b\v'])).toBe('\\x1b[m\\x00\\x7f\\x9b\\x0b');
  });

  it('changes and cuts nothing else', () => {
    const cells = [...Object.values(texts), 'x'.repeat(10_000), '\u202e\u200b\ufeff'];
    expect(tsvRow(cells)).toBe(cells.join('\t'));
  });

  it('can be read back', () => {
    for (const row of [hostile, Object.values(texts), ['\\n', '\\\n', '\\\\x41']]) {
      const line = tsvRow(row);
      expect(line).not.toMatch(/[\n\r]/);
      expect(line.split('\t').map(readCell)).toEqual(row);
    }
  });
});
