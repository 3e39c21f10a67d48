import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listService } from '../../harness/listService.ts';
import { mar, marOk, startMar, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { marWith, refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { outputWords } from '../../words/output.ts';

const records = [
  { _id: 'f-1', name: 'Zoë' },
  { _id: 'f-2', name: 'two' },
];
const csv = '_id,name\r\nf-1,Zoë\r\nf-2,two\r\n';
const list = ['file', 'list', '--columns', '_id,name'];

const at = (name: string) => path.join(temporaryFolder(), name);
const text = (file: string) => readFileSync(file, 'utf8');
const filesBeside = (file: string) => readdirSync(path.dirname(file));

async function listTo(file: string, ...flags: string[]) {
  return marWith(JSON.stringify(records), [...list, '-O', file, ...flags]);
}

describe('-O', () => {
  it.each([
    ['a.csv', csv],
    ['a.tsv', 'f-1\tZoë\nf-2\ttwo\n'],
    ['a.json', `${JSON.stringify(records)}\n`],
    ['a.jsonl', records.map((record) => `${JSON.stringify(record)}\n`).join('')],
    ['a.NDJSON', records.map((record) => `${JSON.stringify(record)}\n`).join('')],
    ['a.yml', '- _id: f-1\n  name: Zoë\n- _id: f-2\n  name: two\n'],
  ])('writes %s in the format of its ending, and prints nothing', async (name, content) => {
    const file = at(name);
    const stderr = `${outputWords.wrote('2 records', file)}\n`;
    expect(await listTo(file)).toEqual({ code: 0, stdout: '', stderr });
    expect(text(file)).toBe(content);
    expect(filesBeside(file)).toEqual([name]);
  });

  it('writes the same from a terminal, without colours and without a pager', async () => {
    const file = at('a.csv');
    const { env } = await recordingServer(JSON.stringify(records));
    const { stdout } = await marOk([...list, '-O', file], { env, columns: 80 });
    expect(stdout).toBe('');
    expect(text(file)).toBe(csv);
  });

  it('writes a single record, the result of a command of its own, and a script', async () => {
    const record = at('asset.json');
    const { env } = await recordingServer('{"_id":"a-1","size":12345678901234567890}');
    await marOk(['asset', 'get', 'a-1', '--output', record], { env });
    expect(text(record)).toBe('{"_id":"a-1","size":12345678901234567890}\n');
    const settings = at('settings.csv');
    await marOk(['config', 'list', '-O', settings]);
    expect(text(settings)).toContain('page-size');
    const script = at('mar.bash');
    await marOk(['completion', 'bash', '-O', script]);
    expect(text(script)).toContain('complete');
  });

  it('lets -o decide over the ending', async () => {
    const file = at('list.txt');
    expect((await listTo(file, '-o', 'jsonl')).code).toBe(0);
    expect(text(file)).toContain('{"_id":"f-1"');
  });

  it('writes what a jq filter prints to a file of any name', async () => {
    const file = at('names.txt');
    const { env } = await recordingServer(JSON.stringify(records));
    await marOk(['file', 'list', '--jq', '.name', '-O', file], { env });
    expect(text(file)).toBe('Zoë\ntwo\n');
  });

  it('is standard output as -', async () => {
    const { env } = await recordingServer(JSON.stringify(records));
    const { stdout, stderr } = await marOk([...list, '-O', '-'], { env });
    expect({ stdout, stderr }).toEqual({ stdout: 'f-1\tZoë\nf-2\ttwo\n', stderr: '' });
  });

  it('keeps errors readable for people, also for a JSON file', async () => {
    const file = at('a.json');
    const argv = ['asset', 'get', 'a-1', '-O', file];
    const { code, stderr } = await marWith({ status: 404, body: '{}' }, argv);
    expect(code).toBe(5);
    expect(stderr).toMatch(/^error: /);
    expect(filesBeside(file)).toEqual([]);
  });

  it.each([
    [['-O', 'late'], 'End the name in .json, .jsonl, .csv, .tsv, .yaml, .xlsx, .yml, .ndjson'],
    [['--output', 'json'], 'or choose the format with -o.'],
    [['-O', ''], '-O is empty'],
    [['-O', '/nowhere/a.csv'], 'cannot write /nowhere/a.csv'],
    [['-O', 'a.xlsx', '--jq', '.name'], 'a jq filter cannot be used with -O a.xlsx'],
  ])('refuses %j before anything is sent', async (flags, message) => {
    expect(await refused(['file', 'list', ...flags])).toContain(message);
  });

  it('refuses a command without an end', async () => {
    expect(await refused(['sandbox', '-O', at('a.json')])).toContain(outputWords.endless);
  });
});

it('a file that the shell opened is continued', async () => {
  const file = temporaryFile('first\n', 'a.csv');
  const fd = openSync(file, 'a');
  const { code } = await listTo(`/dev/fd/${fd}`, '-o', 'csv');
  closeSync(fd);
  expect([code, text(file)]).toEqual([0, `first\n${csv}`]);
});

describe('an existing file', () => {
  it('is replaced only with --overwrite, and keeps its mode', async () => {
    const file = temporaryFile('old', 'a.csv');
    chmodSync(file, 0o640);
    const { code, stderr } = await listTo(file);
    expect({ code, content: text(file) }, stderr).toEqual({ code: 2, content: 'old' });
    expect(stderr).toContain('--overwrite');
    expect((await listTo(file, '--overwrite')).code).toBe(0);
    expect(text(file)).toContain('f-1');
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it.each([true, false])(
    'is written where a link points, and the link stays (%s)',
    async (isThere) => {
      const link = at('link.csv');
      const target = path.join(path.dirname(link), 'target.csv');
      if (isThere) writeFileSync(target, 'old');
      symlinkSync('target.csv', link);
      expect((await listTo(link, ...(isThere ? ['--overwrite'] : []))).code).toBe(0);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(text(target)).toBe(csv);
    },
  );

  it('stays unchanged if the list breaks off', async () => {
    const file = temporaryFile('old', 'a.csv');
    const { env } = await listService({
      size: 40,
      onPage(from, response) {
        if (from >= 20) response.destroy();
      },
    });
    const argv = ['file', 'list', '--all', '--page-size', '10', '--retries', '0'];
    const { code, stderr } = await mar([...argv, '-O', file, '--overwrite'], { env });
    expect(code).not.toBe(0);
    expect(stderr).not.toContain('--range');
    expect([text(file), filesBeside(file)]).toEqual(['old', ['a.csv']]);
  });

  it('stays unchanged after Ctrl-C', async () => {
    const file = temporaryFile('old', 'a.csv');
    const onPage = (from: number) => (from >= 20 ? new Promise<void>(() => {}) : undefined);
    const service = await listService({ size: 40, onPage });
    const argv = ['file', 'list', '--all', '--page-size', '10', '-O', file, '--overwrite'];
    const run = startMar(argv, { env: service.env });
    await service.requested('20-29');
    run.signal('SIGINT');
    expect((await run.ended).code).toBe(130);
    expect([text(file), filesBeside(file)]).toEqual(['old', ['a.csv']]);
  });
});
