import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { mar, temporaryFile, temporaryFolder } from '../../../harness/mar.ts';
import { marWith, refused } from '../../../harness/marWith.ts';
import { recordingServer } from '../../../harness/recordingServer.ts';
import { subtitleWords } from '../../../words/subtitles.ts';
import { entry, workRequest } from '../request.ts';

const two = [entry(1, 'Bonjour,<br><i>Ana</i> &amp; moi'), entry(2, 'Oui.')];

const exported = (record: string, ...flags: string[]) =>
  marWith(record, ['translation', 'export', 'wr-1', ...flags]);

const srt = `1
00:00:02,000 --> 00:00:03,000
Bonjour,
<i>Ana</i> & moi

2
00:00:04,000 --> 00:00:05,000
Oui.
`;

const vtt = `WEBVTT\n\n${srt.replaceAll(',000', '.000').replace('&', '&amp;')}`;

it.runIf(existsSync('/dev/full'))('a full disk is not the mistake of a user', async () => {
  const flags = ['--format', 'srt', '-O', '/dev/full'];
  const { code, stderr } = await exported(workRequest(two), ...flags);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('disk is full') });
});

describe('exporting a translation', () => {
  it.each([
    ['SRT', '', srt],
    ['WebVTT', '--format vtt', vtt],
    ['each line as a record', '--jq .text', 'Bonjour,<br><i>Ana</i> &amp; moi\nOui.\n'],
    ['picked columns', '--columns number,startTime', '1\t00:00:02,000\n2\t00:00:04,000\n'],
    ['the titles instead of the dialogue', '--graphics --jq .text', 'CET HIVER\n'],
  ])('writes %s', async (_, flags, stdout) => {
    const record = workRequest(two, { graphics: [entry(1, 'CET HIVER')] });
    const run = await exported(record, ...flags.split(' ').filter(Boolean));
    expect(run).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('writes CSV with numbers, times and plain text', async () => {
    const lines = [entry(1, '=1+1<br>b'), entry(2, '- "Oui"')];
    const { stdout } = await exported(workRequest(lines), '--format', 'csv');
    const [first, second] = parse(stdout, { columns: true }) as Record<string, string>[];
    expect(first).toMatchObject({ number: '1', text: "'=1+1\nb" });
    expect(second).toMatchObject({ startTime: '00:00:04,000', text: `'- "Oui"` });
    const raw = await exported(workRequest(lines), '--format', 'csv', '--csv-raw');
    expect(raw.stdout).toContain('"=1+1\nb"');
  });

  it('writes JSON with every digit unchanged', async () => {
    const lines = '[{"number":9007199254740993,"text":"a","x":1.0},{"number":2,"text":"b"}]';
    const record = workRequest([]).replace('"lines":[]', `"lines":${lines}`);
    const { stdout } = await exported(record, '--json');
    expect(stdout).toBe(`${lines}\n`);
    const file = await exported(record, '--format', 'json');
    expect(file.stdout.replace(/\s/g, '')).toBe(lines);
  });

  it('writes the placement of a line if its value is unambiguous', async () => {
    const lines = [
      entry(1, 'a', { alignment: 'top' }),
      entry(2, 'b', { alignment: 'Middle', textAlign: 'left' }),
      entry(3, 'c', { textAlign: 'right' }),
      entry(4, 'd', { alignment: 'somewhere', textAlign: 'justify' }),
      entry(5, 'e', { alignment: 'constructor' }),
    ];
    const asSrt = (await exported(workRequest(lines))).stdout.match(/^.*[a-e]$/gm);
    expect(asSrt).toEqual(['{\\an8}a', '{\\an4}b', '{\\an3}c', 'd', 'e']);
    const asVtt = await exported(workRequest(lines), '--format', 'vtt');
    expect(asVtt.stdout.match(/-->.*$/gm)).toEqual([
      '--> 00:00:03.000 line:0',
      '--> 00:00:05.000 line:50% align:left',
      '--> 00:00:07.000 align:right',
      '--> 00:00:09.000',
      '--> 00:00:11.000',
    ]);
  });
});

describe('exporting an imperfect translation', () => {
  const [a, b] = [entry(1, 'a'), entry(2, 'b')];

  it.each<[object[], string, string]>([
    [[b, a], '1a2b', subtitleWords.sorted('number')],
    [[entry(1, '<br>'), b], '2b', 'skipped because empty: line 1'],
    [[entry(7, ''), entry(8, 'a'), entry(8, 'b')], '1a2b', 'all lines are renumbered'],
  ])('is done with a warning (%#)', async (lines, shown, warning) => {
    const { code, stdout, stderr } = await exported(workRequest(lines));
    expect([code, stdout.match(/^[12ab]$/gm)?.join('')]).toEqual([0, shown]);
    expect(stderr).toContain(warning);
  });

  it('names lines without a number by their place', async () => {
    const broken = (number: number | null) => entry(9, 'a', { number, startTime: 'x' });
    const lines = [broken(3), broken(null), broken(4), broken(null)];
    const { stderr } = await exported(workRequest(lines), '--skip-bad-times');
    expect(stderr).toContain(subtitleWords.skippedTimes('lines 3, 2, 4, 4\n'));
    const one = await exported(workRequest([broken(null)]));
    expect(one.stderr).toContain(subtitleWords.invalidTime('line 1'));
  });

  it.each(['<b>', '< b>', '<1>', '<>', '</', '{\\an8}'])(
    'warns about text that SRT players take for a tag: %s',
    async (text) => {
      const html = `write ${text.replace('<', '&lt;').replace('>', '&gt;')}`;
      const { stdout, stderr } = await exported(workRequest([entry(1, html)]));
      expect(stdout).toContain(`\nwrite ${text}\n`);
      expect(stderr).toMatch(/SRT cannot escape .*: line 1/);
    },
  );

  it('sorts WebVTT cues by time, and warns programs too', async () => {
    const late = entry(1, 'a', { startTime: '00:00:30,000', stopTime: '00:00:31,000' });
    const { stdout, stderr } = await exported(workRequest([late, b]), '--format', 'vtt');
    expect(stdout.match(/^\d+$/gm)).toEqual(['2', '1']);
    expect(stderr).toContain(subtitleWords.sorted('time'));
    const json = await exported(workRequest([b, a]), '--jq', '.number');
    expect(json).toMatchObject({ code: 0, stdout: '1\n2\n' });
    expect(JSON.parse(json.stderr).warning.message).toContain(subtitleWords.sorted('number'));
  });

  it.each([[[]], [['--format', 'vtt']], [['-o', 'csv']], [['--columns', 'text']]])(
    'prints nothing and exits with 3 if there are no lines: %j',
    async (flags) => {
      const stderr = `${subtitleWords.noLines('wr-1')}\n`;
      expect(await exported(workRequest([]), ...flags)).toEqual({ code: 3, stdout: '', stderr });
    },
  );

  it('is no refusal of the service if there are no lines', async () => {
    const { stderr } = await exported(workRequest([]), '--json');
    expect(JSON.parse(stderr).error.kind).toBe('check');
  });

  it('fails if the service sent only the id of the translation', async () => {
    const run = await exported('{"_id":"wr-1","translation":"t-1"}');
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('only the id') });
  });

  it.each([
    ['00:00:01:12', '00:00:03,000'],
    ['-00:00:01,000', '00:00:03,000'],
    ['00:00:03,000', '00:00:03,000'],
    ['00:00:03,000', '00:00:02,000'],
    [undefined, '00:00:02,000'],
  ])('fails for a line from %s to %s, unless it may be skipped', async (start, stop) => {
    const record = workRequest([entry(1, 'a', { startTime: start, stopTime: stop }), b]);
    const { code, stdout, stderr } = await exported(record);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(subtitleWords.invalidTime('line 1'));
    expect(stderr).toContain(start ?? 'start time');
    const skipped = await exported(record, '--skip-bad-times');
    expect(skipped.stdout).toMatch(/^2\n/);
    expect(skipped.stderr).toBe(`warning: wr-1: ${subtitleWords.skippedTimes('line 1')}\n`);
  });
});

describe('exporting to files', () => {
  /** Exports to a folder, which `argv` calls DIR. */
  async function exportTo(
    argv: string,
    records: Parameters<typeof recordingServer> = [workRequest(two)],
    folder = temporaryFolder(),
  ) {
    const { env, requests } = await recordingServer(...records);
    const words = argv.replace('DIR', folder).split(' ');
    const run = await mar(['translation', 'export', ...words], { env });
    const files = readdirSync(folder).sort();
    const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
    return { ...run, requests, files, read };
  }
  const notFound = { status: 404, body: '{}' };

  it('takes the format from the file name, and writes to a device', async () => {
    const { code, stdout, stderr, read } = await exportTo('wr-1 -O DIR/a.vtt');
    expect([code, stdout, stderr, read('a.vtt')]).toEqual([0, '', '', vtt]);
    expect((await exportTo('wr-1 --format srt -O /dev/null')).code).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('replaces an earlier file only with --overwrite, through a link, and keeps its mode', async () => {
    const file = temporaryFile('old', 'a.vtt');
    const folder = path.dirname(file);
    chmodSync(file, 0o640);
    symlinkSync('a.vtt', path.join(folder, 'link.vtt'));
    const first = await exportTo('wr-1 -O DIR/link.vtt', undefined, folder);
    expect([first.code, first.stdout, first.read('a.vtt')]).toEqual([2, '', 'old']);
    expect(first.stderr).toContain('--overwrite');
    const { ino } = statSync(file);
    const again = await exportTo('wr-1 -O DIR/link.vtt --overwrite', undefined, folder);
    expect([again.code, again.stderr, again.read('a.vtt')]).toEqual([0, '', vtt]);
    // A new file took its place, so it was never half written.
    expect(statSync(file).ino).not.toBe(ino);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(lstatSync(path.join(folder, 'link.vtt')).isSymbolicLink()).toBe(true);
    expect(again.files).toEqual(['a.vtt', 'link.vtt']);
  });

  it('writes nothing if files exist, and names those that need --overwrite', async () => {
    const folder = temporaryFolder();
    for (const id of ['wr-1', 'wr-3']) writeFileSync(path.join(folder, `${id}.srt`), 'old');
    const argv = 'wr-1 wr-2 wr-3 -O DIR/{id}.srt';
    const first = await exportTo(argv, undefined, folder);
    expect([first.code, ...first.files.map(first.read)]).toEqual([2, 'old', 'old']);
    expect(first.stderr).toContain(`${folder}/wr-1.srt and 1 more file`);
    const again = await exportTo(`${argv} --overwrite`, undefined, folder);
    expect([again.code, ...again.files.map(again.read)]).toEqual([0, srt, srt, srt]);
  });

  it('writes a file for each work request with lines, named by the template', async () => {
    const unsafe = { language: 'x', translation: { lines: two, language: '../../deu' } };
    const titles = { graphicsTranslation: { language: 'deu', lines: two } };
    const named = await exportTo('wr-1 wr-2 -O DIR/{id}.{language}.{asset}.srt', [
      ...[workRequest(two), workRequest(two, unsafe)],
    ]);
    const safe = ['wr-1.fra.Trailer_ A_B.srt', 'wr-2._.._deu.Trailer_ A_B.srt'];
    expect(named).toMatchObject({ code: 0, files: safe });
    const graphics = 'wr-1 --graphics -O DIR/{id}.{language}.srt';
    const german = await exportTo(graphics, [workRequest([], titles)]);
    expect(german.files).toEqual(['wr-1.deu.srt']);
    const twice = await exportTo('wr-1 wr-1 -O DIR/{id}.srt');
    expect(twice).toMatchObject({ code: 0, stderr: '', requests: [expect.anything()] });
    const missing = await exportTo('wr-1 wr-2 -O DIR/{id}.srt', [workRequest(two), notFound]);
    expect(missing).toMatchObject({ code: 5, files: [expect.anything()] });
    const empty = await exportTo('wr-1 -O DIR/a.srt', [workRequest([])]);
    expect(empty).toMatchObject({ code: 3, files: [] });
    const same = await exportTo('wr-1 wr-2 -O DIR/{project}.srt');
    expect(same).toMatchObject({ code: 2, files: [] });
    expect(same.stderr).toContain('wr-1 and wr-2');
  });

  it.each([
    ['The Harbor Light – Trailer A', 'The Harbor Light – Trailer A'],
    ['狐の嫁入り', '狐の嫁入り'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['..', '_'],
    ['.', '_'],
    ['', '_'],
    ['/etc/passwd', '_etc_passwd'],
    ['C:\\Windows', 'C_Windows'],
    ['a:b*c?"<>|', 'a_b_c_'],
    ['con', '_con'],
    ['NUL.txt', '_NUL.txt'],
    ['com1', '_com1'],
    ['.bashrc', 'bashrc'],
    ['-rf', 'rf'],
    ['name. ', 'name'],
    ['a\u0000b\nc\u001b[31m', 'a_b_c_[31m'],
    ['a\u202egnp.exe', 'a_gnp.exe'],
    ['e\u0301', 'é'],
    // Cut to 80 bytes, between two characters.
    ['漢'.repeat(200), '漢'.repeat(26)],
  ])('makes a safe file name of an asset called %j', async (name, safe) => {
    const folder = temporaryFolder();
    const record = workRequest(two, { asset: { name } });
    expect((await exported(record, '-O', path.join(folder, '{asset}.srt'))).code).toBe(0);
    expect(readdirSync(folder)).toEqual([`${safe}.srt`]);
  });

  it('writes the other files if one of those held back cannot be written', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'deu.srt'));
    const inLanguage = (language: string) =>
      workRequest([], { translation: { lines: two, language } });
    const records = [inLanguage('deu'), inLanguage('fra'), notFound];
    const run = await exportTo('wr-1 wr-2 wr-3 -O DIR/{language}.srt', records, folder);
    expect([run.code, run.read('fra.srt')]).toEqual([2, srt]);
    expect(run.stderr).toMatch(/deu\.srt: .*folder/);
    expect(run.stderr).toMatch(/ wr-\d /);
  });

  it('leaves an earlier file unchanged if the export fails', async () => {
    const folder = path.dirname(temporaryFile('old', 'a.srt'));
    const bad = workRequest([entry(1, 'a', { startTime: 'x' })]);
    const failed = await exportTo('wr-1 -O DIR/a.srt --overwrite', [bad], folder);
    expect([failed.code, failed.read('a.srt'), failed.files]).toEqual([1, 'old', ['a.srt']]);
  });

  it.each([
    ['wr-1 wr-2', subtitleWords.oneFileEach],
    ['wr-1 wr-2 -O a.srt', subtitleWords.oneFileEach],
    ['wr-1 -O {title}.srt', '{title}'],
    ['wr-1 -O a.sub', '-O a.sub: '],
    ['wr-1 --format srt --json', '--format and --json'],
    ['wr-1 -O a.srt --jsonl', '--output and --jsonl'],
    ['wr-1 -O a.srt -o yaml', '-o yaml'],
    ['wr-1 -O a.json --json --jq .text', '--output and --jq'],
    ['wr-1 --output= --format srt', subtitleWords.empty('-O')],
    ['.. -O a.srt', '..'],
  ])('refuse %s, and send nothing', async (argv, why) => {
    expect(await refused(['translation', 'export', ...argv.split(' ')])).toContain(why);
  });
});

it('prints no control characters on a terminal', async () => {
  const { env } = await recordingServer(workRequest([entry(1, 'a\u009b31m\u202eb')]));
  for (const format of ['srt', 'vtt', 'csv', 'json']) {
    const argv = ['translation', 'export', 'wr-1', '--format', format];
    const { stdout } = await mar(argv, { env, columns: 80 });
    expect(stdout).not.toMatch(/[\u009b\u202e]/);
  }
});
