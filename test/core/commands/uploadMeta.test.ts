import { symlinkSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  mar,
  type RunOptions,
  startMar,
  temporaryFile,
  temporaryFolder,
} from '../../harness/mar.ts';
import { marWith, refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { requestWords } from '../../words/requests.ts';

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

function linkToItself(): string {
  const link = path.join(temporaryFolder(), 'loop');
  symlinkSync(link, link);
  return link;
}

const md5 = '900150983cd24fb0d6963f7d28e17f72';
/** The fields of a .mov file that contains `abc`. */
const measured = { mime: 'video/quicktime', length: 3, md5 };

/** QuickTime files: a type, its data, and an index. */
const box = (type: string, bytes: number) =>
  `${String.fromCharCode(0, 0, 0, bytes + 8)}${type}${'x'.repeat(bytes)}`;
const whole = box('ftyp', 12) + box('mdat', 90) + box('moov', 40);

it('the name of the file is sent, with the fields that have flags', async () => {
  const flags = '--asset a-1 --project p-1 --studio s-1 --language fra --country FR'.split(' ');
  const tags = ['--tag', 'master', '--tag', 'video', '--tag', 'master'];
  const { code, bodies } = await uploadMeta([fileNamed('trailer fra.mov'), ...flags, ...tags]);
  expect(code).toBe(0);
  const ids = { studio: 's-1', project: 'p-1', asset: 'a-1' };
  const codes = { language: 'fra', country: 'FR' };
  expect(bodies).toEqual([
    { name: 'trailer fra.mov', ...ids, ...codes, tags: ['master', 'video'], ...measured },
  ]);
});

it.each([
  [
    'a decomposed name composed',
    'e\u0301te\u0301.mov',
    '',
    { name: '\u00e9t\u00e9.mov', ...measured },
  ],
  ['type, size and MD5', 'a.mov', '', { name: 'a.mov', ...measured }],
  ['the given type', 'a.ts', '--set mime=x/y', { name: 'a.ts', mime: 'x/y', length: 3, md5 }],
  [
    'an equal MD5',
    'a.qqq',
    `--set-string md5=${md5.toUpperCase()}`,
    { name: 'a.qqq', length: 3, md5 },
  ],
  ['no unknown type', 'a.qqq', '', { name: 'a.qqq', length: 3, md5 }],
])('of the local file, mar sends %s', async (_, name, flags, body) => {
  const file = fileNamed(name);
  expect((await uploadMeta([file, ...flags.split(' ').filter(Boolean)])).bodies).toEqual([body]);
});

it.each([
  ['a whole file', whole],
  ['one whose last part has no length', `${box('ftyp', 12)}\0\0\0\0mdatxyz`],
  ['one with something behind its last part', `${whole}ID3\x03 and a tag`],
])('%s is not damaged', async (_, content) => {
  expect(await uploadMeta([fileNamed('a.mov', content)])).toMatchObject({ code: 0 });
});

it('-f is the base, PATH fills in a missing name, flags change it, --set has the last word', async () => {
  const base = fileNamed('base.json', '{"asset":"a-1","tags":["x"],"big":9007199254740993}');
  const flags = '--asset a-2 --language deu --tag x --tag y --set language=fra --unset big';
  const { bodies } = await uploadMeta([fileNamed('cut.mov'), '-f', base, ...flags.split(' ')]);
  expect(bodies).toEqual([
    { asset: 'a-2', tags: ['x', 'y'], name: 'cut.mov', language: 'fra', ...measured },
  ]);
  const named = fileNamed('base.yaml', 'name: final.mov\n');
  const kept = await uploadMeta([fileNamed('cut.mov'), '-f', named]);
  expect(kept.bodies).toEqual([{ name: 'final.mov', ...measured }]);
});

describe('nothing is sent', () => {
  it.each<[string, () => string[], string | RegExp]>([
    ['a file that is not there', () => ['/nonexistent/a.mov'], '/nonexistent/a.mov not found'],
    ['a folder without files', () => [temporaryFolder()], /no files|is a folder/],
    ['an empty file', () => [fileNamed('a.mov', '')], /a\.mov is empty/],
    [
      'a copy that was cut off',
      () => [fileNamed('a.mov', whole.slice(0, -60))],
      /a\.mov is damaged/,
    ],
    ['a device', () => ['/dev/zero'], '/dev/zero is not a regular file'],
    ['a file that cannot be read', () => [linkToItself()], /cannot read .*loop/],
    ['nothing', () => [], 'nothing to send'],
    ['a file of another size', () => [fileNamed('a.mov'), '--set', 'length=4'], /length: 4 .* 3$/m],
    ['another file', () => [fileNamed('a.mov'), '--set', 'md5=x'], `md5: x is given, but`],
    ['an empty id', () => ['--asset', ''], requestWords.empty('--asset')],
    ['an empty tag', () => ['--tag', ' '], requestWords.empty('--tag')],
    [
      'tags that are not a list',
      () => ['-f', fileNamed('a.json', '{"tags":"x"}'), '--tag', 'y'],
      /tags .*\[\+\]/,
    ],
    [
      'codes that do not exist',
      () => ['--language', 'fr', '--country', 'UK'],
      /language fr: .* fra \(French\)\?\n {2}country UK: .* GB\b/,
    ],
    ['a code in a file', () => ['-f', fileNamed('a.yaml', 'language: fr\n')], ' fra '],
    [
      'a file that would be read in vain',
      () => [hugeFile(4 * 1024 ** 4), '--language', 'fr'],
      ' fra ',
    ],
  ])('of %s', async (_, argv, message) => {
    expect(await refused(['file', 'upload-meta', ...argv()])).toMatch(message);
  });

  it('of a large file without a login, which is not read', async () => {
    const argv = ['file', 'upload-meta', hugeFile(4 * 1024 ** 4)];
    expect((await mar(argv)).code).toBe(4);
  });

  it('after an interruption, or if the file changes while it is read', async () => {
    const server = await recordingServer('{}');
    const start = async (file: string) => {
      const argv = ['file', 'upload-meta', file];
      const run = startMar(argv, { env: server.env, columns: 80 });
      await run.stderr.until('MD5 of ');
      return run;
    };
    const stopped = await start(hugeFile(4 * 1024 ** 4));
    stopped.signal('SIGINT');
    expect(await stopped.ended).toMatchObject({ code: 130, stdout: '', stderr: '' });
    expect(stopped.stderr.text).toMatch(/MD5 of huge\.mov, 0 %, \d+ [hd] left/);
    const file = hugeFile(1024 ** 4);
    const changed = await start(file);
    truncateSync(file, 5);
    const { code, stderr } = await changed.ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining('huge.mov ')]);
    expect(server.requests).toEqual([]);
  });
});

it.each([
  ['klingon', ['--country', 'X', '--skip-checks'], { language: 'klingon', country: 'X' }, /^/],
  ['fre', [], { language: 'fre' }, /language fre.* fra\n/],
])('the language code %s is sent with %j', async (language, more, body, said) => {
  const { code, stderr, bodies } = await uploadMeta(['--language', language, ...more]);
  expect({ code, bodies }).toEqual({ code: 0, bodies: [body] });
  expect(stderr).toMatch(said);
});

it.each(['wr create', 'translation submit'])('%s refuses a wrong code too', async (words) => {
  const argv = [...words.split(' '), '--set', 'language=fr', '--set', 'territory=LATAM'];
  expect(await refused(argv)).toContain(' fra (French)?');
  expect((await marWith('{"_id":"1"}', [...argv, '--skip-checks'])).code).toBe(0);
});
