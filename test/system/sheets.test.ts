import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hostile } from '../core/output/samples.ts';
import { startMar, temporaryFolder } from '../harness/mar.ts';
import { recordingServer } from '../harness/recordingServer.ts';

/*
 * In other tests, the package that writes sheets reads them as well. openpyxl shares nothing with it.
 * Debian has it for its own Python (python3-openpyxl).
 */
const python = '/usr/bin/python3';

const script = `
import json, sys, openpyxl
from openpyxl.utils.escape import unescape
sheet = openpyxl.load_workbook(sys.argv[1]).active
def show(cell):
    value = cell.value
    if cell.is_date and value: value = value.isoformat()
    # openpyxl leaves the file format's own escapes to its users.
    if isinstance(value, str): value = unescape(value)
    return [cell.data_type, cell.number_format, value]
print(json.dumps({
    "name": sheet.title,
    "frozen": sheet.freeze_panes,
    "widths": [column.width for column in sheet.column_dimensions.values()],
    "rows": [[show(cell) for cell in row] for row in sheet.iter_rows()],
}))
`;

type Cell = [type: string, format: string, value: unknown];

interface Book {
  name: string;
  frozen: string;
  widths: number[];
  rows: Cell[][];
}

async function read(argv: readonly string[], ...responses: string[]): Promise<Book> {
  const { env } = await recordingServer(...responses);
  const run = startMar([...argv, '-o', 'xlsx'], { env });
  const { code, stderr } = await run.ended;
  expect(code, stderr).toBe(0);
  const file = path.join(temporaryFolder(), 'records.xlsx');
  writeFileSync(file, Buffer.concat(run.stdout.chunks));
  const options = { encoding: 'utf8', maxBuffer: 100_000_000 } as const;
  return JSON.parse(execFileSync(python, ['-c', script, file], options));
}

const valuesOf = ({ rows }: Book) => rows.map((row) => row.map(([, , value]) => value));

const timeZone = process.env.TZ;
beforeEach(() => {
  process.env.TZ = 'Asia/Tokyo';
});
afterEach(() => {
  if (timeZone === undefined) delete process.env.TZ;
  else process.env.TZ = timeZone;
});

it('openpyxl reads a sheet with types, formats, widths and a frozen header', async () => {
  const record = {
    ...{ _id: '65a1b2c3d4e5f60718293a4b', name: '007', language: '=1+1', tags: ['a', 'b'] },
    ...{ asset: 'a-1', created: Date.parse('2026-11-14T22:13:20Z') },
  };
  const book = await read(['file', 'list'], JSON.stringify([record, { _id: 'f-2' }]));
  expect(book).toMatchObject({ name: 'File list', frozen: 'A2', widths: [25, 8, 9, 8, 8, 8, 21] });
  expect(book.rows[1]).toEqual([
    ['s', '@', '65a1b2c3d4e5f60718293a4b'],
    ['s', '@', '007'],
    ['s', '@', '=1+1'],
    ['n', 'General', null],
    ['s', '@', 'a, b'],
    ['s', '@', 'a-1'],
    ['d', 'yyyy-mm-dd hh:mm:ss', '2026-11-15T07:13:20'],
  ]);
  expect(valuesOf(book)[2]).toEqual(['f-2', null, null, null, null, null, null]);
});

it('openpyxl reads the text of every record of a long list', async () => {
  // XML has no surrogates and no U+FFFE; the file format escapes other control characters.
  const texts = [...hostile, '_x0041_', 'constructor', ' edge ', '\ufffe', 'a\r\nb', '\x1b[31m'];
  const records = Array.from({ length: 3000 }, (_, at) => ({ text: texts[at % texts.length] }));
  const pages = [records.slice(0, 1500), records.slice(1500), []];
  const argv = ['api', '/x', '--all', '--page-size', '1500', '--columns', 'text'];
  const book = await read(argv, ...pages.map((page) => JSON.stringify(page)));
  const expected = records.map(({ text = '' }) => [
    text.toWellFormed().replaceAll('\ufffe', '\ufffd') || null,
  ]);
  expect(valuesOf(book).slice(1)).toEqual(expected);
});
