import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFile as file, mar, temporaryFolder } from '../../../harness/mar.ts';
import { refused } from '../../../harness/marWith.ts';
import { recordingServer } from '../../../harness/recordingServer.ts';
import { subtitleWords } from '../../../words/subtitles.ts';
import { imscScreens } from '../imsc.ts';
import { entry, workRequest } from '../request.ts';

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

  it.each([
    ['a.xml', '', false],
    ['a.DFXP', '', false],
    ['a.itt', '', false],
    ['a.xml', 'ttml1', false],
    ['a.xml', 'imsc', true],
  ])('writes a document to %s, with --format %s', async (name, format, isImsc) => {
    const { env } = await recordingServer(record);
    const out = path.join(temporaryFolder(), name);
    const flags = format ? ['--format', format] : [];
    const run = await mar(['translation', 'export', 'wr-1', ...flags, '-O', out], { env });
    expect(run.code).toBe(0);
    const xml = readFileSync(out, 'utf8');
    expect(xml).toContain('<tt xmlns="http://www.w3.org/ns/ttml"');
    expect(xml.includes('/profile/imsc1.1/text')).toBe(isImsc);
  });

  it('writes it to standard output, without a frame rate unless one is given', async () => {
    const { env } = await recordingServer(record);
    const argv = ['translation', 'export', 'wr-1', '--format', 'ttml'];
    const { stdout } = await mar(argv, { env });
    expect(stdout).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<tt /);
    expect(stdout).not.toContain('frameRate');
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
});

describe('translation check with TTML files', () => {
  const hostile = '&#27;[31m\u001b[31m';
  it.each(['a.ttml', 'a.dfxp', 'a.XML', 'a.itt', 'subtitles', 'a.foo'])(
    'reads %s',
    async (name) => {
      const where = file(ttml('<p begin="1s" end="3s">はい。</p>'), name);
      const { code, stdout, stderr } = await mar(['translation', 'check', where]);
      expect([code, stdout]).toEqual([0, '']);
      expect(stderr).toContain(subtitleWords.verdict(where, 'no problems', '1 cue'));
    },
  );

  it('reports findings with the row of the paragraph, and the language of the document', async () => {
    const fast = '<p begin="1s" end="3s">父は40年間この灯を守り続けた</p>';
    const where = file(ttml(`${fast}\n<p\nbegin="2s" end="0:4">いい</p>`), 'a.ttml');
    const filter = '"\\(.line) \\(.rule): \\(.message)"';
    const { code, stdout } = await mar(['translation', 'check', where, '--jq', filter]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^3 speed: .*\(maximum 4\)/m);
    expect(stdout).toMatch(/^4 timecode: stop time 0:4 /m);
  });

  it('uses the frame rate that the document declares', async () => {
    const root = 'ttp:frameRate="25" xmlns:ttp="http://www.w3.org/ns/ttml#parameter"';
    const two = '<p begin="1s" end="3s">はい。</p><p begin="3.079s" end="5s">はい。</p>';
    const where = file(ttml(two).replace('<tt ', `<tt ${root} `), 'a.ttml');
    const { stdout, stderr } = await mar(['translation', 'check', where]);
    expect(stdout).toContain('0.08 s');
    expect(stderr).not.toContain(subtitleWords.assumedRate(''));
  });

  it('names the file and the line of an XML error', async () => {
    const where = file(ttml('<p begin="1s">a</p>\n<p>b</q>'), 'a.ttml');
    expect(await refused(['translation', 'check', where])).toContain(`${where} line 4: `);
  });

  it.each([
    `<p begin="${hostile}" end="2s" style="${hostile}" region="${hostile}">${hostile}</p>`,
    `<p ${hostile}>`,
    `<p></${hostile}>`,
  ])('prints no control characters of a file (%#)', async (content) => {
    const run = await mar(['translation', 'check', file(ttml(content), 'a.ttml')]);
    expect(run.stdout + run.stderr).not.toContain('\u001b');
  });
});

describe('a file in another format', () => {
  it.each([
    '[Script Info]\nTitle: a',
    '\ufeff[Script Info]\nTitle: a',
    'Scenarist_SCC V1.0\n',
    '[00:12.00]la la',
    '0:00:01.000,0:00:02.000\na',
    '<SAMI><HEAD>',
    '%PDF-1.7',
    'PK\u0003\u0004',
  ])('is refused, even if its name is that of a format: %s', async (content) => {
    const where = file(content, 'movie.srt');
    const stderr = await refused(['translation', 'check', where]);
    expect(stderr).toContain(`${where} ${subtitleWords.unknownFormat}`);
    expect(stderr).toContain(subtitleWords.convertFirst);
  });

  it('is refused if it is no text', async () => {
    const where = file(Buffer.from('ftyp\u0000isom\u00ff', 'latin1'), 'movie.mp4');
    const stderr = await refused(['translation', 'check', where]);
    expect(stderr).toContain(`${where} ${subtitleWords.unknownFormat}`);
  });

  it.each([
    ['check', 'missing.txt', 'missing.txt: '],
    ['check', 'movie.ass', 'movie.ass: '],
    ['diff wr-1', 'movie.mp4', 'movie.mp4: '],
    ['check', 'package.json', `package.json ${subtitleWords.unknownFormat}`],
  ])('is not taken for an id: %s %s', async (verb, name, message) => {
    expect(await refused(['translation', ...verb.split(' '), name])).toContain(message);
  });
});
