import { readFileSync, writeFileSync } from 'node:fs';
import { type CellValue, type WriteSheet, writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { batchOf, newBatch, onRow } from './harness.ts';
import { bookParts, zipOf } from './zip.ts';

const book = async (
  rows: CellValue[][],
  more: Partial<WriteSheet> = {},
  others: WriteSheet[] = [],
) => Buffer.from(await writeXlsx({ sheets: [{ name: 'Plan', rows, ...more }, ...others] }));

/** Few of these rows are whole orders. */
const command = 'wr create --skip-checks=order,due';

/** The bodies that a workbook sends. */
async function sentBy(content: Buffer, ...flags: string[]) {
  const { service, batch } = await newBatch(content, { name: 'rows.xlsx', command });
  const { code, stderr } = await batch.run(flags);
  const bodies = service.received.toSorted((a, b) =>
    String(a.instructions) < String(b.instructions) ? -1 : 1,
  );
  return { code, stderr, bodies };
}

/** The XML of a row with one cell. */
const rowOf = (number: number, text: string) =>
  `<row r="${number}"><c r="A${number}" t="inlineStr"><is><t>${text}</t></is></c></row>`;

describe('a workbook', () => {
  it('has its heading below a title, dates as dates, exact numbers and trimmed text', async () => {
    const rows = [
      ['Orders for spring'],
      [],
      ['language', 'due.date', 'due.tz', 'instructions', 'auto', 'tags'],
      [' fra ', new Date('2031-12-12T00:00:00Z'), 'Europe/Paris', '1', true, '007'],
      [],
      ['deu', new Date('2031-12-12T18:30:00Z'), 'Europe/Berlin', '2', 'no', 123456789012345],
    ];
    const { code, stderr, bodies } = await sentBy(await book(rows));
    expect(code, stderr).toBe(0);
    expect(bodies).toEqual([
      {
        ...{ language: 'fra', instructions: '1', auto: true, tags: ['007'] },
        due: { tz: 'Europe/Paris', date: Date.parse('2031-12-12T23:59+01:00') },
      },
      {
        ...{ language: 'deu', instructions: '2', auto: false, tags: ['123456789012345'] },
        due: { tz: 'Europe/Berlin', date: Date.parse('2031-12-12T18:30+01:00') },
      },
    ]);
  });

  it('names the cell of a heading that is not known', async () => {
    const rows = [['Plan'], ['Language', 'Notes'], ['fra', 'x']];
    const { code, stderr } = await sentBy(await book(rows));
    expect([code, stderr]).toEqual([2, expect.stringMatching(/B2: .*"Notes"/)]);
  });

  it('fills in cells that are merged over several rows', async () => {
    const rows = [
      ['language', 'instructions'],
      ['fra', '1'],
      [null, '2'],
    ];
    const merges = [{ startRow: 1, startCol: 0, endRow: 2, endCol: 0 }];
    const { bodies } = await sentBy(await book(rows, { merges }));
    expect(bodies.map(({ language }) => language)).toEqual(['fra', 'fra']);
  });

  const heads = ['language', 'instructions', 'due.date', 'auto'];
  it.each<[what: string, row: CellValue[], facts: RegExp, more?: Partial<WriteSheet>]>([
    [
      'an error',
      ['fra', '#N/A'],
      /B2\): instructions: .*#N\/A/,
      { cells: new Map([['1,1', { type: 'error', value: '#N/A' }]]) },
    ],
    [
      'a formula without a result',
      ['fra', null],
      /B2\): instructions: .*formula/,
      { cells: new Map([['1,1', { formula: 'A1&A2' }]]) },
    ],
    ['a date for yes or no', ['fra', '1', null, new Date('2031-12-12')], /D2\): auto: .*date/],
    [
      'cells merged with those beside',
      ['fra', 'x'],
      /A2\): language: .*merged/,
      { merges: [{ startRow: 1, startCol: 0, endRow: 1, endCol: 1 }] },
    ],
  ])('with %s is refused, with the cell', async (_, row, facts, more) => {
    const { code, stderr, bodies } = await sentBy(await book([heads, row], more));
    expect([code, bodies]).toEqual([2, []]);
    expect(stderr).toMatch(facts);
  });

  it('with cells merged over columns and rows is refused in each row', async () => {
    const merges = [{ startRow: 1, startCol: 0, endRow: 2, endCol: 1 }];
    const rows = [
      ['instructions', 'tags', 'language'],
      ['x', null, 'fra'],
      [null, null, 'deu'],
    ];
    const { code, stderr } = await sentBy(await book(rows, { merges }), '--skip-invalid');
    expect(code).toBe(8);
    expect(stderr).toMatch(/2 of 2 rows|Row 1[\s\S]*Row 2/);
  });

  it('with a formula that shows nothing has an empty cell', async () => {
    const formula = '<f>IF(F2="","",F2)</f>';
    const cells = `<c r="B2" t="str">${formula}<v></v></c><c r="C2" t="str">${formula}<v>x</v></c>`;
    const head = ['language', 'instructions', 'tags'].map(
      (text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`,
    );
    const row = rowOf(2, 'fra').replace('</row>', `${cells}</row>`);
    const { bodies } = await sentBy(zipOf(bookParts(`<row r="1">${head.join('')}</row>${row}`)));
    expect(bodies).toEqual([{ language: 'fra', tags: ['x'] }]);
  });

  it.each<[number | boolean, string, string]>([
    [true, 'General', 'TRUE'],
    [7, '000', '007'],
    [0.5, '0%', '50%'],
    [1234.5, '#,##0.00', '1,234.50'],
    [0.1 + 0.2, 'General', '0.3'],
    [123456789012345, '0', '123456789012345'],
  ])('has the text that its reader sees: %s as %s is %s', async (value, numFmt, text) => {
    const cells = new Map([['1,0', { value, style: { numFmt } }]]);
    const { bodies } = await sentBy(await book([['instructions'], [value]], { cells }));
    expect(bodies).toEqual([{ instructions: text }]);
  });

  it('has its numbers, whatever their format', async () => {
    const cells = new Map([['1,0', { value: 14, style: { numFmt: '"v"000' } }]]);
    const content = await book([['translation.lines[0].number'], [14]], { cells });
    const { bodies, stderr } = await sentBy(content, '--skip-checks');
    expect(bodies, stderr).toEqual([{ translation: { lines: [{ number: 14 }] } }]);
  });

  it('with a number of 17 digits is refused', async () => {
    const row = '<row r="2"><c r="A2"><v>12345678901234567</v></c></row>';
    const { code, stderr } = await sentBy(zipOf(bookParts(rowOf(1, 'instructions') + row)));
    expect([code, stderr]).toEqual([2, expect.stringMatching(/A2\): instructions: .*15 digits/)]);
  });

  it('with a value below an empty merged cell is refused', async () => {
    const merges = [{ startRow: 1, startCol: 0, endRow: 2, endCol: 0 }];
    const rows = [
      ['language', 'instructions'],
      [null, '1'],
      ['fra', '2'],
    ];
    const { code, stderr } = await sentBy(await book(rows, { merges }));
    expect([code, stderr]).toEqual([2, expect.stringMatching(/A3\): language: .*merged/)]);
    const beside = { merges: [{ startRow: 2, startCol: 0, endRow: 2, endCol: 1 }] };
    const wide = [...rows.slice(0, 1), ['deu', '1'], [null, '2']];
    expect((await sentBy(await book(wide, beside))).stderr).toMatch(/B3\): instructions: .*merged/);
  });

  it('has texts without furigana', async () => {
    const reading = '<rPh sb="0" eb="2"><t>カンジ</t></rPh><phoneticPr fontId="1"/>';
    const shared = { 'xl/sharedStrings.xml': `<sst><si><t>漢字</t>${reading}</si></sst>` };
    const head = rowOf(1, 'instructions');
    const row = '<row r="2"><c r="A2" t="s"><v>0</v></c></row>';
    const { bodies } = await sentBy(zipOf({ ...bookParts(head + row), ...shared }));
    expect(bodies).toEqual([{ instructions: '漢字' }]);
    const inline = `<row r="2"><c t="inlineStr"><is><t>漢字</t>${reading}</is></c></row>`;
    const refused = await sentBy(zipOf(bookParts(head + inline)));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/furigana/)]);
  });

  it('with hidden columns, or a row without height, is refused until it is known what to do', async () => {
    const rows = [
      ['language', 'instructions'],
      ['fra', '1'],
      ['deu', '2'],
    ];
    const columns = await book(rows, { columns: [{ hidden: true }, {}, { hidden: true }] });
    const refused = await sentBy(columns);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/hidden.* column A /),
    ]);
    expect((await sentBy(columns, '--hidden', 'skip')).bodies).toEqual([
      { instructions: '1' },
      { instructions: '2' },
    ]);
    expect((await sentBy(columns, '--hidden', 'include')).bodies[0]).toMatchObject({
      language: 'fra',
    });
    const flat = await book(rows, { rowDefs: new Map([[2, { height: 0 }]]) });
    expect((await sentBy(flat)).stderr).toMatch(/hidden.* row 3 /);
    expect((await sentBy(flat, '--hidden', 'skip')).bodies).toHaveLength(1);
  });

  it('with hidden rows is refused until it is known what to do with them', async () => {
    const rows = [['instructions'], ['1'], ['2'], ['3'], ['4']];
    const rowDefs = new Map([2, 3].map((row) => [row, { hidden: true }]));
    const content = await book(rows, { rowDefs });
    const refused = await sentBy(content);
    expect([refused.code, refused.bodies]).toEqual([2, []]);
    expect(refused.stderr).toMatch(/hidden.*rows 3-4[\s\S]*--hidden include.*--hidden skip/);
    expect((await sentBy(content, '--hidden', 'skip')).bodies).toHaveLength(2);
    expect((await sentBy(content, '--hidden', 'include')).bodies).toHaveLength(4);
  });

  it('is read from its only visible sheet, or from the one that is named', async () => {
    const rows = [['instructions'], ['1']];
    const other = { name: 'Old', rows: [['instructions'], ['2'], ['3']] };
    const hidden = await sentBy(await book(rows, {}, [{ ...other, hidden: true }]));
    expect([hidden.code, hidden.bodies.length]).toEqual([0, 1]);
    const two = await book(rows, {}, [other]);
    const refused = await sentBy(two);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/"Plan", "Old"[\s\S]*--sheet/);
    expect((await sentBy(two, '--sheet', 'old')).bodies).toHaveLength(2);
    const missing = await sentBy(two, '--sheet', 'new');
    expect(missing.stderr).toMatch(/"new"[\s\S]*"Plan", "Old"/);
  });

  it('that is edited sends the new and the corrected rows; others are done, resolved or sent again', async () => {
    const rows = [['instructions'], ['1'], ['2'], ['3']];
    let isFixed = false;
    const { service, batch } = await newBatch(await book(rows), {
      ...{ name: 'rows.xlsx', command },
      treat: (body) => (isFixed ? {} : onRow('2', { status: 422 })(body)),
    });
    expect((await batch.run()).code).toBe(8);
    const edited = [['A title'], [], ['instructions'], ['3'], ['2 corrected'], ['1'], ['4']];
    isFixed = true;
    writeFileSync(batch.file, await book(edited));
    await batch.ends(0, '4 rows: 4 done (2 sent now, 2 earlier)');
    const sent = service.received.map(({ instructions }) => instructions);
    expect(sent.sort()).toEqual(['1', '2', '2 corrected', '3', '4']);
    writeFileSync(batch.file, 'instructions\n1\n');
    await batch.ends(0, '1 row: 1 done (0 sent now, 1 earlier), 3 gone');
  });

  it('shows the cells of a row of unknown outcome, and sends it again if that is decided', async () => {
    const rows = [
      ['Language', 'instructions'],
      ['fra', '1'],
      ['deu', '2'],
    ];
    const content = await book(rows, { name: 'B' }, [{ name: 'C', rows }]);
    const { service, batch } = await newBatch(content, {
      ...{ name: 'rows.xlsx', command },
      treat: (body, count) => (count < 3 ? onRow('2', { status: 500 })(body) : {}),
    });
    await batch.fails(8, ['--sheet', 'B']);
    const resolved = await batch.verb('resolve', ['2=retry']);
    expect(resolved.stderr).toMatch(/Row 2 \(line 3\)[\s\S]*Language: deu\n[\s\S]*instructions: 2/);
    expect(await batch.fails(2, ['--sheet', 'C'])).toMatch(/--sheet: .*\bB\b.*\bC\b/);
    expect((await batch.run(['--sheet', 'B'])).code).toBe(0);
    expect(service.received).toHaveLength(3);
  });

  it('with content after its 300th column is refused', async () => {
    const wide = Array.from({ length: 301 }, (_, at) => (at === 0 ? 'language' : `Notes ${at}`));
    const { code, stderr } = await sentBy(await book([wide, ['fra']]));
    expect([code, stderr]).toEqual([2, expect.stringMatching(/300 columns: KO1 /)]);
  });

  it('with a chart sheet is read from its sheet', async () => {
    const parts = bookParts(rowOf(1, 'instructions') + rowOf(2, '1'));
    const chart = '<sheet name="Chart" sheetId="2" r:id="r2"/><sheet name="S"';
    parts['xl/workbook.xml'] = String(parts['xl/workbook.xml']).replace('<sheet name="S"', chart);
    const content = zipOf(parts);
    expect((await sentBy(content)).stderr).toMatch(/2 sheets: "Chart", "S"[\s\S]*--sheet/);
    expect((await sentBy(content, '--sheet', 'Chart')).stderr).toMatch(/cannot be read.*"Chart"/);
    expect((await sentBy(content, '--sheet', 'S')).bodies).toHaveLength(1);
  });

  it.each(['openpyxl', 'xlsxwriter', 'libreoffice'])('by %s is read', async (writer) => {
    const content = readFileSync(new URL(`sheets/${writer}.xlsx`, import.meta.url));
    const batch = batchOf({ env: {} }, content, 'rows.xlsx');
    const { stdout, stderr } = await batch.run(['--check', '--skip-checks']);
    expect(stdout + stderr).toContain('25 rows');
  });
});

describe('a file that is no usable workbook ends with an error', () => {
  const cell = rowOf(1, 'language');
  const valid = zipOf(bookParts(cell + rowOf(2, 'fra')));
  const encrypted = Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.from('EncryptedPackage', 'utf16le'),
  ]);
  const flipped = Buffer.from(valid);
  const at = valid.indexOf('sheet1.xml') + 20;
  flipped[at] = (flipped[at] ?? 0) ^ 0xff;
  const sheet = 'xl/worksheets/sheet1.xml';
  const main = 'xl/workbook.xml';
  const withPart = (name: string, content: string | Buffer) =>
    zipOf({ ...bookParts(cell), [name]: content });
  const utf16 = Buffer.from(`\ufeff${bookParts(cell)[sheet]}`, 'utf16le');
  const french = `<?xml version="1.0" encoding="ISO-8859-1"?>${bookParts(rowOf(1, 'fran\xe7ais'))[sheet]}`;
  const otherIds = String(bookParts(cell)[main]).replaceAll('r:', 'rel:');
  const strings = `<sst>${'<si/>'.repeat(1_000_000)}</sst>`;
  const farAway = '<row r="1048576"><c r="KN1048576"><v>1</v></c></row>';
  const quoted = `${cell}<row r='2'><c r='XFD2' t='n'><v>1</v></c></row>`;
  const missing = `${cell}<row r="2"><c r="A2" t="s"><v>7</v></c></row>`;
  const manyRows = `${cell}<row r="200000"><c r="A200000"><v>1</v></c></row>`;
  it.each<[what: string, content: Buffer, facts: RegExp]>([
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /\.xls\)[\s\S]*save it as \.xlsx/],
    ['one with a password', encrypted, /password/],
    ['an .ods', zipOf({ 'content.xml': '<x/>' }), /\.ods\)[\s\S]*save it as \.xlsx/],
    ['an .xlsb', zipOf({ 'xl/workbook.bin': 'x' }), /\.xlsb\)/],
    ['a text document', zipOf({ 'word/document.xml': '<x/>' }), /is not a workbook/],
    ['a cut file', valid.subarray(0, valid.length - 40), /is damaged/],
    ['a file with a changed byte', flipped, /cannot be read/],
    ['cut XML', withPart(main, '<workbook><sheets>'), /cannot be read/],
    ['no sheet', withPart(main, '<workbook/>'), /cannot be read/],
    ['a sheet without rows', zipOf(bookParts('')), /has no header/],
    ['UTF-16 inside', withPart(sheet, utf16), /cannot be read|has no header/],
    ['ids in another namespace', withPart(main, otherIds), /cannot be read/],
    ['Latin-1 inside', withPart(sheet, Buffer.from(french, 'latin1')), /unknown encoding/],
    ['a size that is absurd', zipOf(bookParts(cell), 900_000_000), /too large[\s\S]*CSV/],
    ['empty elements without end', withPart('xl/sharedStrings.xml', strings), /too large/],
    ['a cell far away', zipOf(bookParts(farAway)), /100,000 rows: KN1048576 [\s\S]*CSV/],
    ['a cell far to the right', zipOf(bookParts(quoted)), /300 columns: XFD2 /],
    ['a text that is missing', zipOf(bookParts(missing)), /text of A2 is missing/],
    [
      'a text whose number is below zero',
      zipOf(bookParts(missing.replace('7', '-1'))),
      /text of A2 is missing/,
    ],
    ['many rows', zipOf(bookParts(manyRows)), /more than 100,000 rows[\s\S]*CSV/],
  ])('%s', async (_, content, facts) => {
    const { service, batch } = await newBatch(content, { name: 'rows.xlsx' });
    expect(await batch.fails(2)).toMatch(facts);
    expect(service.received).toEqual([]);
  });
});
