import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFile as file, mar, temporaryFolder } from '../harness/mar.ts';
import { refused } from '../harness/marWith.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { imscScreens } from '../subtitles/imsc.ts';
import { entry, workRequest } from '../subtitles/request.ts';

const record = workRequest([
  entry(1, '<i>Bonjour.</i>', { alignment: 'top' }),
  entry(2, 'Oui &amp; non.<br>Bon.'),
]);

const ttml = (paragraphs: string) =>
  `<?xml version="1.0"?>\n<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="jpn"><body><div>\n${paragraphs}</div></body></tt>`;

describe('translation export --format ttml', () => {
  it('writes a document that the reference reader shows as it is', async () => {
    const { env } = await recordingServer(record);
    const out = path.join(temporaryFolder(), 'a.ttml');
    const argv = ['translation', 'export', 'wr-1', '--fps', '23.976', '-O', out];
    expect(await mar(argv, { env })).toMatchObject({ code: 0, stderr: '' });
    const xml = readFileSync(out, 'utf8');
    expect(xml).toContain('ttp:frameRate="24"\n    ttp:frameRateMultiplier="1000 1001"');
    expect(xml).toContain('xml:lang="fr"');
    expect(imscScreens(xml)).toEqual({
      complaints: [],
      screens: [
        { start: 2000, stop: 3000, texts: ['[i Bonjour.]'] },
        { start: 4000, stop: 5000, texts: ['Oui & non.\nBon.'] },
      ],
    });
  });

  it.each(['a.xml', 'a.DFXP', 'a.itt'])('writes a document to %s', async (name) => {
    const { env } = await recordingServer(record);
    const out = path.join(temporaryFolder(), name);
    expect((await mar(['translation', 'export', 'wr-1', '-O', out], { env })).code).toBe(0);
    expect(readFileSync(out, 'utf8')).toContain('<tt xmlns="http://www.w3.org/ns/ttml"');
  });

  it('writes it to standard output, without a frame rate unless one is given', async () => {
    const { env } = await recordingServer(record);
    const argv = ['translation', 'export', 'wr-1', '--format', 'ttml'];
    const { stdout } = await mar(argv, { env });
    expect(stdout).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<tt /);
    expect(stdout).not.toContain('frameRate');
  });

  it.each([
    ['ttml1', false],
    ['imsc', true],
  ])('writes %s if --format names it, whatever the file is called', async (format, isImsc) => {
    const { env } = await recordingServer(record);
    const out = path.join(temporaryFolder(), 'a.xml');
    const argv = ['translation', 'export', 'wr-1', '--format', format, '-O', out];
    expect((await mar(argv, { env })).code).toBe(0);
    expect(readFileSync(out, 'utf8').includes('/profile/imsc1.1/text')).toBe(isImsc);
  });

  it('has only characters that XML allows', async () => {
    const hostile = '\u0001\u001b\ud800\uffff]]>';
    const { env } = await recordingServer(
      workRequest([entry(1, `${hostile}<ruby>a${hostile}<rt>b${hostile}</rt></ruby>`)]),
    );
    const { stdout } = await mar(['translation', 'export', 'wr-1', '--format', 'imsc'], { env });
    expect(stdout).not.toMatch(/[^\t\n\u0020-\ud7ff\ue000-\ufffd]/);
    expect(stdout).toContain('<span tts:ruby="text">b\ufffd\ufffd\ufffd\ufffd]]&gt;</span>');
  });

  it('does not take a file for an id', async () => {
    const stderr = await refused(['translation', 'export', 'movie.srt']);
    expect(stderr).toContain('movie.srt is a file, but export takes ids of work requests');
  });
});

describe('translation check and diff with TTML files', () => {
  it.each(['a.ttml', 'a.dfxp', 'a.XML', 'a.itt', 'subtitles', 'a.foo'])(
    'reads %s',
    async (name) => {
      const where = file(ttml('<p begin="1s" end="3s">はい。</p>'), name);
      expect(await mar(['translation', 'check', where])).toEqual({
        code: 0,
        stdout: '',
        stderr: expect.stringContaining(`${where}: no problems in 1 cue`),
      });
    },
  );

  it('reports findings with the row of the paragraph, and the language of the document', async () => {
    const where = file(
      ttml(
        '<p begin="1s" end="3s">父は40年間この灯を守り続けた</p>\n<p\nbegin="2s" end="0:4">いい</p>',
      ),
      'a.ttml',
    );
    const { code, stdout } = await mar(['translation', 'check', where, '--json']);
    expect(code).toBe(3);
    const findings = JSON.parse(stdout).map(
      ({ line, rule, message }: Record<string, unknown>) => `${line} ${rule}: ${message}`,
    );
    expect(findings).toContainEqual(expect.stringMatching(/^3 speed: .*\(maximum 4\)/));
    expect(findings).toContain(
      '4 timecode: stop time 0:4 is not a TTML time such as 00:00:03.200 or 3.2s',
    );
  });

  it('uses the frame rate that the document declares', async () => {
    const root = 'ttp:frameRate="25" xmlns:ttp="http://www.w3.org/ns/ttml#parameter"';
    const two = '<p begin="1s" end="3s">はい。</p><p begin="3.079s" end="5s">はい。</p>';
    const where = file(ttml(two).replace('<tt ', `<tt ${root} `), 'a.ttml');
    const { stdout, stderr } = await mar(['translation', 'check', where]);
    expect(stdout).toContain('0.08 s');
    expect(stderr).not.toContain('Assuming');
  });

  it('names the file and the line of an XML error', async () => {
    const where = file(ttml('<p begin="1s">a</p>\n<p>b</q>'), 'a.ttml');
    const stderr = await refused(['translation', 'check', where]);
    expect(stderr).toContain(`${where} line 4: unexpected close tag`);
  });

  it('prints no control characters of a file', async () => {
    const hostile = '&#27;[31m\u001b[31m';
    const documents = [
      `<p begin="${hostile}" end="2s" style="${hostile}" region="${hostile}">${hostile}</p>`,
      `<p ${hostile}>`,
      `<p></${hostile}>`,
    ];
    for (const content of documents) {
      const where = file(ttml(content), 'a.ttml');
      const { stdout, stderr } = await mar(['translation', 'check', where]);
      expect(stdout + stderr).not.toContain('\u001b');
    }
  });

  it('an export equals its work request', async () => {
    const { env } = await recordingServer(record);
    const where = path.join(temporaryFolder(), 'a.ttml');
    await mar(['translation', 'export', 'wr-1', '-O', where], { env });
    expect(await mar(['translation', 'diff', 'wr-1', where], { env })).toEqual({
      code: 0,
      stdout: '',
      stderr: '2 lines before, 2 after: no differences\n',
    });
  });
});

describe('a file in another format', () => {
  it.each([
    ['movie.ass', 'SubStation Alpha (SSA, ASS)'],
    ['movie.SSA', 'SubStation Alpha (SSA, ASS)'],
    ['movie.scc', 'Scenarist captions (SCC)'],
    ['movie.stl', 'EBU STL'],
    ['movie.mcc', 'MacCaption (MCC)'],
    ['movie.lrc', 'lyrics (LRC)'],
    ['movie.sub', 'MicroDVD or VobSub'],
    ['script.pdf', 'a PDF document'],
    ['script.docx', 'an Office document or archive'],
    ['movie.mp4', 'audio or video'],
  ])('is named, and not sent as an id: %s', async (name, format) => {
    for (const words of ['check', 'diff wr-1']) {
      const stderr = await refused(['translation', ...words.split(' '), name]);
      expect(stderr).toContain(`error: ${name} is ${format}, which mar does not read\n`);
      expect(stderr).toContain(
        'Convert it to SRT, WebVTT or TTML first, for example with ffmpeg or Subtitle Edit.',
      );
    }
  });

  it.each([
    ['[Script Info]\nTitle: a', 'SubStation Alpha (SSA, ASS)'],
    ['\ufeff[Script Info]\nTitle: a', 'SubStation Alpha (SSA, ASS)'],
    ['Scenarist_SCC V1.0\n', 'Scenarist captions (SCC)'],
    ['850STL25.01', 'EBU STL'],
    ['[00:12.00]la la', 'lyrics (LRC)'],
    ['{1}{25}a', 'MicroDVD or VobSub'],
    ['0:00:01.000,0:00:02.000\na', 'YouTube captions (SBV)'],
    ['<SAMI><HEAD>', 'SAMI'],
    ['File Format=MacCaption_MCC V1.0', 'MacCaption (MCC)'],
    ['<?xml version="1.0"?>\n<DCSubtitle Version="1.0">', 'digital cinema subtitles (DCP)'],
    ['%PDF-1.7', 'a PDF document'],
    ['PK\u0003\u0004', 'an Office document or archive'],
  ])('is recognised by its content, whatever its name: %s', async (content, format) => {
    const where = file(content, 'movie.srt');
    const stderr = await refused(['translation', 'check', where]);
    expect(stderr).toContain(`${where} is ${format}, which mar does not read`);
  });

  it.each([
    ['missing.txt', /^error: cannot read missing\.txt/],
    ['package.json', /^error: package\.json is neither SRT/],
  ])('is not sent as an id: %s', async (name, message) => {
    expect(await refused(['translation', 'check', name])).toMatch(message);
  });
});
