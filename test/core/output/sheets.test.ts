import { readXlsx } from 'hucre/xlsx';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mar, startMar } from '../../harness/mar.ts';
import { marWith, refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { outputWords } from '../../words/output.ts';

beforeEach(() => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Reads the file with the package that wrote it. test/system/sheets.test.ts uses another. */
async function sheet(argv: readonly string[], ...responses: string[]) {
  const { env } = await recordingServer(...responses);
  const run = startMar([...argv, '-o', 'xlsx'], { env });
  const { code, stderr } = await run.ended;
  expect(code, stderr).toBe(0);
  const book = await readXlsx(Buffer.concat(run.stdout.chunks), { readStyles: true });
  expect(book.sheets).toHaveLength(1);
  const [only] = book.sheets;
  if (!only) throw new Error('no sheet');
  return { ...only, stderr };
}

const file = {
  ...{ _id: '65a1b2c3d4e5f60718293a4b', name: '007', language: 'fra', tags: ['a', 'b'] },
  ...{ asset: 'a-1', created: Date.parse('2026-11-14T22:13:20Z') },
};
const api = ['api', 'GET', '/x'];

describe('-o xlsx', () => {
  it('has dates in local time, with the zone in the title, and ids as text', async () => {
    const { rows } = await sheet(['file', 'list'], JSON.stringify([file]));
    expect(rows).toEqual([
      ['Id', 'Name', 'Language', 'Country', 'Tags', 'Asset', 'Created (Asia/Tokyo)'],
      [
        ...['65a1b2c3d4e5f60718293a4b', '007', 'fra', null, 'a, b', 'a-1'],
        // A sheet has no zones: the reader shows the wall clock of Tokyo as UTC.
        new Date('2026-11-15T07:13:20Z'),
      ],
    ]);
  });

  it('has a frozen header, and columns as wide as their contents', async () => {
    const long = { ...file, name: 'n'.repeat(40), tags: ['t'.repeat(500)] };
    const read = await sheet(['file', 'list'], JSON.stringify([file, long]));
    expect(read.freezePane).toEqual({ rows: 1 });
    const widths = read.columns?.map(({ width }) => width);
    expect(widths).toEqual([25, 41, 9, 8, 60, 8, 21]);
  });

  it('has numbers, but those with more digits than a spreadsheet keeps as text', async () => {
    const record =
      '{"n":-1.5,"digits":123456789012345,"big":9007199254740993,"yes":true,"none":null,"text":"=1+1"}';
    const { rows } = await sheet(api, `[${record}]`);
    expect(rows[1]).toEqual([-1.5, 123_456_789_012_345, '9007199254740993', true, null, '=1+1']);
  });

  it('has one row for one record, and a header alone for none', async () => {
    const columns = ['--columns', '_id,created'];
    const one = await sheet(['asset', 'get', 'a-1', ...columns], '{"_id":"a-1","created":17}');
    expect(one.rows).toEqual([
      ['Id', 'Created (Asia/Tokyo)'],
      // In the format of a date, the number 17 would be one.
      ['a-1', '17'],
    ]);
    expect((await sheet(['file', 'list'], '[]')).rows).toHaveLength(1);
    expect((await sheet(api, '[]')).rows).toEqual([]);
  });

  it('is for the records of every page, and for a summary', async () => {
    const pages = ['[{"_id":"f-1"}]', '[{"_id":"f-2"}]', '[]'];
    const all = ['file', 'list', '--all', '--page-size', '1', '--columns', '_id'];
    expect((await sheet(all, ...pages)).rows).toEqual([['Id'], ['f-1'], ['f-2']]);
    const downloads = '[{"_id":"d-1","asset":{"type":"promo"}}]';
    const summary = ['downloads', 'list', '--summary', 'type'];
    expect((await sheet(summary, downloads, '[]')).rows).toEqual([
      ['Type', 'Count'],
      ['promo', 1],
    ]);
  });

  it('cuts a cell that no spreadsheet can hold, with a warning', async () => {
    const { rows, stderr } = await sheet(api, JSON.stringify([{ text: 'x'.repeat(40_000) }]));
    expect(String(rows[1]?.[0])).toHaveLength(32_767);
    expect(stderr).toMatch(/^warning: 1 cell .*32,767/m);
  });

  it('is refused on a terminal, and nothing is sent', async () => {
    const argv = ['file', 'list', '-o', 'xlsx', '--no-color'];
    expect(await refused(argv, { columns: 80 })).toContain('-O records.xlsx');
  });

  it('is refused for a list with more records than a sheet has rows', async () => {
    const run = await marWith(`[1${',1'.repeat(1_048_575)}]`, [...api, '-o', 'xlsx']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(/1,048,576 rows.*-o csv/s);
  });

  it.each([
    ['the reader goes away', 'EPIPE', { code: 0, stderr: '' }],
    [
      'the disk is full',
      'ENOSPC',
      { code: 1, stderr: expect.stringContaining(outputWords.diskFull) },
    ],
  ])('stops a long list when %s', async (_name, errorCode, expected) => {
    const pages = Array.from({ length: 10 }, (_, page) =>
      JSON.stringify(Array.from({ length: 1000 }, (_, row) => ({ text: `${page}-${row}` }))),
    );
    const { env } = await recordingServer(...pages, '[]');
    const argv = ['api', '/x', '--all', '--page-size', '1000', '-o', 'xlsx'];
    const run = startMar(argv, { env });
    run.stdout.once('text', () => {
      run.stdout._write = (_chunk, _encoding, done: (error?: Error) => void) =>
        done(Object.assign(new Error(errorCode), { code: errorCode }));
    });
    const { code, stderr } = await run.ended;
    expect({ code, stderr }).toEqual(expected);
  });

  it('is incomplete if the list stops early, and the error reports it', async () => {
    const argv = ['file', 'list', '--all', '--page-size', '1', '-o', 'xlsx'];
    const run = await marWith(['[{"_id":"f-1"}]', { status: 403 }], argv);
    expect(run).toMatchObject({ code: 4, stdout: '' });
    expect(run.stderr).not.toContain('--range');
  });
});

describe('--csv-bom', () => {
  it('starts CSV with a byte-order mark, but not on a terminal', async () => {
    const { env } = await recordingServer('[{"_id":"f-1"}]');
    const argv = ['file', 'list', '-o', 'csv', '--columns', '_id', '--csv-bom'];
    expect((await mar(argv, { env })).stdout).toBe('\ufeff_id\r\nf-1\r\n');
    expect((await mar(argv, { env, columns: 80 })).stdout).toBe('_id\nf-1\n');
  });
});

describe('a sheet that mar writes', () => {
  it('is streamed if it is long', async () => {
    const many = JSON.stringify(Array.from({ length: 10_001 }, (_, n) => ({ n })));
    const { rows, autoFilter, freezePane } = await sheet(api, many);
    expect([rows.length, autoFilter, freezePane]).toEqual([10_002, undefined, { rows: 1 }]);
  });
});
