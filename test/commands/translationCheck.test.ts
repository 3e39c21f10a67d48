import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mar, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { marWith, refused } from '../harness/marWith.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { entry, workRequest } from '../subtitles/request.ts';

const good = workRequest([entry(1, 'Bonjour.'), entry(2, 'Oui.')]);
const bad = workRequest([entry(1, ''), entry(2, '<i>Oui')]);

const checkRequest = (record: string, argv: readonly string[] = [], columns?: number) =>
  marWith(record, ['translation', 'check', 'wr-1', '--fps', '24', ...argv], { columns });

const file = (content: string | Uint8Array, name = 'a.fra.srt') => temporaryFile(content, name);

describe('checking a work request', () => {
  it('exits with 0 and reports that nothing was found if there are no mistakes', async () => {
    expect(await checkRequest(good)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'wr-1: no problems in 2 lines\n',
    });
  });

  it('exits with 3 and prints each error with its text', async () => {
    const { code, stdout, stderr } = await checkRequest(bad, ['--no-color'], 100);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^LINE +START +LEVEL +PROBLEM +TEXT\n/);
    expect(stdout).toMatch(/1 +00:00:02,000 +error +no text\n/);
    expect(stdout).toMatch(/2 +00:00:04,000 +error +<i> is not closed +Oui\n/);
    expect(stderr).toBe('error: wr-1: 2 errors in 2 lines\n');
  });

  it.each([80, 70, 60, 50])(
    'shows the limit at a width of %i, and cuts the text',
    async (columns) => {
      const record = workRequest([entry(1, 'Bonjour, '.repeat(20))]);
      const { stdout } = await checkRequest(record, ['--no-pager'], columns);
      const lines = stdout.replace(/\s+/g, ' ');
      expect(lines).toContain('179 characters per second (maximum 17)');
      expect(lines).toContain('179 columns wide (maximum 42)');
    },
  );

  it('exits with 0 if there are only warnings', async () => {
    expect(await checkRequest(workRequest([entry(1, 'a'), entry(3, 'b')]))).toEqual({
      code: 0,
      stdout: '3\t00:00:06,000\twarning\tnumber\tnumber 2 is missing before this line\tb\n',
      stderr: 'wr-1: 1 warning in 2 lines\n',
    });
  });

  it('prints findings as records with --json, and the error as JSON', async () => {
    const { code, stdout, stderr } = await checkRequest(bad, ['--json']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toEqual([
      {
        source: 'wr-1',
        severity: 'error',
        rule: 'empty',
        number: 1,
        place: 1,
        startTime: '00:00:02,000',
        message: 'no text',
        text: '',
        value: null,
        limit: null,
        unit: null,
        fixable: false,
      },
      expect.objectContaining({ rule: 'tags', number: 2, text: 'Oui', fixable: true }),
    ]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { kind: 'check', exitCode: 3 } });
    expect(await checkRequest(good, ['--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  it.each([
    ['pipe.srt', ': it is not a regular file'],
    ['folder.srt', ' has no subtitle files'],
  ])('does not wait for %s', async (name, reason) => {
    const folder = temporaryFolder();
    execFileSync('mkfifo', [path.join(folder, 'pipe.srt')]);
    mkdirSync(path.join(folder, 'folder.srt'));
    const file = path.join(folder, name);
    expect(await refused(['translation', 'check', file])).toContain(`${file}${reason}`);
  });

  it('has the measured values, their limits and units with --json', async () => {
    const record = workRequest([
      entry(1, `${'a'.repeat(43)}\nb\nc`, { stopTime: '00:00:02,500' }),
      entry(2, 'd', { startTime: '00:00:02,510', stopTime: '00:00:09,000' }),
      entry(3, 'e', { startTime: '00:00:08,900', stopTime: '00:00:10,000' }),
    ]);
    const { stdout } = await checkRequest(record, ['--json', '--max-wpm', '10']);
    const found = JSON.parse(stdout).map((one: Record<string, unknown>) => {
      const { rule, value, limit, unit, fixable } = one;
      return [rule, value, limit, unit, fixable];
    });
    expect(found).toEqual([
      ['duration', 500, 833, 'ms', true],
      ['line-length', 47, 42, 'columns', true],
      ['speed', 94, 17, 'characters per second', true],
      ['speed', 360, 10, 'words per minute', true],
      ['gap', 10, 83, 'ms', true],
      ['overlap', -100, 0, 'ms', true],
      ['speed', 55, 10, 'words per minute', true],
    ]);
  });

  it('applies the limits of the preset and of flags', async () => {
    const record = workRequest([entry(1, 'a'.repeat(40), { stopTime: '00:00:06,000' })]);
    expect((await checkRequest(record)).code).toBe(0);
    expect((await checkRequest(record, ['--preset', 'bbc'])).stdout).toContain(
      '40 columns wide (maximum 37)',
    );
    expect((await checkRequest(record, ['--preset', 'none'])).stdout).toBe('');
    const limits = ['--max-width', '30', '--max-cps', '9'];
    const { stdout } = await checkRequest(record, ['--preset', 'none', ...limits]);
    expect(stdout).toContain('40 columns wide (maximum 30)');
    expect(stdout).toContain('10 characters per second (maximum 9)');
  });

  it("applies the limits of the translation's language", async () => {
    const lines = [entry(1, '守り続けた灯を守り続けた灯を', { stopTime: '00:00:08,000' })];
    const record = workRequest(lines, { translation: { language: 'jpn', lines } });
    expect((await checkRequest(record)).stdout).toContain('14 full-width characters (maximum 13)');
  });

  it.each([
    [['--max-width', 'x'], '--max-width takes a number above 0'],
    [['--max-lines', '0'], '--max-lines takes a number above 0'],
    [['--min-gap', '80'], '--min-gap must be a duration'],
    [['--preset', 'abc'], 'preset'],
  ])('rejects %j', async (argv, why) => {
    expect(await refused(['translation', 'check', 'wr-1', ...argv])).toContain(why);
  });

  it('rejects --format github together with another output format', async () => {
    for (const other of [['--json'], ['--jq', '.rule'], ['-o', 'csv'], ['--columns', 'rule']]) {
      const argv = ['translation', 'check', 'wr-1', '--format', 'github', ...other];
      const stderr = await refused(argv);
      expect(stderr).toMatch(/--format and --[a-z-]+ cannot be used together/);
    }
  });

  it('exits with 3 if there are no lines', async () => {
    expect(await checkRequest(workRequest([]))).toEqual({
      code: 3,
      stdout: '1\t\terror\tempty\tno lines\t\n',
      stderr: 'error: wr-1 has no lines\n',
    });
  });

  it('prints no control characters in annotations', async () => {
    const record = workRequest([entry(1, 'a', { startTime: '\u001b[2J\u202e' })]);
    const { stdout } = await checkRequest(record, ['--format', 'github']);
    expect(stdout).toContain('start time \u241b[2J');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
  });

  it('reports a missing work request and still checks the others', async () => {
    const srt = file('1\n00:00:01,000 --> 00:00:02,000\nOui.\n');
    const argv = ['translation', 'check', 'wr-1', srt, '--details'];
    const { code, stderr } = await marWith({ status: 404, body: '{}' }, argv);
    expect(code).toBe(5);
    expect(stderr).toContain('no problems in 1 cue');
  });
});

describe('the frame rate', () => {
  const touching = workRequest([
    entry(1, 'a', { startTime: '00:00:01,000', stopTime: '00:00:02,000' }),
    entry(2, 'b', { startTime: '00:00:02,066', stopTime: '00:00:04,000' }),
  ]);

  it('is that of --fps, else that of the setting, else one that is named', async () => {
    const { env } = await recordingServer(touching);
    const MAR_CONFIG_DIR = temporaryFolder();
    const check = (...argv: string[]) =>
      mar(['translation', 'check', 'wr-1', ...argv], { env: { ...env, MAR_CONFIG_DIR } });
    const assumed = await check();
    expect(assumed.stderr).toContain('Assuming 24 frames per second for gaps (change with --fps');
    expect(assumed.stdout).toContain('starts only 0.066 s after line 1 ends (minimum 0.083 s)');
    expect(await check('--fps', '29.97')).toMatchObject({
      stdout: '',
      stderr: 'wr-1: no problems in 2 lines\n',
    });
    expect((await mar(['config', 'set', 'fps', '30'], { env: { MAR_CONFIG_DIR } })).code).toBe(0);
    expect((await check()).stderr).toBe('wr-1: no problems in 2 lines\n');
    expect((await check('--fps', '25')).stdout).toContain('minimum 0.08 s');
    expect((await check('--preset', 'none')).stderr).not.toContain('Assuming');
  });

  it.each([
    [['translation', 'check', 'wr-1', '--fps', '23'], '--fps'],
    [['config', 'set', 'fps', '23'], 'fps: expected one of 23.976, 24, 25, 29.97, 30, 50'],
  ])('must be a known one: %j', async (argv, why) => {
    expect(await refused(argv)).toContain(why);
  });
});

describe('checking a file', () => {
  it('reads SRT that starts with a tag as SRT', async () => {
    const name = file('<i>\n1\n00:00:01,000 --> 00:00:02,000\nOui\n');
    const { code, stdout } = await mar(['translation', 'check', name]);
    expect(code).toBe(3);
    expect(stdout).not.toContain('XML');
  });

  const check = (where: string, ...argv: string[]) =>
    mar(['translation', 'check', where, '--fps', '24', ...argv]);

  it('needs no login', async () => {
    const srt = file(
      '1\n00:00:01,000 --> 00:00:02,000\nOui.\n\n2\n00:00:01,500 --> 00:00:03,000\n<b>Non\n',
    );
    const { code, stdout } = await check(srt);
    expect(code).toBe(3);
    expect(stdout).toBe(
      [
        '5\t2\t00:00:01,500\terror\toverlap\tstarts 0.5 s before cue 1 ends\tNon',
        '5\t2\t00:00:01,500\terror\ttags\t<b> is not closed\tNon',
        '',
      ].join('\n'),
    );
  });

  it('names the source of each finding if there are several', async () => {
    const srt = file('\n\n1\n00:00:01,000 --> 00:00:03,000\n</b>a\n');
    const { stdout } = await marWith(bad, ['translation', 'check', 'wr-1', srt, '--details']);
    expect(stdout.split('\n').map((row) => row.split('\t').slice(0, 2))).toEqual([
      ['wr-1', '1'],
      ['wr-1', '2'],
      [srt, '3'],
      [''],
    ]);
  });

  it('prints annotations with the row of the file for a CI job', async () => {
    const srt = file('1\r\n00:00:01,000 --> 00:00:01,000\r\n50 %\r\nOui.\r\n', 'a,b.fra.srt');
    const { code, stdout } = await check(srt, '--format', 'github');
    expect(code).toBe(3);
    const where = srt.replaceAll(',', '%2C');
    expect(stdout).toBe(
      `::error file=${where},line=1,title=duration::start and stop time are both 00:00:01,000: 50 %25%0AOui.\n`,
    );
  });

  it.each([
    ['UTF-8 with a byte-order mark', Buffer.from('\ufeff1\n00:00:01,000 --> 00:00:03,000\nété\n')],
    ['UTF-16', Buffer.from('\ufeff1\n00:00:01,000 --> 00:00:03,000\nété\n', 'utf16le')],
    ['WebVTT in UTF-16', Buffer.from('\ufeffWEBVTT\n\n00:01.000 --> 00:03.000\nété\n', 'utf16le')],
    ['lines that end in a carriage return', Buffer.from('1\r00:00:01,000 --> 00:00:03,000\rété\r')],
    ['entries without a number', Buffer.from('00:00:01,000 --> 00:00:03,000\nété')],
    [
      'WebVTT',
      Buffer.from(
        'WEBVTT - a\n\nNOTE\nb\n\nSTYLE\n::cue {}\n\n00:01.000 --> 00:03.000 align:left\n<v Ana>été</v>\n',
      ),
    ],
  ])('reads %s', async (_, content) => {
    const { code, stderr } = await check(file(content));
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/in [12] cues?; taken for .*\n$/),
    });
  });

  it('finds its language in its name, unless --language names another', async () => {
    const content = '1\n00:00:01,000 --> 00:00:02,000\nOne line of 19 text\n';
    const verdict = async (name: string, ...argv: string[]) =>
      (await check(file(content, name), ...argv)).stdout.includes('19 characters per second');
    expect(await verdict('movie.eng.srt')).toBe(false);
    expect(await verdict('movie.en.sdh.srt')).toBe(false);
    expect(await verdict('movie.fr-CA.srt')).toBe(true);
    expect(await verdict('movie.srt')).toBe(true);
    expect(await verdict('ENG_v2.srt')).toBe(false);
    expect(await verdict('movie.eng.srt', '--language', 'fra')).toBe(true);
    expect(await verdict('movie.fra.srt', '--sdh')).toBe(false);
    expect(await verdict('movie.eng.srt', '--children')).toBe(true);
  });

  it('calls the lines of the file lines, and its entries cues', async () => {
    const srt = file(
      '1\n00:00:01,000 --> 00:00:02,000\na\n\n9\n00:00:01,500 --> 00:00:03,000\nb\n',
    );
    const { stdout, stderr } = await check(srt, '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { rule: 'overlap', line: 5, cue: 9, message: 'starts 0.5 s before cue 1 ends' },
      { rule: 'number', line: 5, cue: 9 },
    ]);
    expect(stderr).toContain('1 error and 1 warning in 2 cues');
  });

  it.each([
    ['SRT', 'a.srt', ''],
    ['SRT with blank lines', 'a.srt', '\n\n'],
    ['WebVTT', 'a.vtt', 'WEBVTT\n\nNOTE nothing here\n'],
  ])('without cues is an error: %s', async (_, name, content) => {
    const { code, stdout } = await check(file(content, name));
    expect({ code, stdout }).toEqual({ code: 3, stdout: '1\t\t\terror\tempty\tno cues\t\n' });
  });

  it('needs --encoding for an older encoding', async () => {
    const srt = file(Buffer.from('1\n00:00:01,000 --> 00:00:03,000\n\u00e9t\u00e9\n', 'latin1'));
    const rejected = await check(srt);
    expect(rejected.code).toBe(2);
    expect(rejected.stderr).toContain('--encoding (for example windows-1252)');
    expect((await check(srt, '--encoding', 'windows-1252')).code).toBe(0);
    expect((await check(srt, '--encoding', 'klingon')).stderr).toContain(
      'unknown encoding "klingon"',
    );
  });

  it('has a name that an id cannot have, or is given as a path', async () => {
    expect(await refused(['translation', 'check', 'LICENSE'])).toBe(
      'error: LICENSE is a file, but looks like an id\n  Use ./LICENSE to read it.\n',
    );
  });

  it('has a maximum size of 10 MB', async () => {
    const big = 'x'.repeat(10 * 1024 * 1024 + 1);
    expect(await refused(['translation', 'check', '-'], { stdin: big })).toBe(
      'error: standard input is larger than 10 MB\n  The subtitles of a film have less than 1 MB. Check that it is the right file, or split it.\n',
    );
  });

  it('reports a file that is not a subtitle file or does not exist', async () => {
    expect((await check(file('hello\n'))).stderr).toContain('is neither SRT, WebVTT nor TTML');
    expect((await check('/nonexistent/a.srt')).code).toBe(2);
  });

  it('reports mistakes outside of the lines', async () => {
    const tight = '1\n00:00:01,000 --> 00:00:03,000\nété\n2\n00:00:04,000 --> 00:00:05,000\na';
    const { code, stdout: srt } = await check(file(tight));
    expect({ code, srt }).toEqual({
      code: 3,
      srt: '4\t\t\terror\tfile\tno empty line before this cue\t\n',
    });
    const { stdout } = await check(file('Title\n\n1\n00:00:01,000 --> 00:00:03,000\na\n'));
    expect(stdout).toContain('text before the first timing line');
    const { stdout: vtt } = await check(
      file('WEBVTT\n\n1\n00:00:01,000 --> 00:00:03.000\na\n\nstray\n'),
    );
    expect(vtt).toContain('00:00:01,000 has a comma; WebVTT needs a dot');
    expect(vtt).toContain('block without a timing line');
    const { stdout: mixed } = await check(
      file('1\n00:00:01,000 --> 00:00:02,000\n<b>a\n\n2\n00:00:03,000 -> 00:00:05,000\nb\n'),
    );
    expect(mixed.match(/^\d+/gm)).toEqual(['1', '6']);
  });

  it('does not require numbers in WebVTT', async () => {
    const vtt = 'WEBVTT\n\n00:01.000 --> 00:03.000\na\n\n00:04.000 --> 00:05.000\nb\n';
    expect((await check(file(vtt))).stderr).toContain('no problems in 2 cues');
  });

  it('reads standard input', async () => {
    const stdin = '1\n00:00:01,000 --> 00:00:03,000\nété\n';
    const argv = ['translation', 'check', '-', '--fps', '25', '--language', 'fr'];
    const { code, stderr } = await mar(argv, { stdin });
    expect(code).toBe(0);
    expect(stderr).toBe(
      'standard input: no problems in 1 cue; taken for fr (--language), SRT, utf-8, Netflix: others, 25 fps (--fps)\n',
    );
  });
});
