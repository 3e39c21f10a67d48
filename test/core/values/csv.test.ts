import { describe, expect, it } from 'vitest';
import { csvRow, unprotected } from '../../../src/core/values/separatedValues.ts';

const row = (...cells: string[]) => csvRow(cells, { raw: false, isTerminal: false });

describe('a CSV record', () => {
  it('ends with CRLF, and quotes what it must', () => {
    expect(row('a', 'b,c', 'say "hi"', 'one\ntwo', '')).toBe(
      'a,"b,c","say ""hi""","one\ntwo",\r\n',
    );
  });

  it('is never an empty line', () => {
    expect(row('')).toBe('""\r\n');
    expect(row('', '')).toBe(',\r\n');
  });

  it.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '＝1', '＋1', '－1', '＠x'])(
    'does not let a spreadsheet run %s',
    (cell) => {
      expect(row(cell)).toBe(`'${cell}\r\n`);
    },
  );

  it.each(['\t=1', '\r=1', '\n=1'])('does not let a spreadsheet run %j', (cell) => {
    expect(row(cell)).toBe(cell === '\t=1' ? `'${cell}\r\n` : `"'${cell}"\r\n`);
  });

  it.each(['-5', '-1.5', '-1e10', '-2.5E-3', "'a", 'a=b', '1-1', ' =1'])(
    'leaves %j, which is no formula, as it is',
    (cell) => {
      expect(row(cell)).toBe(cell.startsWith(' ') ? `"${cell}"\r\n` : `${cell}\r\n`);
    },
  );

  it.each(['=1', "'=1", "''@a", "'a", '-5', '\t=1', '', ' ', 'a\0b', '\'"a"', '\'"a'])(
    'is read back as %j',
    (cell) => {
      const [written = ''] = row(cell, 'x').split(',');
      const text = written.replace(/^"(.*)"$/, '$1').replaceAll('""', '"');
      expect(unprotected(text)).toBe(cell);
    },
  );

  it('leaves formulas alone when it is to be raw', () => {
    expect(csvRow(['=1', '-x'], { raw: true, isTerminal: false })).toBe('=1,-x\r\n');
  });

  it('is harmless and on one line on a terminal', () => {
    const cells = ['a\x1b[2Jb', 'one\r\ntwo', '\u202ex'];
    const line = csvRow(cells, { raw: false, isTerminal: true });
    expect(line).toBe('a␛[2Jb,one two,\\u{202e}x\n');
  });
});
