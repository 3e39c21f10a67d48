import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { mar, temporaryFile, temporaryFolder } from '../../../harness/mar.ts';
import { refused } from '../../../harness/marWith.ts';
import { zipOf } from '../../../harness/zip.ts';

/** Cues with a text each, the first at a second; all of them are shown for four seconds. */
const srt = (first: number, ...texts: readonly string[]) =>
  texts
    .map((text, at) => {
      const time = (ms: number) => new Date(ms).toISOString().slice(11, 23).replace('.', ',');
      const start = (first + at * 5) * 1000;
      return `${at + 1}\n${time(start)} --> ${time(start + 4000)}\n${text}\n`;
    })
    .join('\n');

const dots = 'Lo de siempre...';
const tag = '<i>Aquí vienen';
const spaces = 'Nadie  sabe.';
const good = '¿Cuánto tiempo nos queda?';

const check = (...argv: readonly string[]) =>
  mar(['translation', 'check', ...argv, '--fps', '24', '--json']);

const states = (stdout: string) =>
  JSON.parse(stdout).map(({ state, rule }: Record<string, string>) => `${state} ${rule}`);

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = path.join(temporaryFolder(), 'delivery');
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}

it('says of each mistake in a file whether it is fixed, still there or new', async () => {
  const old = temporaryFile(srt(1, dots, good, tag), 'a_v1.spa.srt');
  const now = temporaryFile(srt(1, 'Lo de siempre…', spaces, tag), 'a_v2.spa.srt');
  const { code, stdout, stderr } = await check(now, '--against', old);
  expect(code).toBe(3);
  expect(states(stdout)).toEqual(['new spaces', 'remaining tags', 'fixed ellipsis']);
  expect(stderr).toContain('1 fixed, 1 still there, 1 new');
  expect(states((await check(now, '--against', now)).stdout)).toEqual([
    'remaining spaces',
    'remaining tags',
  ]);
  // For people, the words of the page.
  const words = ['translation', 'check', now, '--against', old, '--no-pager', '--no-color'];
  const [header = '', ...rows] = (await mar(words, { columns: 120 })).stdout.trimEnd().split('\n');
  const statesShown = rows.map((row) => row.slice(header.indexOf('STATE')).split(/ {2}/)[0]);
  expect(statesShown).toEqual(['new', 'still there', 'fixed']);
  expect((await mar([...words, '-o', 'csv'])).stdout).toMatch(/,remaining,/);
  const clean = temporaryFile(srt(1, good, good, good), 'a.spa.srt');
  const fixed = await check(clean, '--against', old);
  expect([fixed.code, states(fixed.stdout)]).toEqual([0, ['fixed ellipsis', 'fixed tags']]);
  // The states belong to a comparison.
  expect((await check(now)).stdout).not.toContain('state');
});

it.each([
  ['moved', srt(61, dots, good, tag)],
  ['reworded', srt(1, 'Siempre lo mismo...', good, '<i>Ya vienen')],
  ['later in the file', srt(1, good, good, dots, tag)],
])('knows a mistake again in a cue that was %s', async (_, content) => {
  const old = temporaryFile(srt(1, dots, good, tag), 'a.spa.srt');
  const { stdout } = await check(temporaryFile(content, 'a.spa.srt'), '--against', old);
  expect(states(stdout)).toEqual(['remaining ellipsis', 'remaining tags']);
});

it('says of a mistake whose cue is gone that it is gone, not fixed', async () => {
  const old = temporaryFile(srt(1, good, dots, tag), 'a.spa.srt');
  const page = path.join(temporaryFolder(), 'qc.html');
  await check(old, '--report', page);
  const now = temporaryFile(`${srt(1, good)}\n${srt(61, spaces, good)}`, 'a.spa.srt');
  const report = path.join(temporaryFolder(), 'qc.html');
  for (const earlier of [old, page]) {
    const { stdout, stderr } = await check(now, '--against', earlier, '--report', report);
    expect(states(stdout).toSorted()).toEqual([
      'gone ellipsis',
      'gone tags',
      'new number',
      'new spaces',
      // The warning about lost cues is not counted as a new mistake.
      'undefined delivery',
    ]);
    expect(stdout).toContain('2 cues gone since the earlier delivery, the first at 00:00:06,000');
    expect(stderr).toContain('0 fixed, 0 still there, 2 new, 2 gone with the cue');
    const written = readFileSync(report, 'utf8');
    expect(written).toContain('<b>gone</b> 00:00:11,000 ');
    const text = earlier === old ? ` ${dots}` : '';
    expect(written).toContain(`on purpose: 00:00:06,000${text}; 00:00:11,000`);
  }
  // If they are gone once more, that is not fixed.
  const next = await check(now, '--against', report);
  expect(states(next.stdout).toSorted()).toEqual(['remaining number', 'remaining spaces']);
});

it('knows a cue again that was moved with the others and reworded', async () => {
  const old = temporaryFile(srt(1, good, dots, 'Nada más.', tag), 'a.spa.srt');
  const moved = srt(31, good, 'Siempre igual...', 'Nada más.', 'Aquí vienen');
  const { stdout } = await check(temporaryFile(moved, 'a.spa.srt'), '--against', old);
  expect(states(stdout)).toEqual(['remaining ellipsis', 'fixed tags']);
});

it('takes nothing for fixed in a file that cannot be read', async () => {
  const old = { 'a.spa.srt': srt(1, dots, good), 'b.fra.srt': srt(1, good) };
  const now = { ...old, 'a.spa.srt': 'no subtitles' };
  const { stdout } = await check(folderOf(now), '--against', folderOf(old));
  expect(changesIn(stdout)['a.spa.srt']).toEqual(['a.spa.srt', 0, 0, 1]);
  expect(JSON.parse(stdout)[0].gone).toBe(1);
});

const clips = { 'clip.eng.srt': srt(1, 'Ah...'), 'clip_v2.eng.srt': srt(1, good) };
const first = {
  ...clips,
  'HARBOR_JA_v1.srt': srt(1, '待つ...'),
  'harbor.fra.srt': srt(1, '<i>Oui', 'Non...'),
  'harbor.spa.srt': srt(1, dots, tag),
  'notes.deu.srt': srt(1, 'Ja...'),
  'ep01_FR_v1.srt': srt(1, 'Ah...'),
  'ep02_FR_v1.srt': srt(1, 'Oh  oh.'),
};
const second = {
  ...clips,
  'HARBOR_JA_v2.srt': srt(1, '待つ…'),
  'harbor.fra.srt': srt(1, '<i>Oui', 'Non...', 'Oui  oui.'),
  'harbor_ES.vtt': `WEBVTT\n\n${srt(1, dots, 'Aquí vienen').replaceAll(/,(?=\d{3})/g, '.')}`,
  'harbor.ita.srt': srt(1, 'Sì...'),
  'ep01_FR_v2.srt': srt(1, 'Ah...'),
  'ep02_FR_v2.srt': srt(1, 'Oh...'),
};
const changesIn = (stdout: string) =>
  Object.fromEntries(
    JSON.parse(stdout).map((file: Record<string, string | number | null>) => [
      path.basename(String(file.source)),
      [file.against && path.basename(String(file.against)), file.fixed, file.remaining, file.new],
    ]),
  );
const changes = {
  'HARBOR_JA_v2.srt': ['HARBOR_JA_v1.srt', 1, 0, 0],
  'harbor.fra.srt': ['harbor.fra.srt', 0, 2, 1],
  'harbor_ES.vtt': ['harbor.spa.srt', 1, 1, 0],
  'harbor.ita.srt': [null, 0, 0, 1],
  'clip.eng.srt': ['clip.eng.srt', 0, 1, 0],
  'clip_v2.eng.srt': ['clip_v2.eng.srt', 0, expect.any(Number), 0],
  'ep01_FR_v2.srt': ['ep01_FR_v1.srt', 0, 1, 0],
  'ep02_FR_v2.srt': ['ep02_FR_v1.srt', 1, 0, 1],
};

it('compares the files of two deliveries, by their paths, names and languages', async () => {
  const old = folderOf(first);
  const zip = temporaryFile(zipOf(first), 'first.zip');
  for (const earlier of [old, zip]) {
    const { code, stdout, stderr } = await check(folderOf(second), '--against', earlier);
    expect(code).toBe(3);
    expect(changesIn(stdout)).toEqual(changes);
    expect(stderr).toContain('3 fixed, 5 still there, 3 new');
    expect(JSON.parse(stderr.split('\n')[0] ?? '')).toMatchObject({
      warning: { message: expect.stringContaining('notes.deu.srt') },
    });
  }
  const table = await mar(
    ['translation', 'check', folderOf(second), '--against', old, '--no-pager', '--no-color'],
    { columns: 80 },
  );
  expect(table.stdout).toMatch(/^FILE +FIXED +STILL +NEW +GONE +ERR/);
});

it('compares files of one name in several folders by their paths', async () => {
  const old = {
    'ep01/fra.srt': srt(1, dots),
    'ep02/sub/fra.srt': srt(1, tag),
    'fra.srt': srt(1, good),
  };
  const now = {
    'ep01/fra.srt': srt(1, good),
    'ep02/sub/fra.srt': srt(1, dots),
    'fra.srt': srt(1, good),
  };
  const page = path.join(temporaryFolder(), 'qc.html');
  await check(folderOf(old), '--report', page);
  for (const earlier of [folderOf(old), temporaryFile(zipOf(old), 'first.zip'), page]) {
    const { stdout } = await check(folderOf(now), '--against', earlier);
    const pairs = JSON.parse(stdout).map(({ source, against }: Record<string, string>) =>
      [source, against].map((name) => name?.replace(/^.*(?:delivery|zip)./, '')),
    );
    expect(pairs.toSorted()).toEqual(Object.keys(now).map((name) => [name, name]));
  }
});

it('is not done while a file with errors was not delivered again', async () => {
  const old = folderOf({
    'a.spa.srt': srt(1, tag),
    'b.spa.srt': srt(1, tag),
    'c.spa.srt': srt(1, good),
  });
  const page = path.join(temporaryFolder(), 'qc.html');
  const now = folderOf({ 'a.spa.srt': srt(1, good) });
  const { code, stderr } = await check(now, '--against', old, '--report', page);
  expect(code).toBe(3);
  const written = readFileSync(page, 'utf8');
  expect(written).toContain('b.spa.srt</bdi>: 1 error</li><li><bdi>c.spa.srt</bdi>: no problems');
  expect(stderr).toContain('"not delivered again: 1 file with errors: b.spa.srt (1 error)"');
  expect(stderr).toMatch(/c\.spa\.srt was not delivered again/);
});

it('remembers a file that is not delivered again until it is', async () => {
  const file = { 'b.spa.srt': srt(1, tag, dots, good) };
  const missing = folderOf({ 'a.spa.srt': srt(1, good) });
  let earlier = folderOf({ ...file, 'a.spa.srt': srt(1, dots) });
  for (const round of ['2.html', '3.html', '4.html']) {
    const page = path.join(temporaryFolder(), round);
    const { code, stderr } = await check(missing, '--against', earlier, '--report', page);
    expect(code).toBe(3);
    expect(stderr).toContain('"not delivered again: 1 file with errors: b.spa.srt (1 error)"');
    expect(readFileSync(page, 'utf8')).toContain('b.spa.srt</bdi>: 1 error and 1 warning<');
    earlier = page;
  }
  const last = folderOf({ 'a.spa.srt': srt(1, good), 'b.spa.srt': srt(1, tag, good, good) });
  const { stdout } = await check(last, '--against', earlier);
  expect(changesIn(stdout)['b.spa.srt']).toEqual(['b.spa.srt', 1, 1, 0]);
});

it('compares with the page of the last check', async () => {
  const page = path.join(temporaryFolder(), 'qc.html');
  await check(folderOf(first), '--report', page);
  expect(changesIn((await check(folderOf(second), '--against', page)).stdout)).toEqual(changes);
  const missing = [folderOf(second), '--expect', 'kor'];
  await check(...missing, '--report', page);
  const { missing: still } = changesIn((await check(...missing, '--against', page)).stdout);
  expect(still).toEqual(['missing', 0, 4, 0]);
});

it('refuses the JSON of an earlier check, which is no page', async () => {
  const file = temporaryFile('[{"file":"a.srt","findings":[]}]', 'last.json');
  const { code, stderr } = await check(folderOf(first), '--against', file);
  expect(code).toBe(2);
  expect(stderr).toContain('is no page that translation check --report wrote');
});

it('shows the vendor on the page what is fixed, still there and new', async () => {
  const page = path.join(temporaryFolder(), 'qc.html');
  await check(folderOf(second), '--against', folderOf(first), '--report', page);
  const sections = readFileSync(page, 'utf8').split('<section ');
  const sectionOf = (name: string) => sections.find((text) => text.includes(`${name}</bdi></h2>`));
  expect(sections[0]).toContain('3 fixed, 5 still there, 3 new, 0 gone with the cue');
  expect(sections[0]).toMatch(/harbor_ES\.vtt.*(?:<td class="number">[10]<\/td>){4}<\/tr>/);
  expect(sections[0]).toContain('mar translation diff OLD NEW');
  expect(sections.join()).not.toContain(tmpdir());
  expect(sectionOf('harbor.ita.srt')).toContain('Not in the earlier delivery');
  expect(sectionOf('harbor_ES.vtt')).toMatch(/1 fixed, 1 still there, 0 new.*harbor\.spa\.srt/s);
  expect(sectionOf('harbor_ES.vtt')).toMatch(/<li><b>fixed<\/b> 00:00:06,000 .*is not closed/s);
  expect(sectionOf('harbor.fra.srt')).toMatch(/<b>new<\/b> 00:00:11,000 more than one space/);
  const [, cues = ''] = sectionOf('harbor.fra.srt')?.split('<h3>Cues with problems') ?? [];
  const marked = cues.matchAll(/<li><b>([^<]*)<\/b> <span[^>]*>[^<]*<\/span> ([^<]*)/g);
  expect(Array.from(marked, ([, state, message]) => `${state}: ${message}`)).toEqual([
    'still there: &#60;i&#62; is not closed',
    expect.stringMatching(/^still there: /),
    expect.stringMatching(/^new: more than one space/),
  ]);
  expect(sectionOf('harbor.fra.srt')?.match(/<b>new/g)).toHaveLength(2);
  await check(folderOf(second), '--report', page);
  expect(readFileSync(page, 'utf8')).not.toContain('<b>');
});

const earlierData = deflateSync('["a.spa.srt",{"cues":1,"findings":[]}]').toString('base64');

it.each([
  ['a page of somebody else', 'a.html', '<!doctype html><p>Hello'],
  ['a page of an earlier version', 'a.html', `<data hidden value="${earlierData}">`],
  ['a page with damaged data', 'a.html', '<data hidden value="eJwDAAAAAAE=">'],
  ['another file', 'a.json', '[]'],
])('refuses %s', async (_, name, content) => {
  const [now, report] = [temporaryFile(srt(1, good), 'a.spa.srt'), temporaryFile(content, name)];
  const argv = ['translation', 'check', now, '--against', report];
  expect(await refused(argv)).toContain(report);
  expect(await refused([...argv, '--report', report])).toContain('--report');
  expect(readFileSync(report, 'utf8')).toBe(content);
});
