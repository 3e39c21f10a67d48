import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { schemas } from '../../../src/core/api/schemas.ts';
import { toPlain } from '../../../src/core/json/value.ts';
import { csvRecords } from '../../../src/core/rows/csv.ts';
import { readRows } from '../../../src/core/rows/rows.ts';
import { openSource } from '../../../src/core/rows/source.ts';
import { temporaryFile } from '../../harness/mar.ts';
import { newBatch } from './harness.ts';

async function read(content: string | Buffer) {
  const source = await openSource(temporaryFile(content, 'rows'), 'rows');
  const rows: unknown[] = [];
  const rules = {
    bodySchema: schemas.workRequestDraft(),
    mapHeadings: async ({ unknown }: { unknown: readonly string[] }) =>
      new Map(unknown.map((heading) => [heading, heading])),
  };
  try {
    for await (const row of readRows(source, rules)) {
      try {
        rows.push([row.line, toPlain(row.read())]);
      } catch (error) {
        rows.push([row.line, (error as Error).message]);
      }
    }
  } finally {
    await source.close();
  }
  return rows;
}

test('JSON lines are one record a line; empty lines and a byte-order mark are nothing', async () => {
  expect(await read('\ufeff{"a":1}\r\n\r\n{"b":2}\n{"a":\n[1]\n')).toEqual([
    [1, { a: 1 }],
    [3, { b: 2 }],
    [4, expect.stringContaining('the end')],
    [5, expect.stringContaining('an object')],
  ]);
});

test('a JSON array is cut at its commas alone, with the lines of its records', async () => {
  const text = '\n[\n {"a":"x,]}\\"[{"},\n\n {"b":[1,{"c":[]}]} ,{}\n]\n';
  expect(await read(text)).toEqual([
    [3, { a: 'x,]}"[{' }],
    [5, { b: [1, { c: [] }] }],
    [5, {}],
  ]);
  expect(await read('[]')).toEqual([]);
});

test.each([
  ['[{"a":1}', 'rows, line 1: the array has no closing ]'],
  ['[{"a":1},\n]', 'rows, line 2: a record is missing before this'],
  ['[{"a":1}]\n{}', 'rows, line 2: unexpected text after the end of the array'],
  ['\n{\n"a":1}', 'rows, line 2: this record spans several lines'],
  ['language,instructions\nfra,x\ndeu,"y\nz\n', 'rows, line 3: a quoted cell has no closing quote'],
  ['language,language\nfra,deu', 'rows, line 1: two columns are named language'],
  ['tags,tags\na,b', 'rows, line 1: two columns are named tags'],
  ['language,a..b\nfra,x', 'rows, line 1: column 2: invalid path "a..b"'],
  ['language,__proto__.x\nfra,x', 'rows, line 1: column 2: the path "__proto__.x" is not allowed'],
  [Buffer.from('{"language":\n"\xe9"}', 'latin1'), 'line 2: invalid UTF-8'],
  [Buffer.from('\xff\xfe\0\0a\0\0\0', 'latin1'), 'is UTF-32, not UTF-8'],
  [Buffer.from([1, 0, 0, 2, 0, 0, 0]), 'not a text file'],
])('content that cannot be meant is refused as a whole: %j', async (content, message) => {
  await expect(read(content)).rejects.toThrow(message);
});

test('a long array comes out whole, wherever the chunks are cut', async () => {
  const records = Array.from({ length: 5000 }, (_, row) => ({ row, text: `"\\ ,]é${row}` }));
  const rows = await read(JSON.stringify(records));
  expect(rows.map((row) => (row as unknown[])[1])).toEqual(records);
});

test('cells are what their fields are', async () => {
  const text = [
    'language,due.date,auto,uses.items,instructions,audioFile,asset,files,recipients.Online',
    'fra,1764600000000,TRUE,online; broadcast,0123,,a-1,"[{""name"":""x""}]",u-1;u-2',
    'deu,,no,online,true,x,"{""_id"":""a-2""}",,',
  ].join('\n');
  const first = {
    ...{ language: 'fra', due: { date: 1764600000000 }, auto: true, instructions: '0123' },
    ...{ uses: { items: ['online', 'broadcast'] }, asset: { _id: 'a-1' }, files: [{ name: 'x' }] },
    recipients: { Online: ['u-1', 'u-2'] },
  };
  const second = {
    ...{ language: 'deu', auto: false, uses: { items: ['online'] }, instructions: 'true' },
    ...{ audioFile: 'x', asset: { _id: 'a-2' } },
  };
  expect(await read(text)).toEqual([
    [2, first],
    [3, second],
  ]);
});

test.each([
  ['due.date\n12.5', 'due.date: expected a time such as 2026-12-01T18:00 or an integer'],
  ['due.date\n1.76E+12', 'rounded by the spreadsheet'],
  ['auto\nperhaps', 'auto: expected true or false, found "perhaps"'],
  ['files\nx', 'files: expected JSON'],
  ['language\nfra,x', 'cell 2 (x) has no column; the header has 1 column'],
])('a cell that does not fit its field is reported: %j', async (text, message) => {
  expect(await read(text)).toEqual([[2, expect.stringContaining(message)]]);
});

test('elements stand in columns of their own; empty ones are none', async () => {
  expect(await read('uses.items[1];uses.items[0];tags[0];tags[1]\nb;a;;x\nb;;;\n')).toEqual([
    [2, { uses: { items: ['a', 'b'] }, tags: ['x'] }],
    [3, { uses: { items: ['b'] } }],
  ]);
  expect(await read('materials[1].name,materials[0].name,materials[1].complete\nb,,yes\n')).toEqual(
    [[2, { materials: [{ name: 'b', complete: true }] }]],
  );
});

const sheet =
  'language;instructions;;\r\nfra;"a ""b""; \r\nc";;\r\n;;;\r\ndeu;é;;\r\n;;;\r\n;;;\r\n';
const fromSheet = [
  [2, { language: 'fra', instructions: 'a "b"; \r\nc' }],
  [5, { language: 'deu', instructions: 'é' }],
];

test.each([
  ['as it is', Buffer.from(sheet)],
  ['with a byte-order mark', Buffer.from(`\ufeff${sheet}`)],
  ['with its separator on a line of its own', Buffer.from(`sep=;\r\n${sheet}`)],
  ['as UTF-16 with a mark', Buffer.from(`\ufeff${sheet}`, 'utf16le')],
  ['as big-endian UTF-16', Buffer.from(`\ufeff${sheet}`, 'utf16le').swap16()],
  ['in Windows-1252', Buffer.from(sheet, 'latin1')],
  ['with tabs', Buffer.from(sheet.replaceAll(/;(?! )/g, '\t'))],
])("a spreadsheet's export is read %s", async (how, bytes) => {
  const shift = /line of its own|strange/.test(how) ? 1 : 0;
  expect(await read(bytes)).toEqual(fromSheet.map(([line, row]) => [Number(line) + shift, row]));
});

describe('a table that is neither UTF-8 nor marked', () => {
  const head = Buffer.from('language;instructions\nfra;');
  const inBytes = (...bytes: number[]) => Buffer.concat([head, Buffer.from(bytes)]);
  const send = async (content: Buffer, ...flags: string[]) => {
    const { service, batch } = await newBatch(content, { name: 'rows.csv' });
    const run = await batch.run(['--skip-checks', ...flags]);
    return { ...run, sent: service.received.map(({ instructions }) => instructions) };
  };

  test('is read as Windows-1252, with a warning that shows the first such text', async () => {
    const { stderr, sent } = await send(inBytes(0x5a, 0x6f, 0xeb, 0x80), '--json');
    expect(sent).toEqual(['Zoë€']);
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual({
      warning: { code: 'encoding', message: expect.stringContaining('"Zoë€"') },
    });
  });

  test('is refused with a byte that Windows-1252 does not have', async () => {
    const { code, stderr, sent } = await send(inBytes(0x50, 0xec, 0x9d));
    expect([code, sent]).toEqual([2, []]);
    expect(stderr).toMatch(/line 2: .*Windows-1252.*--encoding/);
  });

  test('is read in the encoding that is named, unless it is UTF-8', async () => {
    const czech = await send(inBytes(0x50, 0xec, 0x9d), '--encoding', 'windows-1250');
    expect(czech).toMatchObject({ code: 0, sent: ['Pěť'] });
    const japanese = await send(inBytes(0x93, 0xfa, 0x96, 0x7b), '--encoding', 'shift_jis');
    expect(japanese).toMatchObject({ code: 0, sent: ['日本'] });
    const utf8 = await send(Buffer.concat([head, Buffer.from('Zoë')]), '--encoding', 'shift_jis');
    expect(utf8).toMatchObject({ code: 0, sent: ['Zoë'] });
    const unknown = await send(inBytes(0x5a), '--encoding', 'nope');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('"nope"')]);
  });

  test('belongs to a batch with the same encoding', async () => {
    const { batch } = await newBatch(inBytes(0xeb), { name: 'rows.csv' });
    expect((await batch.run(['--skip-checks'])).code).toBe(0);
    expect(await batch.fails(2, ['--skip-checks', '--encoding', 'windows-1250'])).toMatch(
      /--encoding: was none, now windows-1250/,
    );
  });
});

test('any table is read as csv-parse reads it', async () => {
  const unit = fc.constantFrom('a', '"', ',', '\n', '\r\n', ' ', 'é');
  const row = fc.array(fc.string({ unit, maxLength: 3 }), { minLength: 3, maxLength: 3 });
  const tables = fc.array(row, { minLength: 4, maxLength: 4 });
  const readsAsExpected = fc.asyncProperty(tables, async (table) => {
    const text = table
      .map((cells) => cells.map((value) => `"${value.replaceAll('"', '""')}"`).join(','))
      .join('\r\n');
    const expected = parse(text, { record_delimiter: '\r\n' });
    expect([...csvRecords(text, ',', 'x')].map(({ cells }) => cells)).toEqual(expected);
  });
  await fc.assert(readsAsExpected, { numRuns: 200 });
});

test.each([
  ['language', 'asset,dng.dialogue,language\na-1,subtitled,"xxVALUE"\na-2,subtitled,fra\n'],
  ['territory', 'asset,autosubs,language,territory\na-1,true,fra,"QQQQVALUE"\n'],
  ['treatment', 'asset,language,dng.dialogue\na-1,fra,"somethingVALUE"\n'],
  ['column', 'instructions,"fooVALUE"\n1,a\n'],
  ['cell without a column', 'instructions\n1,"VALUE"\n'],
])('a line break in a %s forges no line of a message', async (_, rows) => {
  const { batch } = await newBatch(rows.replace('VALUE', '\nwarning: all is well'), {
    name: 'rows.csv',
  });
  for (const flags of [['--check'], ['--dry-run'], ['--skip-invalid']]) {
    const { stdout, stderr } = await batch.run(flags);
    expect(stderr).toContain('all is well');
    expect(`${stdout}${stderr}`).not.toMatch(/^\s*warning: all is well/m);
  }
});
