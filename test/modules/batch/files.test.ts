import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { shop } from '../../core/orders/shop.ts';
import { mar, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { writeService } from '../../harness/writeService.ts';

/** A folder with good files and others, and a run of `file upload-meta` on it. */
async function media() {
  const service = await writeService();
  const folder = temporaryFolder();
  const add = (name: string, content: string) => writeFileSync(path.join(folder, name), content);
  mkdirSync(path.join(folder, 'sub'));
  add('a_fra.mov', 'abc');
  add('b_deu.mp4', 'abcd');
  add('copy.mov', 'abc');
  add('empty.mov', '');
  add('.DS_Store', 'x');
  add('sub/c.wav', 'abcde');
  symlinkSync('nowhere', path.join(folder, 'dangling.mov'));
  const journal = path.join(temporaryFolder(), 'journal');
  const run = async (...argv: string[]) => {
    const own = argv.includes('--journal') ? [] : ['--journal', journal];
    const result = await mar(['file', 'upload-meta', ...argv, ...own], service);
    return { ...result, stderr: result.stderr.replaceAll(`${folder}/`, '') };
  };
  const sent = () => service.received.map(({ name, ...rest }) => [name, rest] as const);
  return { service, folder, add, run, sent };
}

const md5 = '900150983cd24fb0d6963f7d28e17f72';

test('the files of a folder are measured and sent; those that cannot be used are named', async () => {
  const { folder, run, sent } = await media();
  const first = await run(folder, '--asset', 'a-1', '--tag', 'master');
  expect(first.stderr).toContain('copy.mov has the same content as a_fra.mov\n');
  expect(first.stderr).toContain('dangling.mov not found\n');
  expect(first.stderr).toContain('empty.mov is empty\n');
  expect(first).toMatchObject({ code: 8, stdout: '6 rows: 3 done, 3 invalid\n' });
  expect(sent().map(([name]) => name)).toEqual(['a_fra.mov', 'b_deu.mp4', 'c.wav']);
  const fields = { asset: 'a-1', tags: ['master'], mime: 'video/quicktime', length: 3, md5 };
  expect(sent()[0]?.[1]).toEqual(fields);
});

test('a row may name the asset of its file, whose id is sent as the text that files have', async () => {
  const { run } = await shop();
  const rows = 'asset,name\n"The Harbor Light – Trailer A",x.mov\n';
  const file = temporaryFile(rows, 'files.csv');
  const sent = await run(['file', 'upload-meta', '--batch', file, '--dry-run', '--jsonl']);
  expect(JSON.parse(sent.stdout), sent.stderr).toMatchObject({
    request: { body: { asset: 'a-1001', name: 'x.mov' } },
  });
});

test('a folder may be named from the working folder', async () => {
  const { folder, run } = await media();
  const result = await run(path.relative('', folder));
  expect(result.stdout, result.stderr).toBe('6 rows: 3 done, 3 invalid\n');
});

test('what is no media is left out of a folder and named, unless it is given itself', async () => {
  const { folder, add, run, sent } = await media();
  for (const name of ['notes.txt', 'list.xlsx', 'Thumbs.db', 'poster.pdf', 'a.srt', 'a.xyz']) {
    add(name, name);
  }
  const left = await run(folder, path.join(folder, 'notes.txt'));
  expect(left.stderr).toContain('left out: list.xlsx.');
  expect(left.stderr).not.toContain('Thumbs');
  const names = ['a.srt', 'a.xyz', 'a_fra.mov', 'b_deu.mp4', 'notes.txt', 'poster.pdf', 'c.wav'];
  expect(sent().map(([name]) => name)).toEqual(names);
});

test('a file that is given twice is sent once, and named', async () => {
  const { folder, run, sent } = await media();
  const result = await run(path.join(folder, 'sub'), path.join(folder, 'sub', 'c.wav'));
  expect(result).toMatchObject({ code: 0, stdout: '1 row: 1 done\n' });
  expect(result.stderr).toContain('sent once: sub/c.wav');
  expect(sent()).toHaveLength(1);
});

test('the file of --rejects names the files so that it can be sent', async () => {
  const { folder, add, run, sent } = await media();
  const other = (name: string) => path.join(temporaryFolder(), name);
  const json = other('rejects.jsonl');
  await run(folder, '--rejects', json);
  add('rows.csv', 'asset,name\na-1,missing.mov\na-1,sub/c.wav\n');
  const csv = path.join(folder, 'rejects.csv');
  const argv = ['--measure', '--skip-invalid', '--journal', other('journal')];
  await run('--batch', path.join(folder, 'rows.csv'), '--rejects', csv, ...argv);
  const before = sent().length;
  add('empty.mov', 'full');
  add('missing.mov', 'found');
  for (const file of [json, csv]) {
    await run('--batch', file, '--measure', '--skip-invalid', '--journal', other('journal'));
  }
  const after = sent().slice(before);
  expect(after.map(([name]) => name).sort()).toEqual(['copy.mov', 'empty.mov', 'missing.mov']);
});

test('several files are a batch, which sends only what is new', async () => {
  const { folder, add, run, sent } = await media();
  const files = ['a_fra.mov', 'b_deu.mp4'].map((name) => path.join(folder, name));
  expect(await run(...files)).toMatchObject({ code: 0, stdout: '2 rows: 2 done\n' });
  add('d.mov', 'new');
  const again = await run(...files, path.join(folder, 'd.mov'));
  expect(again).toMatchObject({ code: 0 });
  expect(sent().map(([name]) => name)).toEqual(['a_fra.mov', 'b_deu.mp4', 'd.mov']);
});

test('--batch with --measure reads the files that the rows name; columns of their own are known', async () => {
  const { folder, add, run, sent } = await media();
  add('bad.csv', 'name\nempty.mov\nsub/c.wav\n');
  const refused = await run('--batch', path.join(folder, 'bad.csv'), '--measure');
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain('row 1 (line 2): empty.mov is empty\n');
  const alone = await mar(['file', 'upload-meta', '--measure', '--asset', 'a-1']);
  expect(alone.stderr).toContain('--measure is for --batch');
  add('rows.csv', 'name,mime,length,md5\nx.mov,video/quicktime,12,abc\n');
  expect((await run('--batch', path.join(folder, 'rows.csv'), '--language', 'fra')).code).toBe(0);
  const fields = { mime: 'video/quicktime', length: 12, md5: 'abc', language: 'fra' };
  expect(sent()).toEqual([['x.mov', fields]]);
});

test('what is for one record is refused with several files, before they are read', async () => {
  const { folder, run, service } = await media();
  for (const flag of ['--file=x', '--edit', '--show']) {
    const refused = await run(folder, flag);
    expect(refused.stderr).toContain(' cannot be used with several files');
    expect(refused.code).toBe(2);
  }
  expect((await run(path.join(folder, 'a_fra.mov'))).stderr).toContain(
    '--journal is for --batch FILE or several files',
  );
  expect(service.received).toEqual([]);
});
