import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, runProgram } from '../harness/program.ts';
import { bookParts, zipOf } from '../modules/batch/zip.ts';

const peakUsage = fileURLToPath(new URL('../harness/peakUsage.cjs', import.meta.url));

const cell = '<row r="1"><c r="A1" t="inlineStr"><is><t>language</t></is></c></row>';
const row = (number: number, cells: string) => `<row r="${number}">${cells}</row>`;
const merge = '<mergeCell ref="A1:XFD1048576"/>';

const strings = (xml: string) => ({ ...bookParts(cell), 'xl/sharedStrings.xml': xml });

/** Each made `mar`, or the package that reads workbooks, hang or die. */
const files: [what: string, content: () => Buffer][] = [
  ['24 million shared strings', () => zipOf(strings(`<sst>${'<si/>'.repeat(24e6)}</sst>`))],
  ['parts that claim to be small', () => zipOf(bookParts(cell + row(2, '<c/>'.repeat(2e7))), 900)],
  ['parts that claim to be huge', () => zipOf(bookParts(cell), 4e9)],
  ['a cell at the far end', () => zipOf(bookParts(cell + row(1_048_576, '<c r="XFD1048576"/>')))],
  [
    'the last row of wide rows',
    () => zipOf(bookParts(cell + row(99_999, '<c r="GR99999"><v>1</v></c>'))),
  ],
  [
    'many rows with an empty cell in the last column, and one with a text',
    () => {
      const rows = Array.from({ length: 9_000 }, (_, at) =>
        row(at + 2, `<c r="XFD${at + 2}" s="0"/>`),
      );
      const last = '<c r="XFD9999" t="inlineStr"><is><t>x</t></is></c>';
      return zipOf(bookParts(cell + rows.join('') + row(9_999, last)));
    },
  ],
  ['a million empty rows', () => zipOf(bookParts(cell + '<row/>'.repeat(1e6)))],
  ['deep elements', () => zipOf(bookParts(cell + '<a>'.repeat(1e6)))],
  [
    'merges of everything',
    () => zipOf(bookParts(cell, `<mergeCells>${merge.repeat(5_000)}</mergeCells>`)),
  ],
  [
    'references without end',
    () =>
      zipOf({
        ...bookParts(cell),
        'xl/worksheets/sheet1.xml': `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(9)}">]><worksheet><sheetData>${row(1, '<c t="inlineStr"><is><t>&b;</t></is></c>')}</sheetData></worksheet>`,
      }),
  ],
];

it.each(files)(
  '%s: an error within 5 s of CPU and 500 MB',
  async (_, content) => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'rows.xlsx');
    writeFileSync(file, content());
    const env = { ...cleanEnvironment(folder), NODE_OPTIONS: `--require ${peakUsage}` };
    const { code, stderr } = await runProgram(['wr', 'create', '--batch', file, '--check'], env);
    // The CPU time, because the machine may be busy with something else.
    const [, peak, seconds] = /peak: (\d+) kB, cpu: ([\d.]+) s/.exec(stderr) ?? [];
    expect([code, stderr]).toEqual([2, expect.stringContaining('rows.xlsx')]);
    expect(Number(peak) / 1024).toBeLessThan(500);
    expect(Number(seconds)).toBeLessThan(5);
  },
  60_000,
);
