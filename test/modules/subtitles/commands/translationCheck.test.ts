import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mar, temporaryFile, temporaryFolder } from '../../../harness/mar.ts';
import { marWith, refused } from '../../../harness/marWith.ts';
import { recordingServer } from '../../../harness/recordingServer.ts';
import { subtitleWords } from '../../../words/subtitles.ts';
import { entry, workRequest } from '../request.ts';

const good = workRequest([entry(1, 'Bonjour.'), entry(2, 'Oui.')]);
const bad = workRequest([entry(1, ''), entry(2, '<i>Oui')]);

const checkRequest = (record: string, argv: readonly string[] = [], columns?: number) =>
  marWith(record, ['translation', 'check', 'wr-1', '--fps', '24', ...argv], { columns });

const verdict = (found: string) => `${subtitleWords.verdict('wr-1', found, '2 lines')}\n`;

const file = (content: string | Uint8Array, name = 'a.fra.srt') => temporaryFile(content, name);

describe('checking a work request', () => {
  const gap = expect.stringMatching(/^3\t00:00:06,000\twarning\tnumber\t.*\tb\n$/);
  it.each([
    [good, 0, '', verdict('no problems')],
    [workRequest([entry(1, 'a'), entry(3, 'b')]), 0, gap, verdict('1 warning')],
    [workRequest([]), 3, '1\t\terror\tempty\tno lines\t\n', `${subtitleWords.noLines('wr-1')}\n`],
  ])('exits with 3 only if there are errors (%#)', async (record, code, stdout, stderr) => {
    // The end names the guide whose limits apply.
    const verdictStart = expect.stringContaining(stderr.trimEnd());
    expect(await checkRequest(record)).toEqual({ code, stdout, stderr: verdictStart });
  });

  it('prints each error with its text on a terminal', async () => {
    const { code, stdout, stderr } = await checkRequest(bad, ['--no-color'], 100);
    expect(code).toBe(3);
    expect(stderr).toContain(`error: ${verdict('2 errors').trimEnd()}`);
    expect(stderr.replace(/\s+/g, ' ')).toContain('Netflix: ');
    expect(stdout).toMatch(
      /^LINE +START +LEVEL +PROBLEM +TEXT\n *1 +00:00:02,000 +error +[a-z ]+\n *2 +00:00:04,000 +error +<i> .* +Oui\n/,
    );
  });

  it.each([80, 50])('shows the limit at a width of %i, and cuts the text', async (columns) => {
    const record = workRequest([entry(1, 'Bonjour, '.repeat(20))]);
    const { stdout } = await checkRequest(record, ['--no-pager'], columns);
    const lines = stdout.replace(/\s+/g, ' ');
    expect(lines).toMatch(/ 179 [a-z ]+\(maximum 17\)/);
    expect(lines).toMatch(/ 179 [a-z ]+\(maximum 42\)/);
  });

  it('prints findings as records with --json, and the error as JSON', async () => {
    const { code, stdout, stderr } = await checkRequest(bad, ['--json']);
    expect(code).toBe(3);
    const where = { source: 'wr-1', number: 1, place: 1, startTime: '00:00:02,000' };
    const measured = { value: null, limit: null, unit: null, fixable: false };
    const empty = { severity: 'error', rule: 'empty', message: expect.any(String), text: '' };
    expect(JSON.parse(stdout)).toEqual([
      { ...where, ...measured, ...empty },
      expect.objectContaining({ rule: 'tags', number: 2, text: 'Oui', fixable: true }),
    ]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { kind: 'check', exitCode: 3 } });
    expect(await checkRequest(good, ['--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  it('does not wait for a pipe, and takes no empty folder', async () => {
    const folder = temporaryFolder();
    const [pipe, empty] = [path.join(folder, 'pipe.srt'), path.join(folder, 'folder.srt')];
    execFileSync('mkfifo', [pipe]);
    mkdirSync(empty);
    const refusal = (file: string) => refused(['translation', 'check', file]);
    expect(await refusal(pipe)).toContain(pipe);
    expect(await refusal(empty)).toContain(subtitleWords.noSubtitleFiles(empty));
  });

  const filter = '"\\(.rule) \\(.value)/\\(.limit) \\(.unit) \\(.fixable)"';

  it('has the measured values, their limits and units', async () => {
    const record = workRequest([
      entry(1, `${'a'.repeat(43)}\nb\nc`, { stopTime: '00:00:02,500' }),
      entry(2, 'd', { startTime: '00:00:02,510', stopTime: '00:00:09,000' }),
      entry(3, 'e', { startTime: '00:00:08,900', stopTime: '00:00:10,000' }),
    ]);
    const { stdout } = await checkRequest(record, ['--jq', filter, '--max-wpm', '10']);
    expect(stdout.trim().split('\n')).toEqual([
      'duration 500/833 ms true',
      'line-length 47/42 columns true',
      'speed 94/17 characters per second true',
      'speed 360/10 words per minute true',
      'gap 10/83 ms true',
      'overlap -100/0 ms true',
      'speed 55/10 words per minute true',
    ]);
  });

  it('applies the limits of the preset, of flags, and of the language', async () => {
    const record = workRequest([entry(1, 'a'.repeat(40), { stopTime: '00:00:06,000' })]);
    const found = async (flags: string, checked = record) =>
      (await checkRequest(checked, ['--jq', filter, ...flags.split(' ')])).stdout;
    expect(await found('--preset netflix')).toBe('');
    expect(await found('--preset none')).toBe('');
    expect(await found('--preset bbc')).toContain('line-length 40/37');
    const own = await found('--preset none --max-width 30 --max-cps 9');
    expect(own).toContain('line-length 40/30');
    expect(own).toContain('speed 10/9');
    const lines = [entry(1, '守り続けた灯を守り続けた灯を', { stopTime: '00:00:08,000' })];
    const japanese = workRequest(lines, { translation: { language: 'jpn', lines } });
    expect(await found('--quiet', japanese)).toContain('line-length 14/13 full-width characters');
  });

  it.each([
    ['--max-width x', '--max-width takes a number above 0'],
    ['--max-lines 0', '--max-lines takes a number above 0'],
    ['--min-gap 80', '--min-gap'],
    ['--preset abc', 'preset'],
    ['--fps 23', '--fps'],
  ])('rejects %s', async (flags, why) => {
    expect(await refused(['translation', 'check', 'wr-1', ...flags.split(' ')])).toContain(why);
  });

  it('reports a missing work request and still checks the others', async () => {
    const srt = file('1\n00:00:01,000 --> 00:00:02,000\nOui.\n');
    const argv = ['translation', 'check', 'wr-1', srt, '--details'];
    const { code, stderr } = await marWith({ status: 404, body: '{}' }, argv);
    expect(code).toBe(5);
    expect(stderr).toContain(subtitleWords.verdict(srt, 'no problems', '1 cue'));
  });
});

describe('the frame rate', () => {
  const touching = workRequest([
    entry(1, 'a', { startTime: '00:00:01,000', stopTime: '00:00:02,000' }),
    entry(2, 'b', { startTime: '00:00:02,066', stopTime: '00:00:04,000' }),
  ]);

  it('is that of --fps, else that of the setting, else one that is named', async () => {
    const { env } = await recordingServer(touching);
    const own = { env: { ...env, MAR_CONFIG_DIR: temporaryFolder() } };
    const check = (...argv: string[]) => mar(['translation', 'check', 'wr-1', ...argv], own);
    const assumed = await check();
    expect(assumed.stderr).toContain(subtitleWords.assumedRate('24'));
    expect(assumed.stdout).toMatch(/ 0\.066 s .*0\.083 s/);
    const fine = { stdout: '', stderr: expect.stringContaining(verdict('no problems').trimEnd()) };
    expect(await check('--fps', '29.97')).toMatchObject(fine);
    expect(await refused(['config', 'set', 'fps', '23'])).toContain('23.976, 24, 25, 29.97, 30');
    expect((await mar(['config', 'set', 'fps', '30'], own)).code).toBe(0);
    expect(await check()).toMatchObject(fine);
    expect((await check()).stderr).toContain('30 fps (setting)');
    expect((await check('--fps', '25')).stdout).toContain(' 0.08 s');
    expect((await check('--preset', 'none')).stderr).not.toContain(subtitleWords.assumedRate(''));
  });
});

describe('checking a file', () => {
  const check = (where: string, ...argv: string[]) =>
    mar(['translation', 'check', where, '--fps', '24', ...argv]);

  const timing = '00:00:01,000 --> 00:00:03,000';

  it('needs no login', async () => {
    const second = '2\n00:00:02,500 --> 00:00:04,000\n<b>Non\n';
    const { code, stdout } = await check(file(`1\n${timing}\nOui.\n\n${second}`));
    expect(code).toBe(3);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^5\t2\t00:00:02,500\terror\toverlap\t.* 0\.5 s .*cue 1.*\tNon$/),
      `5\t2\t00:00:02,500\terror\ttags\t${subtitleWords.openTag('b')}\tNon`,
      '',
    ]);
  });

  it('names the source of each finding if there are several', async () => {
    const srt = file(`\n\n1\n${timing}\n</b>a\n`);
    const { stdout } = await marWith(bad, ['translation', 'check', 'wr-1', srt, '--details']);
    const places = stdout
      .trimEnd()
      .split('\n')
      .map((row) => row.split('\t').slice(0, 2).join(' '));
    expect(places).toEqual(['wr-1 1', 'wr-1 2', `${srt} 3`]);
  });

  const vttHead = 'WEBVTT - a\n\nNOTE\nb\n\nSTYLE\n::cue {}\n\n';
  it.each([
    ['UTF-8 with a byte-order mark', Buffer.from(`\ufeff1\n${timing}\nété\n`)],
    ['UTF-16', Buffer.from(`\ufeff1\n${timing}\nété\n`, 'utf16le')],
    ['WebVTT in UTF-16', Buffer.from('\ufeffWEBVTT\n\n00:01.000 --> 00:03.000\nété\n', 'utf16le')],
    ['lines that end in a carriage return', `1\r${timing}\rété\r`],
    ['entries without a number', `${timing}\nété`],
    ['WebVTT', `${vttHead}00:01.000 --> 00:03.000 align:left\n<v Ana>été</v>\n`],
  ])('reads %s', async (_, content) => {
    const { code, stderr } = await check(file(content));
    expect(stderr).toMatch(/ in 1 cue; taken for .*\n$/);
    expect(code).toBe(0);
  });

  it('finds its language in its name, unless --language names another', async () => {
    const content = '1\n00:00:01,000 --> 00:00:02,000\nOne line of 19 text\n';
    const verdict = async (name: string, ...argv: string[]) =>
      (await check(file(content, name), ...argv)).stdout.includes('\tspeed\t');
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
    const srt = file(`1\n${timing}\na\n\n9\n00:00:02,500 --> 00:00:04,000\nb\n`);
    const { stdout, stderr } = await check(srt, '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { rule: 'overlap', line: 5, cue: 9, message: expect.stringMatching(/ 0\.5 s .*cue 1/) },
      { rule: 'number', line: 5, cue: 9 },
    ]);
    expect(stderr).toContain(subtitleWords.verdict(srt, '1 error and 1 warning', '2 cues'));
  });

  it.each([
    ['a.srt', ''],
    ['a.srt', '\n\n'],
    ['a.vtt', 'WEBVTT\n\nNOTE nothing here\n'],
  ])('without cues is an error: %s %j', async (name, content) => {
    const run = await check(file(content, name));
    expect(run).toMatchObject({ code: 3, stdout: '1\t\t\terror\tempty\tno cues\t\n' });
  });

  it('needs --encoding for an older encoding', async () => {
    const srt = file(Buffer.from(`1\n${timing}\n\u00e9t\u00e9\n`, 'latin1'));
    const rejected = await check(srt);
    expect([rejected.code, rejected.stderr]).toEqual([2, expect.stringContaining('--encoding ')]);
    expect((await check(srt, '--encoding', 'windows-1252')).code).toBe(0);
    expect((await check(srt, '--encoding', 'klingon')).stderr).toContain('encoding "klingon"');
  });

  it('has a name that an id cannot have, and at most 10 MB of subtitles', async () => {
    const refusal = (where: string, stdin = '') =>
      refused(['translation', 'check', where], { stdin });
    expect(await refusal('LICENSE')).toContain('./LICENSE');
    expect(await refusal('-', 'x'.repeat(10 * 1024 * 1024 + 1))).toContain('10 MB');
    expect(await refusal(file('hello\n'))).toContain(subtitleWords.unknownFormat);
    await refusal('/nonexistent/a.srt');
  });

  it('reports mistakes outside of the lines', async () => {
    const found = async (content: string) => (await check(file(content))).stdout;
    expect(await found(`1\n${timing}\nété\n2\n00:00:04,000 --> 00:00:05,000\na`)).toBe(
      `4\t\t\terror\tfile\t${subtitleWords.noEmptyLine}\t\n`,
    );
    expect(await found(`Title\n\n1\n${timing}\na\n`)).toContain(subtitleWords.textBeforeCues);
    expect(await found(`<i>\n1\n${timing}\nOui\n`)).not.toContain('XML');
    const [first, second] = ['00:01.000 --> 00:03.000\na', '00:04.000 --> 00:05.000\nb'];
    expect(await found(`WEBVTT\n\n${first}\n\n${second}\n`)).toBe('');
    const vtt = await found('WEBVTT\n\n1\n00:00:01,000 --> 00:00:03.000\na\n\nstray\n');
    expect(vtt).toContain(subtitleWords.commaInWebVtt('00:00:01,000'));
    expect(vtt).toContain(subtitleWords.blockWithoutTimes);
    const mixed = await found(`1\n${timing}\n<b>a\n\n2\n00:00:04,000 -> 00:00:05,000\nb\n`);
    expect(mixed.match(/^\d+/gm)).toEqual(['1', '6']);
  });

  it('says if a text is too short to recognise the language', async () => {
    const isTooShort = async (text: string, name?: string) => {
      const { stderr } = await check(file(`1\n${timing}\n${text}\n`, name));
      return stderr.includes(subtitleWords.tooShort('fr (name'));
    };
    const spanish = 'Lo de siempre ya no existe.\n';
    expect(await isTooShort(spanish.repeat(4))).toBe(true);
    expect(await isTooShort(spanish.repeat(8))).toBe(false);
    expect(await isTooShort('Вы знаете, почему мы все здесь собрались?')).toBe(false);
    expect(await isTooShort(spanish, 'a.srt')).toBe(false);
  });

  it('reads standard input', async () => {
    const argv = ['translation', 'check', '-', '--fps', '25', '--language', 'fr'];
    const run = await mar(argv, { stdin: `1\n${timing}\nété\n` });
    expect(run).toMatchObject({ code: 0, stdout: '' });
    const language = subtitleWords.tooShort('fr (--language');
    const facts = `${language}, SRT, utf-8, Netflix: others, 25 fps (--fps)`;
    expect(run.stderr).toMatch(/^standard input: .* 1 cue; /);
    expect(run.stderr).toContain(`${facts}\n`);
  });
});
