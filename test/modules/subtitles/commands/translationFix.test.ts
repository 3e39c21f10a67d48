import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { printJson } from '../../../../src/core/json/value.ts';
import { demoSeed } from '../../../../src/modules/sandbox/seed/demoData.ts';
import { mar, startMar, temporaryFile, temporaryFolder } from '../../../harness/mar.ts';
import { refused } from '../../../harness/marWith.ts';
import { recordingServer } from '../../../harness/recordingServer.ts';
import { subtitleWords } from '../../../words/subtitles.ts';

const broken =
  '1\n00:00:01,000 --> 00:00:01,200\nGo  on...\n\n9\n00:00:05,000 --> 00:00:07,000\n<i>Two\n';
const repaired =
  '1\n00:00:01,000 --> 00:00:01,833\nGo on…\n\n2\n00:00:05,000 --> 00:00:07,000\n<i>Two</i>\n';

const file = (content: string | Uint8Array, name = 'movie.eng.srt') => temporaryFile(content, name);

const fix = (...argv: string[]) => mar(['translation', 'fix', ...argv, '--fps', '24']);

const demo = new Map([...demoSeed(0, 0)].map(({ id, record }) => [id, printJson(record)]));

describe('fixing a file', () => {
  it('prints a diff and writes nothing', async () => {
    const srt = file(broken);
    const { code, stdout, stderr } = await fix(srt);
    expect(code).toBe(0);
    expect(stderr).toMatch(/: 6 .* 2 cues .*\n.*--in-place or -O FILE /);
    expect(stdout).toBe(
      [
        ...[`--- ${srt}`, `+++ ${srt}`, '@@ -1,3 +1,3 @@ cue 1', ' 1'],
        ...['-00:00:01,000 --> 00:00:01,200', '+00:00:01,000 --> 00:00:01,833'],
        ...['-Go  on...', '+Go on…'],
        ...['@@ -5,3 +5,3 @@ cue 9', '-9', '+2', ' 00:00:05,000 --> 00:00:07,000'],
        ...['-<i>Two', '+<i>Two</i>', ''],
      ].join('\n'),
    );
    expect(readFileSync(srt, 'utf8')).toBe(broken);
  });

  it('replaces the file with --in-place, and check then finds nothing', async () => {
    const srt = file(broken);
    expect((await fix(srt, '--in-place')).stderr).toBe(
      `${srt}: fixed 6 problems in 2 cues\nWrote ${srt}\n`,
    );
    expect(readFileSync(srt, 'utf8')).toBe(repaired);
    expect(readFileSync(`${srt}.orig`, 'utf8')).toBe(broken);
    const checked = await mar(['translation', 'check', srt, '--fps', '24']);
    expect(checked.stderr).toContain(subtitleWords.verdict(srt, 'no problems', '2 cues;'));
    const stderr = `${subtitleWords.nothingToFix(srt)}\n`;
    expect(await fix(srt)).toEqual({ code: 0, stdout: '', stderr });
  });

  it('writes another file with -O, an earlier one only with --overwrite, or standard output', async () => {
    const srt = file(broken);
    const other = file('old', 'fixed.srt');
    const refusal = await fix(srt, '-O', other);
    expect([refusal.code, refusal.stdout, readFileSync(other, 'utf8')]).toEqual([2, '', 'old']);
    expect(refusal.stderr).toContain('--overwrite');
    expect((await fix(srt, '-O', other, '--overwrite')).code).toBe(0);
    expect(readFileSync(other, 'utf8')).toBe(repaired);
    expect((await fix(srt, '-O', '-')).stdout).toBe(repaired);
    const stdin = await mar(['translation', 'fix', '-', '-O', '-'], { stdin: broken });
    expect(stdin.stdout).toBe(repaired);
  });

  it.each([
    ['UTF-8 with a byte-order mark', '\ufeff', 'utf8', []],
    ['UTF-16', '\ufeff', 'utf16le', []],
    ['UTF-16 without a mark, if it is named', '', 'utf16le', ['--encoding', 'utf-16le']],
  ] as const)('keeps the mode and the encoding: %s', async (_, mark, encoding, flags) => {
    const srt = file(Buffer.from(`${mark}${broken}`, encoding));
    chmodSync(srt, 0o755);
    expect((await fix(srt, '--in-place', ...flags)).code).toBe(0);
    expect(readFileSync(srt).toString(encoding)).toBe(`${mark}${repaired}`);
    expect(statSync(srt).mode & 0o777).toBe(0o755);
  });

  it('exits with 3 and lists what remains', async () => {
    const wide = `1\n00:00:01,000 --> 00:00:02,000\n${'x'.repeat(50)}...\n`;
    const srt = file(`${wide}\n2\n00:00:02,100 --> 00:00:03,000\n\n`);
    const { code, stdout, stderr } = await fix(srt, '--in-place');
    expect(code).toBe(3);
    expect(stdout).toContain('+xxx');
    for (const fact of [`Wrote ${srt}\n`, '3 errors', 'Line 1, cue 1: 51', 'Line 5, cue 2:']) {
      expect(stderr).toContain(fact);
    }
    expect(readFileSync(srt, 'utf8')).toContain('…');
  });

  it.each([
    'Die Donau-\ndampfschifffahrtsgesellschaft hat heute kein Schiff',
    'mother/\nfather and all of the others came to the big party',
  ])('puts no space into a word that is broken between rows: %j', async (text) => {
    const srt = file(`1\n00:00:01,000 --> 00:00:06,000\n${text}\n`);
    expect((await fix(srt, '-O', '-')).stdout).toContain(text);
  });

  it('fixes a cue with 130,000 rows', async () => {
    const srt = file(`1\n00:00:01,000 --> 00:00:03,000\n${'x\n'.repeat(129_999)}a...\n`);
    const { code, stderr } = await fix(srt, '--in-place');
    expect(code, stderr).toBe(3);
    expect(stderr).toContain('130000 ');
    expect(readFileSync(srt, 'utf8').endsWith('x\na…\n')).toBe(true);
  });

  it('handles no signals while it measures, so that Ctrl-C ends the process at once', async () => {
    const run = startMar(['translation', 'fix', file(broken.replace('Go', 'ที่'))]);
    const wasHandled: boolean[] = [];
    const { segment } = Intl.Segmenter.prototype;
    const spy = vi.spyOn(Intl.Segmenter.prototype, 'segment').mockImplementation(function (
      this: Intl.Segmenter,
      text,
    ) {
      wasHandled.push(run.signal('SIGINT'));
      return segment.call(this, text);
    });
    await run.ended;
    spy.mockRestore();
    expect(new Set(wasHandled)).toEqual(new Set([false]));
  });

  it('prints the cues that change with --json', async () => {
    const { stdout } = await fix(file(broken), '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      {
        ...{ line: 1, cue: 1 },
        before: { stopTime: '00:00:01,200', text: 'Go  on...' },
        after: { stopTime: '00:00:01,833', text: 'Go on…' },
      },
      { line: 5, cue: 9, before: { text: 'Two' }, after: { text: 'Two' } },
    ]);
    const text = '1\n00:00:01,000 --> 00:00:03,500\na\n\n2\n00:00:03,000 --> 00:00:05,000\nb\n';
    const overlap = await fix(file(text), '--json');
    expect(JSON.parse(overlap.stdout)).toMatchObject([
      { cue: 1, after: { stopTime: '00:00:02,917' } },
    ]);
  });

  it('uses the limits that check uses', async () => {
    const text = '1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:02,000 --> 00:00:04,000\nb\n';
    const stops = async (...argv: string[]) => (await fix(file(text), '-O', '-', ...argv)).stdout;
    expect(await stops()).toContain('--> 00:00:01,917');
    expect(await stops('--min-gap', '100ms')).toContain('--> 00:00:01,900');
    expect(await stops('--preset', 'none')).toBe(text);
  });

  it.each([
    ['a.jpn.srt', ''],
    ['a.jpn.vtt', 'WEBVTT\n\n'],
  ])('judges what remains by the language in the name: %s', async (name, start) => {
    const cue = '1\n00:00:01.000 --> 00:00:06.000\n灯台の灯を守り続けた長い年月だった...\n';
    const { code, stdout, stderr } = await fix(file(`${start}${cue}`, name));
    expect([code, stderr]).toEqual([3, expect.stringContaining('(maximum 13)')]);
    expect(stdout).toContain('った…');
  });

  it('shows hostile text safely on a terminal', async () => {
    const srt = file('1\n00:00:01,000 --> 00:00:01,200\n\u001b[2J\u202eGo...\n');
    const { stdout } = await mar(['translation', 'fix', srt, '--no-color'], { columns: 80 });
    expect(stdout).toContain('Go…');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
  });

  it.each([
    ['a.srt --in-place -O b.srt', '--in-place and --output'],
    ['- --in-place', '--in-place cannot change -'],
    ['a.srt --output=', subtitleWords.empty('-O')],
    ['/nonexistent/a.srt', 'cannot read /nonexistent/a.srt'],
    ['/nonexistent/a.zip', 'cannot read /nonexistent/a.zip: no such file'],
    ['SRT -O SRT.vtt', 'is written as SRT'],
  ])('rejects %s', async (argv, why) => {
    const srt = file(broken);
    const words = argv.replaceAll('SRT', srt).split(' ');
    expect(await refused(['translation', 'fix', ...words])).toContain(why);
    expect(existsSync(`${srt}.vtt`)).toBe(false);
  });
});

it('fixes the lines of a work request as a file, and says what it leaves out', async () => {
  const { env } = await recordingServer(demo.get('wr-2009') ?? '');
  const out = path.join(temporaryFolder(), 'bakery.spa.vtt');
  const argv = ['translation', 'fix', 'wr-2009', '--fps', '25'];
  const { code, stdout, stderr } = await mar([...argv, '-O', out], { env });
  expect(code).toBe(0);
  expect(stdout).toContain('+++ wr-2009');
  expect(stderr).toMatch(/wr-2009: .* empty: line 3$/m);
  // With the empty line, these are the seven that the check names.
  expect(stderr).toContain('fixed 6 problems in 3 cues');
  expect(readFileSync(out, 'utf8')).toMatch(/^WEBVTT\n/);
  expect((await mar([...argv, '--in-place'], { env })).code).toBe(2);
});

it('keeps the first original of a file', async () => {
  const srt = file(broken);
  await fix(srt, '--in-place');
  await fix(srt, '--in-place', '--language', 'fra', '--max-width', '3');
  expect(readFileSync(`${srt}.orig`, 'utf8')).toBe(broken);
});

describe('a TTML file', () => {
  const ttml = (stop: string, text: string) =>
    `<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><body><div><p begin="00:00:01.000" end="${stop}">${text}</p></div></body></tt>`;
  const latin1 = Buffer.from(
    `<?xml version="1.0" encoding="ISO-8859-1"?>${ttml('00:00:03.000', 'Été.')}`,
    'latin1',
  );

  it.each([
    ['UTF-8', Buffer.from(ttml('00:00:03.000', 'Go on…'))],
    ['UTF-16', Buffer.from(`\ufeff${ttml('00:00:03.000', 'Été…')}`, 'utf16le')],
    ['the encoding that it declares', latin1],
  ])('stays as it is, in %s', async (_, content) => {
    const source = file(content, 'a.dfxp');
    const out = path.join(path.dirname(source), 'b.dfxp');
    expect((await fix(source, '-O', out)).code).toBe(0);
    expect((await fix(source, '--in-place')).code).toBe(0);
    expect([readFileSync(out), readFileSync(source)]).toEqual([content, content]);
    expect(existsSync(`${source}.orig`)).toBe(false);
  });

  it('is only checked: what is wrong in it is left', async () => {
    const source = file(ttml('00:00:01.200', 'Go  on...'), 'a.ttml');
    const { code, stdout, stderr } = await fix(source, '--in-place');
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(subtitleWords.onlyTextIsFixed);
    expect(readFileSync(source, 'utf8')).toBe(ttml('00:00:01.200', 'Go  on...'));
  });

  it('is not what the lines of a work request are fixed as', async () => {
    const { env } = await recordingServer(demo.get('wr-2009') ?? '');
    const out = path.join(temporaryFolder(), 'bakery.spa.ttml');
    const { code, stderr } = await mar(['translation', 'fix', 'wr-2009', '-O', out], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('wr-2009 is written as SRT')]);
    expect(existsSync(out)).toBe(false);
  });
});

it.each([
  ['wr-2021', 'ara', 'dash,duration,ellipsis,gap,line-length,speed'],
  ['wr-2022', 'tha', 'dash,duration,ellipsis,gap,line-length,speed'],
  ['wr-2023', 'jpn', 'duration,gap,line-length,speed'],
])('the demo data of %s has problems in %s that check finds and fix repairs', async (...row) => {
  const [id, code, rules] = row;
  const { env } = await recordingServer(demo.get(id) ?? '');
  const run = (...argv: string[]) => mar(['translation', ...argv, '--fps', '24'], { env });
  const found = await run('check', id, '--jq', '.rule');
  expect(found.code).toBe(3);
  expect([...new Set(found.stdout.trim().split('\n'))].sort().join()).toBe(rules);
  const fixed = path.join(temporaryFolder(), `${id}.srt`);
  await run('export', id, '-O', fixed);
  expect((await run('fix', fixed, '--in-place', '--language', code)).code).toBe(0);
  const checked = await run('check', fixed, '--language', code);
  expect(checked.stderr).toContain(subtitleWords.verdict(fixed, 'no problems', '5 cues;'));
});

it('repairs the findings that check calls fixable, and no others', async () => {
  const cue = (number: number, times: string, text = 'Oui.') => {
    const [start, stop] = times.split(' ').map((time) => `00:00:${time}`);
    return `${number}\n${start} --> ${stop}\n${text}\n`;
  };
  const first = cue(1, '01,000 04,000');
  const head = 'WEBVTT\n\n';
  const shown = 'begin="00:00:01.000" end="00:00:01.100"';
  const files: Readonly<Record<string, string>> = {
    'arrow.srt': first.replace(' --> ', '-->'),
    'arrow.vtt': `${head}00:01.000-->00:04.000\nOui.\n`,
    'badArrow.srt': first.replace('-->', '->'),
    'block.vtt': `${head}Oui.\n\n00:01.000 --> 00:04.000 a:b\nOui.\n`,
    'characters.srt': cue(1, '01,000 04,000', 'Oui\ufffd'),
    'comma.vtt': `${head}${first}`,
    'count.srt': cue(1, '01,000 04,000', 'Oui.\nOui.\nOui.'),
    'dashes.srt': cue(1, '01,000 04,000', '-Oui.\n-Non.'),
    'dot.srt': first.replaceAll(',', '.'),
    'duration.srt': cue(1, '01,000 01,200'),
    'ends.srt': cue(1, '04,000 01,000'),
    'frames.srt': cue(1, '01:12 04,000'),
    'gap.srt': `${first}\n${cue(2, '04,010 06,000')}`,
    'head.srt': `Oui.\n\n${first}`,
    'italics.ja.srt': cue(1, '01,000 04,000', '<i>父は</i>'),
    'negative.srt': cue(1, '01,000 04,000').replace('00', '-00'),
    'numbers.srt': `${cue(1, '01,000 04,000')}\n${cue(1, '05,000 08,000')}\n${cue(7, '09,000 12,000')}`,
    'order.srt': `${cue(2, '01,000 04,000')}\n${cue(1, '05,000 08,000')}`,
    'overlap.srt': `${first}\n${cue(2, '03,000 06,000')}`,
    'speed.srt': cue(1, '01,000 02,000', 'x'.repeat(40)),
    'style.srt': cue(1, '01,000 04,000', 'Oui  non...'),
    'tags.srt': cue(1, '01,000 04,000', '<i>Oui'),
    'tags.vtt': `${head}00:01.000 --> 00:04.000\n<i>Oui & non\n`,
    'tight.srt': first + cue(2, '05,000 08,000'),
    'times.srt': `${cue(1, '05,000 08,000')}\n${cue(2, '01,000 04,000', '')}`,
    'unopened.srt': cue(1, '01,000 04,000', 'Oui</i>'),
    'wide.srt': cue(1, '01,000 07,000', 'Oui, oui, oui. '.repeat(4)),
    'z.fr.ttml': `<tt xmlns="http://www.w3.org/ns/ttml"><body><p ${shown}>Oui...  oui</p></body></tt>`,
  };
  const [folder, fixed] = [temporaryFolder(), temporaryFolder()];
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(path.join(folder, name.replace(/^(\w+)\.(?=\w+$)/, '$1.fr.')), content);
  }
  const check = async (where: string) => {
    const argv = ['translation', 'check', where, '--fps', '24', '--details', '--json'];
    const found: Record<string, string>[] = JSON.parse((await mar(argv)).stdout);
    return found.map((one) => {
      const name = `${path.basename(one.source ?? '')} ${one.rule}: ${one.message}`;
      return { name, fixable: one.fixable };
    });
  };
  const before = await check(folder);
  await fix(folder, '-O', fixed, '--overwrite');
  const after = (await check(fixed)).map(({ name }) => name);
  const repaired = before.map(({ name }) => ({ name, fixable: !after.includes(name) }));
  expect(before).toEqual(repaired);
});
