import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { readXlsx } from 'hucre/xlsx';
import { expect, it } from 'vitest';
import { mar, startMar, temporaryFile, temporaryFolder } from '../../../harness/mar.ts';
import { refused } from '../../../harness/marWith.ts';
import { recordService } from '../../../harness/recordService.ts';
import { zipOf } from '../../../harness/zip.ts';
import { subtitleWords } from '../../../words/subtitles.ts';
import { entry, workRequest } from '../request.ts';

const wide = 'Cette ligne est beaucoup trop longue pour un seul écran de télévision.';
const records = {
  '/workrequests/wr-1': workRequest([entry(1, ''), entry(2, '<i>Oui'), entry(3, `Oh.<br>${wide}`)]),
  '/workrequests/wr-2': workRequest([entry(1, 'Bonjour.')], { _id: 'wr-2' }),
};

async function check(report: string, argv: readonly string[] = ['wr-1', 'wr-2']) {
  const { env } = await recordService(records);
  const run = (more: readonly string[]) =>
    mar(['translation', 'check', ...argv, '--fps', '24', ...more], { env });
  return { ...(await run(['--report', report])), run };
}

const inFolder = (name: string) => path.join(temporaryFolder(), name);

/** The page about these sources. */
async function pageOf(argv: readonly string[]): Promise<string> {
  const file = inFolder('qc.html');
  await check(file, argv);
  return readFileSync(file, 'utf8');
}

it('writes a page with the counts, the cues, the picture and the guides', async () => {
  const file = inFolder('qc.html');
  const { code, stdout, stderr, run } = await check(file);
  const page = readFileSync(file, 'utf8');
  const guide =
    'https://partnerhelp.netflixstudios.com/hc/en-us/articles/215758617-Timed-Text-Style-Guide-General-Requirements';
  for (const part of [
    '<title>Subtitle check: 2 translations</title>',
    `<td>Line length</td><td class="number error">1</td><td class="number zero">0</td><td class="limits">at most 42 columns</td><td><a href="${guide}"`,
    `<mark>${wide}</mark>`,
    '00:00:06,000 <span>– 00:00:07,000</span>',
    'No problems</p>',
  ]) {
    expect(page).toContain(part);
  }
  expect(page.match(/<svg class="timeline"/g)).toHaveLength(2);
  const plain = await run([]);
  expect({ code, stdout }).toEqual({ code: plain.code, stdout: plain.stdout });
  expect(stderr).toBe(`Wrote ${file}\n${plain.stderr}`);
});

it.each([
  ['--language ara', '>Netflix Arabic Timed Text Style Guide</a>'],
  ['--preset bbc', '>BBC Subtitle Guidelines</a>'],
  ['--preset none --max-width 20', 'at most 20 columns</td><td></td>'],
])('%s decides the guide and the limits', async (flags, part) => {
  expect(await pageOf(['wr-1', ...flags.split(' ')])).toContain(part);
});

it('has the title, language, territory, due date and instructions of the work request', async () => {
  const fields = {
    due: { date: 1796230800000, tz: 'America/Mexico_City' },
    instructions: 'Two lines <b>at most</b>.\nItalics for voices off screen.',
  };
  const { env } = await recordService({
    '/workrequests/wr-1': workRequest([entry(1, '')], fields),
  });
  const file = inFolder('qc.html');
  const source = temporaryFile('1\n00:00:01,000 --> 00:00:03,000\nBonjour.\n', 'a.fr-CA.srt');
  await mar(['translation', 'check', 'wr-1', source, '--report', file], { env });
  const page = readFileSync(file, 'utf8');
  expect(page).toContain('<a href="#s1"><bdi>Trailer: A/B (wr-1)</bdi></a>');
  const header = (at: number) =>
    new RegExp(`<section id="s${at}">(.*?)</dl>`, 's')
      .exec(page)?.[1]
      ?.replace(/<p class="verdict.*?<\/p>/, '')
      .replace(/<\/(?:h2|dd|span|p)>/g, '\n')
      .replace(/<\/dt>/g, ': ')
      .replace(/<[^>]*>/g, '')
      .split('\n')
      .filter((line) => line !== '');
  expect(header(1)).toEqual([
    'Trailer: A/B (wr-1)',
    `1 line, taken for fra (${subtitleWords.tooShort('translation')}, Netflix: others, 24 fps (assumed)`,
    'Language: French (fra)',
    'Territory: FRA',
    'Due: 2026-12-02 11:00 America/Mexico_City',
    'Instructions: Two lines &#60;b&#62;at most&#60;/b&#62;.',
    'Italics for voices off screen.',
  ]);
  expect(header(2)).toEqual([
    'a.fr-CA.srt',
    `1 cue, taken for fr-CA (${subtitleWords.tooShort('name')}, SRT, utf-8, Netflix: others, 24 fps (assumed)`,
    'Language: Canadian French (fr-CA)',
  ]);
});

/** Check with these words, in which DIR is the folder, is refused with each message. */
async function refusals(folder: string, mistakes: Readonly<Record<string, string>>) {
  for (const [words, message] of Object.entries(mistakes)) {
    const argv = words.replaceAll('DIR', folder).split(' ');
    const stderr = await refused(['translation', 'check', 'wr-1', ...argv]);
    expect(stderr).toContain(message.replaceAll('DIR', folder));
  }
}

it('names a file that cannot be read without the folder of the delivery', async () => {
  const folder = temporaryFolder();
  for (const name of ['a.fra.srt', 'b.fra.srt']) symlinkSync('nowhere', path.join(folder, name));
  const page = await pageOf([folder]);
  expect(page).toContain('<bdi>a.fra.srt</bdi>');
  expect(page).not.toContain(folder);
});

it('names the files of other formats, which are not read', async () => {
  const files = {
    'a.fra.srt': '1\n00:00:01,000 --> 00:00:03,000\nBonjour.\n',
    'sub/<b>.ita.ass': '[Script Info]\n',
  };
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'sub'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const list =
    '>Not read, because they have other formats</p><ul><li><bdi>sub/&#60;b&#62;.ita.ass</';
  for (const source of [folder, temporaryFile(zipOf(files), 'delivery.zip')]) {
    expect(await pageOf([source])).toContain(list);
    // Those of the earlier delivery are no news.
    const only = path.join(folder, 'a.fra.srt');
    expect(await pageOf([only, '--against', source])).not.toContain('Not read');
  }
});

it('is not needed for a table: -o csv and -o xlsx have the rules', async () => {
  const { env } = await recordService(records);
  const table = async (format: string) => {
    const argv = ['translation', 'check', 'wr-1', 'wr-2', '--details', '--fps', '24', '-o', format];
    const run = startMar(argv, { env });
    expect((await run.ended).code).toBe(3);
    return Buffer.concat(run.stdout.chunks);
  };
  const found = JSON.parse(String(await table('json'))) as Record<string, unknown>[];
  const rows = parse(await table('csv'), { columns: true }) as Record<string, string>[];
  expect(rows.map(({ source, rule, message }) => ({ source, rule, message }))).toEqual(
    found.map(({ source, rule, message }) => ({ source, rule, message })),
  );
  const [first] = (await readXlsx(await table('xlsx'))).sheets;
  expect(first?.rows[0]).toEqual(['Source', 'Line', 'Start', 'Level', 'Rule', 'Problem', 'Text']);
  expect(first?.rows).toHaveLength(found.length + 1);
});

it('refuses a name it cannot use before anything is read', async () => {
  const folder = path.dirname(temporaryFile('1\n00:00:01,000 --> 00:00:03,000\nA.\n', 'a.srt'));
  mkdirSync(path.join(folder, 'd.html'));
  await refusals(folder, {
    '--report DIR/qc.pdf': '.html',
    '--report DIR/qc.csv': '-o csv',
    '--report DIR/none/qc.html': '--report, DIR/none/qc.html: ',
    '--report DIR/d.html': 'folder at DIR/d.html',
    '--report -': 'standard output',
    'DIR/a.srt --report DIR/a.srt': subtitleWords.wouldOverwrite('DIR/a.srt'),
    '--report DIR/qc.html -o csv -O DIR/qc.html': subtitleWords.wouldOverwrite('DIR/qc.html'),
  });
  expect(readdirSync(folder).sort()).toEqual(['a.srt', 'd.html']);
});

it('replaces a file, names sources that could not be read, and keeps the file if none could', async () => {
  const file = inFolder('qc.html');
  writeFileSync(file, 'old', { mode: 0o640 });
  expect((await check(file, ['wr-9'])).code).toBe(5);
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect((await check(file, ['wr-9', 'wr-2'])).stderr).toContain('wr-9');
  const page = readFileSync(file, 'utf8');
  expect(page).toMatch(/^<!doctype html>/);
  expect(page).toMatch(/Not checked<\/p><ul><li>[^<]*wr-9[^<]*<\/li><\/ul>/);
  expect(statSync(file).mode & 0o777).toBe(0o640);
});

it('escapes all text, and allows neither scripts nor requests', async () => {
  const name = `a"><img src=x onerror=alert(1)>.srt`;
  const text = `</style><script>alert(1)</script>" onload='x' \`${'a'.repeat(50)}\u0000\u202e`;
  const source = temporaryFile(`1\n00:00:01,000 --> 00:00:01,100\n${text}\n`, name);
  const page = await pageOf([source, '--language', '"><svg onload=alert(1)>']);
  for (const live of ['<script', '<img', '<svg onload', '\u0000', '\u202e']) {
    expect(page.includes(live), live).toBe(false);
  }
  expect(page.match(/<\/style>/g)).toHaveLength(1);
  expect(page).toMatch(
    /<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-[\w+/=]+&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;">/,
  );
  const addresses = [...page.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, url = '']) => url);
  for (const url of addresses)
    expect(url).toMatch(/^(#s\d+|https:\/\/partnerhelp\.netflixstudios\.com\/.*)$/);
});

it('marks a cue with invalid times at the nearest place of the timeline', async () => {
  const backwards = '1\n01:00:00,000 --> 00:59:00,000\nBonjour.\n';
  const late = '2\n10:00:00,000 --> 10:00:04,000\nBonjour.\n';
  const page = await pageOf([temporaryFile(`${backwards}\n${late}`, 'a.srt')]);
  expect(page).toContain('<path class="error" d="M0 0H4V1H0z"/>');
  expect(page).toContain('1 cue from 10:00:00.000 to 10:00:04.000, at most 2 characters');
});
