import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startAgent } from '../../harness/agent.ts';
import { fakeService } from '../../harness/fakeService.ts';
import { filesBelow, temporaryFolder } from '../../harness/mar.ts';
import { zipOf } from '../../harness/zip.ts';
import { lookupWords } from '../../words/lookup.ts';

const subtitles = '1\n00:00:01,000 --> 00:00:03,000\nHello  there\n';
const table = 'asset,language,auto\na-1,fra,yes\n';

/** A folder for calls, one beside it, and an agent that works in a third one. Nothing may change outside the root. */
async function startInRoot() {
  const folder = temporaryFolder();
  const [root, outside, cwd] = ['root', 'outside', 'cwd'].map((name) => path.join(folder, name));
  for (const one of [root, outside, cwd]) mkdirSync(one as string);
  const before = process.cwd();
  process.chdir(cwd as string);
  onTestFinished(() => process.chdir(before));
  const paths: string[] = [];
  const { env } = await fakeService(({ path: where }) => {
    paths.push(where);
    return JSON.stringify({ _id: decodeURIComponent(path.basename(where)) });
  });
  const flags = ['--allow-writes', '--root', root as string];
  const { client } = await startAgent(flags, env);
  const write = (where: string, name: string, content: string | Buffer = subtitles) => {
    const file = path.join(folder, where, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const link = (target: string, name: string) =>
    symlinkSync(path.resolve(folder, target), path.join(folder, 'root', name));
  const content = () =>
    filesBelow(outside as string).map((file) => [file, readFileSync(file, 'utf8')]);
  const textOf = async (tool: string, fields: object) => {
    const { content: texts, report } = await client.call(tool, fields);
    const again = report.token && (await client.call(tool, { ...fields, token: report.token }));
    return JSON.stringify([texts, again]);
  };
  return { folder, client, paths, write, link, content, textOf };
}

describe('an id is never a path', () => {
  it.each(['wr-1', 'WR-1'])(
    '%s is read from the service, whatever the working folder has',
    async (id) => {
      const { client, paths, write, textOf } = await startInRoot();
      const files = [write('cwd/wr-1', 'a.eng.srt'), write('cwd/WR-1', 'a.eng.srt')];
      write('cwd', 'wr-2');
      await client.call('check_subtitles', { sources: [id] });
      await textOf('fix_subtitles', { source: id, in_place: true });
      await client.call('check_subtitles', { sources: ['wr-2'] });
      await client.call('create_work_request', { like: 'wr-2', language: 'fra' });
      const requests = paths.map((where) => path.basename(where));
      expect(requests).toEqual([id, id, 'wr-2', 'wr-2']);
      for (const file of files) expect(readFileSync(file, 'utf8')).toBe(subtitles);
    },
  );

  it('and a folder below the root is never an id', async () => {
    const { client, paths, write, textOf } = await startInRoot();
    const file = write('root/wr-1', 'a.eng.srt');
    const { report } = await client.call('check_subtitles', { sources: ['wr-1'] });
    expect(report.result).toMatchObject([{ source: 'wr-1/a.eng.srt' }]);
    await textOf('fix_subtitles', { source: 'wr-1', in_place: true });
    expect(readFileSync(file, 'utf8')).toContain('Hello there');
    expect(paths).toEqual([]);
    // The name in another case is that of no folder.
    await client.call('check_subtitles', { sources: ['WR-1'] });
    expect(paths).toEqual(['/workrequests/WR-1']);
  });
});

describe('nothing outside the root is read or written', () => {
  it('by its path, in other folders, or in another case', async () => {
    const { folder, content, write, textOf } = await startInRoot();
    const file = write('outside', 'a.eng.srt');
    write('ROOT', 'a.eng.srt');
    const before = content();
    const names = [file, '../outside/a.eng.srt', path.join(folder, 'ROOT/a.eng.srt')];
    for (const source of [...names, '/proc/self/root/etc/a.srt', '/proc/self/cwd/a.srt']) {
      for (const fields of [{ sources: [source] }, { source, in_place: true }]) {
        const tool = 'source' in fields ? 'fix_subtitles' : 'check_subtitles';
        expect(await textOf(tool, fields), source).toContain(lookupWords.outsideRoot);
      }
    }
    const outputs = ['../outside/b.srt', file, '../cwd/new/b.srt'];
    for (const output of outputs) {
      const fields = { text: subtitles, language: 'eng', output };
      expect(await textOf('fix_subtitles', fields), output).toContain(lookupWords.outsideRoot);
    }
    expect(content()).toEqual(before);
  });

  it.each([
    ['a file', 'outside/a.eng.srt', 'a.eng.srt', { source: 'a.eng.srt', in_place: true }],
    ['a file that does not exist', 'outside/b.srt', 'b.srt', { source: 'wr-1', output: 'b.srt' }],
    ['a folder', 'outside', 'folder', { source: 'folder', in_place: true }],
    [
      'a folder in which a file is written',
      'outside',
      'in',
      { source: 'wr-1', output: 'in/b.srt' },
    ],
    ['a folder, for a new one', 'outside', 'in', { source: 'wr-1', output: 'in/new/b.srt' }],
    ['a file in a folder', 'outside/a.eng.srt', 'sub/a.eng.srt', { source: 'sub', in_place: true }],
    ['a folder in a folder', 'outside', 'sub/folder', { source: 'sub', in_place: true }],
    ['an archive', 'outside/a.zip', 'a.zip', { source: 'a.zip' }],
    ['the system', '/proc/self/fd/0', 'in.srt', { source: 'in.srt' }],
    ['the memory of the program', '/proc/self/environ', 'x.srt', { source: 'x.srt' }],
  ])('through a link to %s', async (_what, target, name, fields) => {
    const { content, write, link, textOf } = await startInRoot();
    write('outside', 'a.eng.srt');
    write('outside', 'a.zip', zipOf({ 'a.eng.srt': subtitles }));
    write('root', 'sub/b.eng.srt');
    link(target, name);
    const before = content();
    expect(await textOf('fix_subtitles', fields)).toContain(lookupWords.outsideRoot);
    expect(content()).toEqual(before);
  });

  it('by a batch: its rows, its journals, and the file that a journal names', async () => {
    const { content, write, link, textOf, client } = await startInRoot();
    const outside = write('outside', 'rows.csv', table);
    write('outside', 'rows.csv.mar-journal', '{}\n');
    link('outside/rows.csv', 'link.csv');
    link('outside', 'folder');
    write('root', 'linked.csv', table);
    link('outside/rows.csv.mar-journal', 'linked.csv.mar-journal');
    const before = content();
    for (const file of [
      outside,
      '../outside/rows.csv',
      'link.csv',
      'folder/rows.csv',
      'linked.csv',
    ]) {
      const text = await textOf('batch', { kind: 'wr', file });
      expect(text, file).toContain(lookupWords.outsideRoot);
    }
    expect(content()).toEqual(before);
    write('root', 'inside.csv', table);
    const check = { kind: 'wr', file: 'inside.csv', check: true };
    expect((await client.call('batch', check)).report.result).toMatchObject({ valid: 1 });
  });
});

it('links that stay in the root are followed, and results name files by their paths there', async () => {
  const { folder, client, write, link } = await startInRoot();
  write('root', 'sub/a.eng.srt');
  link('root/sub', 'again');
  link('root/sub/a.eng.srt', 'b.eng.srt');
  for (const source of ['again', 'b.eng.srt', path.join(folder, 'root/sub/a.eng.srt')]) {
    const { report, content } = await client.call('check_subtitles', { sources: [source, 'sub'] });
    expect(JSON.stringify(report.result), source).toContain('"source":"sub/a.eng.srt"');
    expect(content[1]?.text).not.toContain(folder);
  }
});

it('a root behind a link is that folder', async () => {
  const { folder, link } = await startInRoot();
  link('outside', 'linked');
  writeFileSync(path.join(folder, 'outside/a.eng.srt'), subtitles);
  const { env } = await fakeService(() => '{}');
  const { client } = await startAgent(['--root', path.join(folder, 'root/linked')], env);
  const { isError } = await client.call('check_subtitles', { sources: ['a.eng.srt'] });
  expect(isError).toBe(false);
});
