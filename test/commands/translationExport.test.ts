import {
  chmodSync,
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
import { mar, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { marWith, refused } from '../harness/marWith.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { entry, workRequest } from '../subtitles/request.ts';

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

const vtt = `WEBVTT

1
00:00:02.000 --> 00:00:03.000
Bonjour,
<i>Ana</i> &amp; moi

2
00:00:04.000 --> 00:00:05.000
Oui.
`;

describe('exporting a translation', () => {
  it.each([
    ['SRT', [], srt],
    ['WebVTT', ['--format', 'vtt'], vtt],
    ['plain text', ['--format', 'txt'], 'Bonjour,\nAna & moi\n\nOui.\n'],
  ])('writes %s', async (_, flags, stdout) => {
    expect(await exported(workRequest(two), ...flags)).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('writes CSV with plain text and the unchanged HTML', async () => {
    const lines = [entry(1, '=1+1<br>b'), entry(2, '- "Oui"', { range: [1.0, 2.5] })];
    const { stdout } = await exported(workRequest(lines), '--format', 'csv');
    const [first, second] = parse(stdout, { columns: true }) as Record<string, string>[];
    expect(first).toMatchObject({ number: '1', text: "'=1+1\nb", html: "'=1+1<br>b" });
    expect(second).toMatchObject({
      startTime: '00:00:04,000',
      text: `'- "Oui"`,
      range: '[1,2.5]',
      alignment: 'bottom',
    });
    const raw = await exported(workRequest(lines), '--format', 'csv', '--csv-raw');
    expect(raw.stdout).toContain('"=1+1\nb",=1+1<br>b');
  });

  it('writes JSON with every digit unchanged', async () => {
    const lines = '[{"number":9007199254740993,"text":"a","x":1.0},{"number":2,"text":"b"}]';
    const record = workRequest([]).replace('"lines":[]', `"lines":${lines}`);
    const { stdout } = await exported(record, '--json');
    expect(stdout).toBe(`${lines}\n`);
    const file = await exported(record, '--format', 'json');
    expect(file.stdout.replace(/\s/g, '')).toBe(lines);
  });

  it('prints each line as a record with --jq and --columns', async () => {
    expect((await exported(workRequest(two), '--jq', '.text')).stdout).toBe(
      'Bonjour,<br><i>Ana</i> &amp; moi\nOui.\n',
    );
    expect((await exported(workRequest(two), '--columns', 'number,startTime')).stdout).toBe(
      '1\t00:00:02,000\n2\t00:00:04,000\n',
    );
  });

  it('writes the titles instead of the dialogue with --graphics', async () => {
    const record = workRequest(two, { graphics: [entry(1, 'CET HIVER')] });
    const { stdout } = await exported(record, '--graphics', '--format', 'txt');
    expect(stdout).toBe('CET HIVER\n');
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
  it('sorts lines by number, with a warning', async () => {
    const { stdout, stderr } = await exported(workRequest([entry(2, 'b'), entry(1, 'a')]));
    expect(stdout.match(/^[12ab]$/gm)).toEqual(['1', 'a', '2', 'b']);
    expect(stderr).toBe('warning: wr-1: lines were out of order; sorted by number\n');
    const printed = await exported(workRequest([entry(2, 'b'), entry(1, 'a')]), '--jq', '.number');
    expect(printed).toMatchObject({ code: 0, stdout: '1\n2\n' });
    expect(`warning: ${JSON.parse(printed.stderr).warning.message}\n`).toBe(stderr);
  });

  it('names lines without a number by their place', async () => {
    const broken = (number: number | null) => entry(9, 'a', { number, startTime: 'x' });
    const lines = [broken(3), broken(null), broken(4), broken(null)];
    const { stderr } = await exported(workRequest(lines), '--skip-bad-times');
    expect(stderr).toContain('skipped because of invalid times: lines 3, 4 and entries 2, 4\n');
    const one = await exported(workRequest([broken(null)]));
    expect(one.stderr).toContain('wr-1: entry 1 has an invalid time');
  });

  it('leaves out empty lines, with a warning', async () => {
    const { stdout, stderr } = await exported(workRequest([entry(1, '<br>'), entry(2, 'b')]));
    expect(stdout).toMatch(/^2\n/);
    expect(stderr).toBe('warning: wr-1: skipped because empty: line 1\n');
  });

  it('renumbers lines if a number is missing or duplicate', async () => {
    const lines = [entry(7, 'a'), entry(7, 'b', { startTime: '00:00:14,500' })];
    const { stdout, stderr } = await exported(workRequest(lines));
    expect(stdout.match(/^\d+$/gm)).toEqual(['1', '2']);
    expect(stderr).toContain('all lines are renumbered');
    const withEmpty = [entry(7, ''), entry(8, 'a'), entry(8, 'b')];
    const rest = await exported(workRequest(withEmpty));
    expect(rest.stdout.match(/^\d+$/gm)).toEqual(['1', '2']);
  });

  it('warns about split and merged lines', async () => {
    const { code, stderr } = await exported(workRequest([entry(1, 'a', { merged: '2' })]));
    expect(code).toBe(0);
    expect(stderr).toContain('1 line has "split" or "merged", which is not documented');
  });

  it.each(['<b>', '< b>', '<1>', '<>', '</', '{\\an8}'])(
    'warns about text that SRT players take for a tag: %s',
    async (text) => {
      const html = `write ${text.replace('<', '&lt;').replace('>', '&gt;')}`;
      const { stdout, stderr } = await exported(workRequest([entry(1, html)]));
      expect(stdout).toContain(`\nwrite ${text}\n`);
      expect(stderr).toContain(
        'SRT cannot escape < or {, so players may read them as tags: line 1',
      );
    },
  );

  it('sorts WebVTT cues by time, with a warning', async () => {
    const lines = [
      entry(1, 'a', { startTime: '00:00:30,000', stopTime: '00:00:31,000' }),
      entry(2, 'b'),
    ];
    const { stdout, stderr } = await exported(workRequest(lines), '--format', 'vtt');
    expect(stdout.match(/^\d+$/gm)).toEqual(['2', '1']);
    expect(stderr).toContain('cues are sorted by time, as WebVTT requires');
  });

  it.each([[[]], [['--format', 'vtt']], [['-o', 'csv']], [['--columns', 'text']]])(
    'prints nothing and exits with 3 if there are no lines: %j',
    async (flags) => {
      const outcome = await exported(workRequest([]), ...flags);
      expect(outcome).toEqual({ code: 3, stdout: '', stderr: 'error: wr-1 has no lines\n' });
    },
  );

  it('fails if the service sent only the id of the translation', async () => {
    const { code, stderr } = await exported('{"_id":"wr-1","translation":"t-1"}');
    expect(code).toBe(1);
    expect(stderr).toContain('wr-1: the service sent only the id of the translation (t-1)');
  });

  it.each([
    ['00:00:01:12', '00:00:03,000', 'counts frames'],
    ['-00:00:01,000', '00:00:03,000', 'is negative'],
    ['00:00:03,000', '00:00:03,000', 'start and stop time are both 00:00:03,000'],
    ['00:00:03,000', '00:00:02,000', 'stop time 00:00:02,000 is before start time 00:00:03,000'],
    [undefined, '00:00:02,000', 'is missing'],
  ])(
    'fails for a line from %s to %s, unless it may be skipped',
    async (startTime, stopTime, why) => {
      const lines = [entry(1, 'a', { startTime, stopTime }), entry(2, 'b')];
      const { code, stdout, stderr } = await exported(workRequest(lines));
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('line 1 has an invalid time');
      expect(stderr).toContain(why);
      const skipped = await exported(workRequest(lines), '--skip-bad-times');
      expect(skipped.stdout).toMatch(/^2\n/);
      expect(skipped.stderr).toBe('warning: wr-1: skipped because of invalid times: line 1\n');
    },
  );
});

describe('exporting to files', () => {
  const run = async (records: readonly string[], argv: readonly string[]) => {
    const { env, requests } = await recordingServer(...records);
    return { requests, outcome: await mar(['translation', 'export', ...argv], { env }) };
  };

  it('takes the format from the file name', async () => {
    const file = path.join(temporaryFolder(), 'a.vtt');
    const { outcome } = await run([workRequest(two)], ['wr-1', '-O', file]);
    expect(outcome).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe(vtt);
  });

  it('replaces an earlier file only with --overwrite, through a link, and keeps its mode', async () => {
    const file = temporaryFile('old', 'a.vtt');
    chmodSync(file, 0o640);
    const link = path.join(path.dirname(file), 'link.vtt');
    symlinkSync('a.vtt', link);
    const { outcome } = await run([workRequest(two)], ['wr-1', '-O', link]);
    expect(outcome).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${link} exists already\n  Use --overwrite to replace it.\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('old');
    const { ino } = statSync(file);
    const again = await run([workRequest(two)], ['wr-1', '-O', link, '--overwrite']);
    expect(again.outcome).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe(vtt);
    // A new file took its place, so it was never half written.
    expect(statSync(file).ino).not.toBe(ino);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readdirSync(path.dirname(file))).toEqual(['a.vtt', 'link.vtt']);
  });

  it('writes the new files, and names the earlier ones that need --overwrite', async () => {
    const folder = temporaryFolder();
    const read = (id: string) => readFileSync(path.join(folder, `${id}.srt`), 'utf8');
    for (const id of ['wr-1', 'wr-3']) writeFileSync(path.join(folder, `${id}.srt`), 'old');
    const template = path.join(folder, '{id}.srt');
    const argv = ['wr-1', 'wr-2', 'wr-3', '-O', template];
    const { outcome } = await run([workRequest(two)], argv);
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain(
      `error: ${folder}/wr-1.srt and 1 more file exist already\n  Use --overwrite to replace them.\n`,
    );
    expect(['wr-1', 'wr-2', 'wr-3'].map(read)).toEqual(['old', srt, 'old']);
    expect((await run([workRequest(two)], [...argv, '--overwrite'])).outcome.code).toBe(0);
    expect(['wr-1', 'wr-2', 'wr-3'].map(read)).toEqual([srt, srt, srt]);
  });

  it('writes to a device without --overwrite', async () => {
    const argv = ['wr-1', '--format', 'srt', '-O', '/dev/null'];
    expect((await run([workRequest(two)], argv)).outcome.code).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('writes no file if there are no lines', async () => {
    const folder = temporaryFolder();
    const empty = await run([workRequest([])], ['wr-1', '-O', path.join(folder, 'a.srt')]);
    expect(empty.outcome.code).toBe(3);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('fills in the template without leaving its folder', async () => {
    const folder = temporaryFolder();
    const records = [
      workRequest(two),
      workRequest(two, { language: 'x', translation: { lines: two, language: '../../deu' } }),
    ];
    const template = path.join(folder, '{id}.{language}.{asset}.srt');
    const { outcome } = await run(records, ['wr-1', 'wr-2', '-O', template]);
    expect(outcome.code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual([
      'wr-1.fra.Trailer_ A_B.srt',
      'wr-2._.._deu.Trailer_ A_B.srt',
    ]);
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

  it('uses the language of the titles with --graphics', async () => {
    const folder = temporaryFolder();
    const record = workRequest([], { graphicsTranslation: { language: 'deu', lines: two } });
    const template = path.join(folder, '{id}.{language}.srt');
    await run([record], ['wr-1', '--graphics', '-O', template]);
    expect(readdirSync(folder)).toEqual(['wr-1.deu.srt']);
  });

  it('reads and writes a work request once if it is named twice', async () => {
    const folder = temporaryFolder();
    const template = path.join(folder, '{id}.srt');
    const { outcome, requests } = await run([workRequest(two)], ['wr-1', 'wr-1', '-O', template]);
    expect(outcome).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(requests).toHaveLength(1);
  });

  it('writes the other files if one of those held back cannot be written', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'deu.srt'));
    const inLanguage = (language: string) =>
      workRequest([], { translation: { lines: two, language } });
    const { env } = await recordingServer(inLanguage('deu'), inLanguage('fra'), {
      status: 404,
      body: '{}',
    });
    const template = path.join(folder, '{language}.srt');
    const argv = ['translation', 'export', 'wr-1', 'wr-2', 'wr-3', '-O', template];
    const { code, stderr } = await mar(argv, { env });
    expect(code).toBe(2);
    expect(readFileSync(path.join(folder, 'fra.srt'), 'utf8')).toBe(srt);
    expect(stderr).toContain('deu.srt: it is a folder');
    expect(stderr).toMatch(/work request wr-\d not found/);
  });

  it('writes nothing if two files would have the same name', async () => {
    const folder = temporaryFolder();
    const template = path.join(folder, '{project}.srt');
    const { outcome } = await run([workRequest(two)], ['wr-1', 'wr-2', '-O', template]);
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain('wr-1 and wr-2 would both be written to');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('writes the other files if a work request is missing', async () => {
    const folder = temporaryFolder();
    const { env } = await recordingServer(workRequest(two), { status: 404, body: '{}' });
    const template = path.join(folder, '{id}.srt');
    const { code } = await mar(['translation', 'export', 'wr-1', 'wr-2', '-O', template], { env });
    expect(code).toBe(5);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('leaves an earlier file unchanged if the export fails', async () => {
    const file = temporaryFile('old', 'a.srt');
    const folder = path.dirname(file);
    const bad = workRequest([entry(1, 'a', { startTime: 'x' })]);
    expect((await run([bad], ['wr-1', '-O', file, '--overwrite'])).outcome.code).toBe(1);
    mkdirSync(path.join(folder, 'b.srt'));
    const { outcome } = await run([workRequest(two)], ['wr-1', '-O', path.join(folder, 'b.srt')]);
    expect(outcome.code).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a.srt', 'b.srt']);
  });

  it.each([
    [['wr-1', 'wr-2'], 'several work requests need one file each'],
    [['wr-1', 'wr-2', '-O', 'a.srt'], 'several work requests need one file each'],
    [['wr-1', '-O', '{title}.srt'], 'unknown placeholder {title}'],
    [['wr-1', '-O', 'a.sub'], '-O a.sub: unknown format'],
    [['wr-1', '--format', 'srt', '--json'], '--format and --json cannot be used together'],
    [['wr-1', '-O', 'a.srt', '--jsonl'], '--output and --jsonl cannot be used together'],
    [['wr-1', '-O', 'a.srt', '-o', 'yaml'], '-O cannot be used with -o yaml'],
    [
      ['wr-1', '-O', 'a.json', '--json', '--jq', '.text'],
      '--output and --jq cannot be used together',
    ],
    [['wr-1', '-O', '', '--format', 'srt'], '-O is empty'],
    [['..', '-O', 'a.srt'], '..'],
  ])('rejects %j before sending a request', async (argv, why) => {
    expect(await refused(['translation', 'export', ...argv])).toContain(why);
  });
});

it('prints no control characters on a terminal', async () => {
  const { env } = await recordingServer(workRequest([entry(1, 'a\u009b31m\u202eb')]));
  for (const format of ['srt', 'vtt', 'txt', 'csv', 'json']) {
    const argv = ['translation', 'export', 'wr-1', '--format', format];
    const { stdout } = await mar(argv, { env, columns: 80 });
    expect(stdout).not.toMatch(/[\u009b\u202e]/);
  }
});
