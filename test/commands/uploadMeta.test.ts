import { symlinkSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { mar, type RunOptions, startMar, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { refused } from '../harness/marWith.ts';
import { recordingServer } from '../harness/recordingServer.ts';

/** Runs the command, and gives what it sent along. */
async function uploadMeta(argv: readonly string[], options: RunOptions = {}) {
  const server = await recordingServer('{"_id":"f-1"}');
  const run = await mar(['file', 'upload-meta', ...argv], { env: server.env, ...options });
  const bodies = server.requests.map((request) => JSON.parse(request.split('\r\n\r\n')[1] ?? ''));
  return { ...run, bodies };
}

const fileNamed = (name: string, content = 'abc') => temporaryFile(content, name);

/** A file of this size without content on the disk. */
function hugeFile(size: number): string {
  const file = fileNamed('huge.mov');
  truncateSync(file, size);
  return file;
}

describe('what the local file shows', () => {
  test('its name is sent, with the fields that have flags', async () => {
    const file = fileNamed('trailer fra.mov');
    const flags = ['--asset', 'a-1', '--project', 'p-1', '--studio', 's-1', '--language', 'fra'];
    const tags = ['--country', 'FR', '--tag', 'master', '--tag', 'video', '--tag', 'master'];
    const { code, bodies } = await uploadMeta([file, ...flags, ...tags]);
    expect(code).toBe(0);
    expect(bodies).toEqual([
      {
        name: 'trailer fra.mov',
        studio: 's-1',
        project: 'p-1',
        asset: 'a-1',
        language: 'fra',
        country: 'FR',
        tags: ['master', 'video'],
      },
    ]);
  });

  test('a decomposed name, as macOS gives it, is sent composed', async () => {
    const { bodies } = await uploadMeta([fileNamed('e\u0301te\u0301.mov')]);
    expect(bodies).toEqual([{ name: '\u00e9t\u00e9.mov' }]);
  });

  test('type, size and MD5 are sent only when they are asked for', async () => {
    const file = fileNamed('trailer.mov');
    expect((await uploadMeta([file])).bodies).toEqual([{ name: 'trailer.mov' }]);
    expect((await uploadMeta([file, '--measure'])).bodies).toEqual([
      {
        name: 'trailer.mov',
        mime: 'video/quicktime',
        length: 3,
        md5: '900150983cd24fb0d6963f7d28e17f72',
      },
    ]);
  });

  test('a type that is given is better than the one guessed', async () => {
    const argv = [fileNamed('a.ts'), '--measure', '--set', 'mime=text/x-ts'];
    const { bodies } = await uploadMeta(argv);
    expect(bodies[0]).toMatchObject({ mime: 'text/x-ts', length: 3 });
  });

  test('an unknown ending gives no type', async () => {
    const { bodies } = await uploadMeta([fileNamed('trailer.qqq', ''), '--measure']);
    expect(bodies).toEqual([
      { name: 'trailer.qqq', length: 0, md5: 'd41d8cd98f00b204e9800998ecf8427e' },
    ]);
  });

  test('-f is the base, PATH fills in the name, flags change it, --set has the last word', async () => {
    const base = fileNamed('base.json', '{"asset":"a-1","tags":["x"],"big":9007199254740993}');
    const file = fileNamed('cut.mov');
    const { bodies } = await uploadMeta([
      file,
      ...['-f', base, '--asset', 'a-2', '--language', 'deu', '--tag', 'x', '--tag', 'y'],
      ...['--set', 'language=fra', '--unset', 'big'],
    ]);
    expect(bodies).toEqual([{ asset: 'a-2', tags: ['x', 'y'], name: 'cut.mov', language: 'fra' }]);
  });

  test('a name in -f is kept', async () => {
    const base = fileNamed('base.yaml', 'name: final.mov\n');
    expect((await uploadMeta([fileNamed('cut.mov'), '-f', base])).bodies).toEqual([
      { name: 'final.mov' },
    ]);
  });
});

describe('nothing is sent', () => {
  /** Whatever is asked for, it is refused with this message. */
  async function isRefused(argv: readonly string[], message: string | RegExp): Promise<void> {
    expect(await refused(['file', 'upload-meta', ...argv])).toMatch(message);
  }

  test('of a file that is not there', () =>
    isRefused(['/nonexistent/a.mov', '--asset', 'a-1'], 'file /nonexistent/a.mov not found'));

  test('of a folder', () => isRefused([temporaryFolder()], 'is a folder'));

  test('of a device, which may have no end', () =>
    isRefused(['/dev/zero', '--measure'], '/dev/zero is not a regular file'));

  test('of a file that cannot be read', async () => {
    const link = path.join(temporaryFolder(), 'loop');
    symlinkSync(link, link);
    await isRefused([link], `cannot read ${link}`);
  });

  test('of nothing', () => isRefused([], 'nothing to send'));
  test('when --measure has no file', () => isRefused(['--measure', '--asset', 'a-1'], '--measure'));
  test('for an empty id', () => isRefused(['--asset', ''], '--asset is empty'));
  test('for an empty tag', () => isRefused(['--tag', ' '], '--tag is empty'));

  test('for tags of -f that are not a list', () =>
    isRefused(
      ['-f', fileNamed('a.json', '{"tags":"x"}'), '--tag', 'y'],
      'tags is a string and has no element [+]',
    ));

  test('for codes that do not exist, all of them named', () =>
    isRefused(
      ['--language', 'fr', '--country', 'UK'],
      /language fr: not a .*; did you mean fra \(French\)\?\n {2}country UK: not a .*; did you mean GB/,
    ));

  test('for a code in the file of -f', () =>
    isRefused(['-f', fileNamed('a.yaml', 'language: fr\n')], 'did you mean fra'));

  test('by an interruption while the file is read', async () => {
    const file = hugeFile(4 * 1024 ** 4);
    const server = await recordingServer('{}');
    const argv = ['file', 'upload-meta', file, '--measure'];
    const run = startMar(argv, { env: server.env, columns: 80 });
    await run.stderr.until('MD5 of ');
    run.signal('SIGINT');
    expect(await run.ended).toMatchObject({ code: 130, stdout: '', stderr: '' });
    expect(run.stderr.text).toMatch(/MD5 of [\d.]+ [kMG]?B of 4\.40 TB, 0 %, \d+ h left, \d+/);
    expect(server.requests).toEqual([]);
  });

  test('of a file that would be read in vain', async () => {
    const file = hugeFile(4 * 1024 ** 4);
    expect((await mar(['file', 'upload-meta', file, '--measure'])).code).toBe(4);
    await isRefused([file, '--measure', '--language', 'fr'], 'did you mean fra');
  });

  test('of a file that changes while it is read', async () => {
    const file = hugeFile(1024 ** 4);
    const server = await recordingServer('{}');
    const argv = ['file', 'upload-meta', file, '--measure'];
    const run = startMar(argv, { env: server.env, columns: 80 });
    await run.stderr.until('MD5 of ');
    truncateSync(file, 5);
    const { code, stderr } = await run.ended;
    expect(stderr).toContain('huge.mov changed while it was being read');
    expect(code).toBe(2);
    expect(server.requests).toEqual([]);
  });
});

describe('codes of languages', () => {
  test('--skip-checks sends them as they are', async () => {
    const argv = ['--language', 'klingon', '--country', 'X', '--skip-checks'];
    const { code, bodies } = await uploadMeta(argv);
    expect(code).toBe(0);
    expect(bodies).toEqual([{ language: 'klingon', country: 'X' }]);
  });

  test('one that is seldom meant is sent, and named', async () => {
    const { code, stderr, bodies } = await uploadMeta(['--language', 'fre']);
    expect(stderr).toContain(
      'language fre is sent as you wrote it; the more common code for French is fra\n',
    );
    expect(code).toBe(0);
    expect(bodies).toEqual([{ language: 'fre' }]);
  });

  test.each([
    ['wr', 'create'],
    ['translation', 'submit'],
  ])('%s %s refuses them as well, unless forced', async (noun, verb) => {
    const server = await recordingServer('{"_id":"1"}');
    const argv = [noun, verb, '--set', 'language=fr', '--set', 'territory=LATAM'];
    expect(await refused(argv)).toContain('did you mean fra (French)?');
    expect((await mar([...argv, '--skip-checks'], server)).code).toBe(0);
    expect(server.requests).toHaveLength(1);
  });
});
