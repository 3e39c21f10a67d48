import { readXlsx } from 'hucre/xlsx';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mar, startMar } from '../harness/mar.ts';
import { recordingServer } from '../harness/recordingServer.ts';

const timeZone = process.env.TZ;
beforeEach(() => {
  process.env.TZ = 'Asia/Tokyo';
});
afterEach(() => {
  if (timeZone === undefined) delete process.env.TZ;
  else process.env.TZ = timeZone;
});

/** Runs a command with `-o xlsx`, and reads the file with a package that shares nothing with ours. */
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

  it('has a frozen header with filters, and columns as wide as their contents', async () => {
    const long = { ...file, name: 'n'.repeat(40), tags: ['t'.repeat(500)] };
    const read = await sheet(['file', 'list'], JSON.stringify([file, long]));
    expect(read.freezePane).toEqual({ rows: 1 });
    expect(read.autoFilter).toMatchObject({ range: 'A1:G3' });
    const widths = read.columns?.map(({ width }) => width);
    expect(widths).toEqual([25, 41, 12, 11, 60, 9, 24]);
  });

  it('has numbers, but those with more digits than a spreadsheet keeps as text', async () => {
    const record =
      '{"n":-1.5,"digits":123456789012345,"big":9007199254740993,"yes":true,"none":null,"text":"=1+1"}';
    const { rows } = await sheet(api, `[${record}]`);
    expect(rows[1]).toEqual([-1.5, 123_456_789_012_345, '9007199254740993', true, null, '=1+1']);
  });

  it('keeps names that JavaScript uses itself, and text that looks like an escape', async () => {
    const texts = ['constructor', '__proto__', 'toString', '_x0041_', 'a\nb', ' edge ', '<&>"'];
    const { rows } = await sheet(api, JSON.stringify(texts.map((text) => ({ text }))));
    expect(rows.slice(1).flat()).toEqual(texts);
  });

  it('has one row for one record, and a header alone for none', async () => {
    const columns = ['--columns', '_id,created'];
    const one = await sheet(['asset', 'get', 'a-1', ...columns], '{"_id":"a-1","created":17}');
    expect(one.rows).toEqual([
      ['Id', 'Created (Asia/Tokyo)'],
      ['a-1', 17],
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
    expect(stderr).toContain('warning: 1 cell longer than 32,767 characters');
  });

  it('is refused on a terminal, and nothing is sent', async () => {
    const server = await recordingServer('[]');
    const run = await mar(['file', 'list', '-o', 'xlsx', '--no-color'], {
      ...server,
      columns: 80,
    });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('error: -o xlsx writes a file, and standard output is a terminal');
    expect(run.stderr).toContain('> records.xlsx');
    expect(server.requests).toEqual([]);
  });

  it('is refused for a list that is too long, before anything is written', async () => {
    const { env } = await recordingServer(`[${Array(101).fill('{"a":1}').join(',')}]`);
    const columns = ['--columns', Array(10_000).fill('a').join(',')];
    const run = await mar([...api, ...columns, '-o', 'xlsx'], { env });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('too long for -o xlsx: more than 100 records with 10,000 columns');
    expect(run.stderr).toContain('-o csv');
  });

  it('writes nothing if the list stops early, and the error says so', async () => {
    const { env } = await recordingServer('[{"_id":"f-1"}]', { status: 400 });
    const argv = ['file', 'list', '--all', '--page-size', '1', '-o', 'xlsx'];
    const run = await mar(argv, { env });
    expect(run).toMatchObject({ code: 3, stdout: '' });
    expect(run.stderr).toContain('nothing was printed');
  });

  it('cannot be the default format, because a terminal cannot show it', async () => {
    const run = await mar(['config', 'set', 'output', 'xlsx']);
    expect(run.code).toBe(2);
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
