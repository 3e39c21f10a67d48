import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { printJson } from '../../../../src/core/json/value.ts';
import { demoSeed } from '../../../../src/modules/sandbox/seed/demoData.ts';
import { mar, temporaryFile, temporaryFolder } from '../../../harness/mar.ts';
import { recordService } from '../../../harness/recordService.ts';
import { zipOf } from '../../../harness/zip.ts';
import { subtitleWords } from '../../../words/subtitles.ts';

const srt = (...texts: readonly string[]) =>
  texts
    .map((text, at) => {
      const time = (second: number) => `00:00:${String(at * 5 + second).padStart(2, '0')},000`;
      return `${at + 1}\n${time(1)} --> ${time(5)}\n${text}\n`;
    })
    .join('\n');

const spanish = srt(
  '¿Lo de siempre, doña Carmen?',
  'Lo de siempre ya no existe.',
  '- ¡Apágalo!\n- No puedo, ya es tarde.',
  'Aquí vienen los que se despiden.',
  'Y cada noche cierro la panadería.',
  'Nadie sabe cuánto tiempo nos queda.',
  'Mañana volveremos a abrir la puerta.',
);
const japanese = srt(
  '灯台の灯を守り続けた長い年月だった',
  '今夜も船は港に戻って来ないのか',
  '待つ',
);
const german = srt('Er hat das Feuer gehütet.', 'Niemand weiß, wie lange noch.', 'Bis morgen.');

const check = (...argv: readonly string[]) => mar(['translation', 'check', ...argv, '--fps', '24']);
const fix = (...argv: readonly string[]) => mar(['translation', 'fix', ...argv, '--fps', '24']);
const rulesIn = (stdout: string) =>
  JSON.parse(stdout).map(({ severity, rule }: Record<string, string>) => `${severity} ${rule}`);

describe('the language of a file', () => {
  it('is found in a name as vendors write it', async () => {
    const named = await check(temporaryFile(japanese, 'harbor.jpn.srt'), '--json');
    const { stdout } = await check(temporaryFile(japanese, 'HARBOR_JA_v3.srt'), '--json');
    expect(rulesIn(stdout)).toEqual(rulesIn(named.stdout));
    expect(rulesIn(stdout)).toContain('error line-length');
  });

  it('is a warning if nothing says it, until --language does', async () => {
    const file = temporaryFile(german, 'HARBOR_v3.srt');
    const { code, stdout } = await check(file);
    expect(code).toBe(0);
    expect(stdout).toContain('warning\tlanguage\t');
    expect((await check(file, '--language', 'de')).stdout).toBe('');
  });

  it.each([
    ['the name', 'harbor.deu.srt', spanish],
    ['the header', 'harbor.spa.vtt', `WEBVTT\nLanguage: en\n\n${spanish.replaceAll(',', '.')}`],
  ])('is an error if %s contradicts the rest, and fix waits', async (where, name, content) => {
    const file = temporaryFile(content, name);
    const { code, stdout } = await check(file);
    expect(code).toBe(3);
    expect(stdout).toMatch(new RegExp(`^1\t\t\terror\tlanguage\t.*${where} .*Spanish`));
    const fixed = await fix(file, '--in-place');
    expect([fixed.code, fixed.stderr]).toEqual([3, expect.stringContaining('--language')]);
    expect(readFileSync(file, 'utf8')).toBe(content);
    expect((await check(file, '--language', 'es')).code).toBe(0);
  });

  it('is that of the file, the name and the text, whichever region or script they name', async () => {
    expect((await check(temporaryFile(spanish, 'harbor_LAS_v2.srt'))).code).toBe(0);
    expect((await check(temporaryFile(spanish, 'harbor.es-ES.srt'))).code).toBe(0);
  });
});

it('a file without subtitles is reported in whole sentences', async () => {
  const files = ['a.srt', 'b.srt'].map((name) => temporaryFile('x', name));
  const { stderr } = await check(...files);
  expect(stderr).toContain('a.srt: is neither');
  expect(stderr).not.toContain('..');
});

describe('the encoding of a file', () => {
  it.each([[['a.srt', 'b.srt']], [['.']]])(
    'is refused before %j is read if unknown',
    async (names) => {
      const folder = temporaryFolder();
      writeFileSync(path.join(folder, 'a.srt'), spanish);
      const files = names.map((name) => path.join(folder, name));
      const { code, stdout, stderr } = await check(...files, '--encoding', 'nonsense');
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('nonsense');
    },
  );

  it('is its own; --encoding is for files that do not say', async () => {
    const old = temporaryFile(Buffer.from(german, 'latin1'), 'harbor.deu.srt');
    const utf8 = temporaryFile(spanish, 'harbor.spa.srt');
    const { code, stdout } = await check(old, utf8, '--encoding', 'windows-1252', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { encoding: 'windows-1252', encodingFrom: '--encoding', languageFrom: 'name' },
      { encoding: 'utf-8', encodingFrom: null, frameRate: '24', format: 'SRT' },
    ]);
    await fix(utf8, '--in-place', '--encoding', 'windows-1252');
    expect(readFileSync(utf8, 'utf8')).toBe(spanish);
  });

  it('has quotes and dashes of Windows-1252 where Latin-1 has control characters', async () => {
    const text = Buffer.from('1\n00:00:01,000 --> 00:00:04,000\nIl n\x92y a\n', 'latin1');
    const file = temporaryFile(text, 'a.fra.srt');
    const { code, stdout } = await check(file, '--encoding', 'windows-1252');
    expect([code, stdout]).toEqual([0, '']);
    await fix(file, '--in-place', '--encoding', 'windows-1252');
    expect(readFileSync(file, 'utf8')).toContain('Il n’y a\n');
  });

  it('is the declared one in XML that is not UTF-8', async () => {
    const ttml = `<?xml version="1.0" encoding="ISO-8859-1"?><tt xmlns="http://www.w3.org/ns/ttml" xml:lang="de"><body><div><p begin="1s" end="3s">Gehütet.</p></div></body></tt>`;
    const file = temporaryFile(Buffer.from(ttml, 'latin1'), 'a.ttml');
    const { stdout } = await mar(['translation', 'diff', file, file, '--encoding', 'big5']);
    expect(stdout).toBe('');
    expect((await check(file, '--encoding', 'big5')).stderr).toContain('windows-1252,');
  });

  it('becomes UTF-8 when it is fixed, even if nothing else changes', async () => {
    const old = temporaryFile(Buffer.from(german, 'latin1'), 'harbor.deu.srt');
    const { stderr } = await fix(old, '--in-place', '--encoding', 'windows-1252');
    expect(stderr).toMatch(/UTF-8.*windows-1252/);
    expect(readFileSync(old, 'utf8')).toBe(german);
  });

  it('stays if the header and the name have different languages', async () => {
    const vtt = 'WEBVTT\nLanguage: de\n\n00:01.000 --> 00:04.000\nGehütet.\n';
    const bytes = Buffer.from(vtt, 'latin1');
    const file = temporaryFile(bytes, 'harbor.fra.vtt');
    const { stderr } = await fix(file, '--in-place', '--encoding', 'windows-1252');
    expect(stderr).toContain('not changed');
    expect(stderr).not.toContain('written as');
    expect(readFileSync(file)).toEqual(bytes);
  });
});

/** Twelve files in three formats, from the demo data, with five defects. */
async function delivery() {
  const records = [...demoSeed(0, 0)].map(({ id, record }) => [
    `/workrequests/${id}`,
    printJson(record),
  ]);
  const { env } = await recordService(Object.fromEntries(records));
  const files: Record<string, string | Buffer> = {};
  const languages = { fra: 'wr-2001', deu: 'wr-2002', spa: 'wr-2004', jpn: 'wr-2003' };
  for (const [language, id] of Object.entries(languages)) {
    for (const format of ['srt', 'vtt', 'ttml']) {
      const argv = ['translation', 'export', id, '--format', format];
      files[`harbor.${language}.${format}`] = (await mar(argv, { env })).stdout;
    }
  }
  const change = (name: string, edit: (text: string) => string | Buffer) => {
    files[name] = edit(String(files[name]));
  };
  change('harbor.deu.srt', (text) => Buffer.from(text, 'latin1'));
  change('harbor.spa.ttml', (text) => text.replace('xml:lang="es"', 'xml:lang="en"'));
  change('harbor.fra.vtt', () => String(files['harbor.deu.vtt']));
  change('harbor.jpn.srt', (text) => text.replace(/(?<=00:00:0[36].*--> 00:00:)\d\d/g, '15'));
  return { files, env, folder: folderOf(files) };
}

function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = path.join(temporaryFolder(), 'delivery');
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files))
    writeFileSync(path.join(folder, name), content);
  return folder;
}

/** The files of a delivery with these names, each with the content of another of its files. */
const named = (
  files: Readonly<Record<string, string | Buffer>>,
  contents: Readonly<Record<string, string>>,
) =>
  folderOf(
    Object.fromEntries(Object.entries(contents).map(([name, from]) => [name, files[from] ?? ''])),
  );

describe('a delivery', () => {
  // The demo data is too fast for Japanese.
  const limit = ['--max-cps', '30'];
  type FileRecord = Record<string, unknown> & { findings: Record<string, string>[] };
  const errorsIn = (stdout: string) =>
    Object.fromEntries(
      (JSON.parse(stdout) as FileRecord[])
        .map((file): [string, string[]] => [
          path.basename(String(file.source)),
          file.findings
            .filter(({ severity }) => severity === 'error')
            .map(({ rule, message }) => `${rule}: ${message}`),
        ])
        .filter(([, errors]) => errors.length > 0),
    );

  const expected = ['--expect', 'fra,deu,spa,jpn,heb'];

  it('is judged as a whole: each defect is named, and nothing else', async () => {
    const { folder } = await delivery();
    const { code, stdout } = await check(folder, ...expected, ...limit, '--json');
    expect(code).toBe(3);
    expect(errorsIn(stdout)).toEqual({
      missing: [expect.stringContaining('Hebrew')],
      'harbor.deu.srt': [expect.stringMatching(/^file: .*UTF-8\. Save it as UTF-8\.$/)],
      'harbor.spa.ttml': [expect.stringMatching(/^language: .*header.*en.*Spanish/)],
      'harbor.fra.vtt': [expect.stringMatching(/^language: .*name.*fr.*German/)],
    });
    const counts = (JSON.parse(stdout) as FileRecord[])
      .filter(({ errors }) => errors !== 0)
      .map(({ source, errors, cues }) => `${path.basename(String(source))} ${errors}/${cues}`);
    expect(counts).toEqual([
      ...['harbor.jpn.srt 3/10', 'harbor.spa.ttml 1/10', 'harbor.deu.srt 1/0'],
      ...['harbor.fra.vtt 1/10', 'missing 1/0'],
    ]);
    const overlaps = await check(path.join(folder, 'harbor.jpn.srt'), ...limit, '--json');
    expect(rulesIn(overlaps.stdout)).toContain('error overlap');
    expect((await check(folder, '--details')).stdout).toContain('harbor.spa.ttml\t');
  });

  it('fits on a screen, the worst files first', async () => {
    const { folder } = await delivery();
    const argv = [folder, ...expected, '--encoding', 'windows-1252', '--no-pager'];
    const { stdout, stderr } = await mar(['translation', 'check', ...argv], { columns: 80 });
    const rows = `${stdout}${stderr}`.trimEnd().split('\n');
    expect(rows.length).toBeLessThanOrEqual(24);
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(200);
    expect(rows[1]).toContain('harbor.jpn.srt');
    expect(stdout).toMatch(/harbor\.deu\.srt .*windows-1252 \(--encoding\)/);
    expect(stderr).toMatch(/missing: .*Hebrew/);
  });

  it('is read from an archive, too, with nothing written to disk', async () => {
    const { folder, files } = await delivery();
    const zip = path.join(temporaryFolder(), 'delivery.zip');
    const more = { '__MACOSX/._harbor.fra.srt': 'x', 'readme.txt': 'Hello', 'a/.DS_Store': 'x' };
    writeFileSync(zip, zipOf({ ...files, ...more }));
    const fromFolder = await check(folder, '--json');
    const { stdout, stderr } = await check(zip, '--json');
    expect(errorsIn(stdout)).toEqual(
      JSON.parse(JSON.stringify(errorsIn(fromFolder.stdout)).replaceAll(folder, zip)),
    );
    expect(stderr).toContain('readme.txt');
    expect(stderr).not.toContain('DS_Store');
  });

  it.each([
    ['no archive', Buffer.from('PK no zip')],
    ['an archive without subtitles', zipOf({ 'a.txt': 'x' })],
    ['an archive that leads out of its folder', zipOf({ '../a.fra.srt': spanish })],
  ])('is refused if it is %s', async (_, content) => {
    expect((await check(temporaryFile(content, 'a.zip'))).code).toBe(2);
  });

  it('has an error for each name that is twice in an archive, and for damaged content', async () => {
    const good = { 'a.spa.srt': spanish, 'b.spa.srt': german, 'c.spa.srt': spanish };
    const texts = zipOf(good).toString('latin1');
    const checksum = (content: string) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32LE(crc32(content));
      return bytes.toString('latin1');
    };
    const twice = texts.replaceAll('b.spa.srt', 'a.spa.srt');
    const damaged = texts.replaceAll(checksum(german), checksum('other'));
    const errors = async (zip: string) => {
      const file = temporaryFile(Buffer.from(zip, 'latin1'), 'a.zip');
      const { code, stdout } = await check(file, '--json');
      expect(code).toBe(3);
      return errorsIn(stdout);
    };
    const found = await errors(twice);
    expect(found['a.spa.srt']).toEqual([expect.stringMatching(/^file: .*twice/)]);
    expect(found).not.toHaveProperty('c.spa.srt');
    const { 'b.spa.srt': checksumError } = await errors(damaged);
    expect(checksumError).toEqual([expect.stringMatching(/^file: .*damaged.*checksum/)]);
  });

  it('is compared with a list in a file', async () => {
    const { folder } = await delivery();
    const rows = 'id;language;"notes; for us"\n1;"fra";"a; ""b""\n2"\n2;deu;\n"3";spa-419;\n';
    const orders = [['Title', 'Language'], ...['fra', 'deu', 'spa-419'].map((one) => ['A', one])];
    const book = await writeXlsx({ sheets: [{ name: 'Orders', rows: orders }] });
    const lists = { 'order.csv': rows, 'order.xlsx': Buffer.from(book) };
    for (const [name, content] of Object.entries(lists)) {
      const list = temporaryFile(content, name);
      const { stdout } = await check(folder, '--expect', list, ...limit, '--json');
      const { 'harbor.jpn.ttml': notExpected } = errorsIn(stdout);
      expect(notExpected).toEqual([expect.stringMatching(/^delivery: .*Japanese \(ja\)/)]);
    }
    for (const word of ['xx', 'no-such-order.csv']) {
      expect((await check(folder, '--expect', word)).stderr).toContain(`"${word}"`);
    }
  });

  it('is compared with work requests, each language once', async () => {
    const { folder, files, env } = await delivery();
    const errors = async (where: string, ids: string) => {
      const argv = ['translation', 'check', where, '--expect', ids, '--json'];
      return errorsIn((await mar(argv, { env })).stdout);
    };
    const { missing } = await errors(folder, 'wr-2001,wr-2006');
    expect(missing).toEqual([expect.stringContaining('wr-2006')]);
    const names = ['harbor.spa.srt', 'HARBOR_ES_v2.srt', 'HARBOR_ES_forced.srt'];
    const twice = named(files, Object.fromEntries(names.map((name) => [name, 'harbor.spa.srt'])));
    expect(Object.keys(await errors(twice, 'spa'))).toHaveLength(1);
    const unreadable = named(files, { 'harbor.deu.srt': 'harbor.deu.srt' });
    expect(Object.keys(await errors(unreadable, 'deu'))).toEqual(['harbor.deu.srt']);
    const other = named(files, { 'wr-2002.spa.srt': 'harbor.spa.srt' });
    expect(JSON.stringify(await errors(other, 'wr-2002'))).toMatch(/name .*es.*request .*deu/);
  });

  it('with several titles needs each language of each title, and takes names of languages', async () => {
    const { files } = await delivery();
    const [fra, deu] = ['harbor.fra.srt', 'harbor.deu.ttml'];
    const two = { 'ep01.fra.srt': fra, 'ep02.fra.srt': fra, 'ep01.deu.ttml': deu };
    const all = { ...two, 'ep02_DE_v2.ttml': deu };
    const languages = temporaryFile('French\nGerman\n', 'languages.txt');
    expect((await check(named(files, all), '--expect', languages, '--json')).code).toBe(0);
    const half = named(files, { ...all, 'ep01.spa.srt': 'harbor.spa.srt' });
    const { stdout } = await check(half, '--expect', 'fra,deu,spa', '--json');
    expect(errorsIn(stdout)).toEqual({ missing: [expect.stringMatching(/ep02: .*\(spa\)$/)] });
    const french = named(files, { ...two, 'notes v2.srt': fra });
    const incomplete = await check(french, '--expect', 'fra,deu', '--json');
    expect(incomplete.code).toBe(3);
    expect(errorsIn(incomplete.stdout).missing).toEqual([
      expect.stringMatching(/ep02: .*\(deu\)$/),
    ]);
  });

  it('takes the name of the folder for the title where files are named by language', async () => {
    const { files } = await delivery();
    const folder = temporaryFolder();
    const put = (name: string) => {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), files[`harbor.${path.basename(name)}`] ?? '');
    };
    for (const name of ['ep01/fra.srt', 'ep01/deu.ttml', 'ep02/fra.srt']) put(name);
    const half = await check(folder, '--expect', 'fra,deu', '--json');
    expect(errorsIn(half.stdout)).toEqual({ missing: [expect.stringMatching(/ep02: .*\(deu\)$/)] });
    put('ep02/deu.ttml');
    expect((await check(folder, '--expect', 'fra,deu', '--json')).code).toBe(0);
  });

  it('takes a code that is also a word for a language if it is expected, or if others differ in it', async () => {
    const { files } = await delivery();
    const [fra, deu] = ['harbor.fra.srt', 'harbor.deu.ttml'];
    const folder = named(files, {
      'HARBOR_TRL_A_FRA.srt': fra,
      'HARBOR_TRL_A_TUR.srt': fra,
      'HARBOR_TRL_A_DAN.ttml': deu,
    });
    const languagesIn = async (...argv: readonly string[]) =>
      JSON.parse((await check(...argv, '--json')).stdout).map((file: Record<string, string>) =>
        [path.basename(String(file.source)), file.language].join(' '),
      );
    const beside = await languagesIn(folder);
    expect(beside).toContain('HARBOR_TRL_A_TUR.srt tr');
    const alone = named(files, { 'HARBOR_TRL_TUR.srt': fra });
    expect(await languagesIn(alone)).toEqual(['HARBOR_TRL_TUR.srt ']);
    expect(await languagesIn(alone, '--expect', 'tur')).toEqual(['HARBOR_TRL_TUR.srt tr']);
    const spain = named(files, { 'HARBOR_TRL_ESP.srt': fra });
    expect(await languagesIn(spain, '--expect', 'fra')).toContain('HARBOR_TRL_ESP.srt ');
    expect(await languagesIn(spain, '--expect', 'spa')).toEqual(['HARBOR_TRL_ESP.srt es']);
    const sameTitle = named(files, { 'HARBOR_TRL_ESP.srt': fra, 'HARBOR_TRL_FRA.srt': fra });
    expect(await languagesIn(sameTitle)).toContain('HARBOR_TRL_ESP.srt ');
    const { stdout } = await check(folder, '--expect', 'fra,tur,dan', '--json');
    expect(Object.keys(errorsIn(stdout))).not.toContain('missing');
  });

  it('has one report, with a table of files at its top, the worst first', async () => {
    const { folder } = await delivery();
    const report = path.join(temporaryFolder(), 'qc.html');
    await check(folder, ...expected, '--report', report);
    const [table = '', ...sections] = readFileSync(report, 'utf8').split('<section ');
    const links = [...table.matchAll(/href="#s(\d+)"><bdi>([^<]*)/g)].map(([, , name]) => name);
    expect(links).toHaveLength(13);
    expect(links[0]).toContain('harbor.jpn.srt');
    expect(sections.map((text) => /<bdi>([^<]*)/.exec(text)?.[1])).toEqual(links);
    const copy = sections.find((text) => text.includes('harbor.fra.vtt</bdi>'));
    expect(copy).toContain('1 error and 1 warning</p>');
  });

  it.each([
    ['a file that is shifted', (ms: number) => ms + 3_600_000, subtitleWords.movedTimes('3600 s')],
    ['a file for another frame rate', (ms: number) => (ms * 24) / 25, '25 frames'],
  ])('names %s', async (_, move, message) => {
    const { files } = await delivery();
    const time = (ms: number) => new Date(Math.round(ms)).toISOString().slice(11, 23);
    const edited = (name: string) =>
      String(files[name]).replaceAll(/(?<=^| )[\d:]{8},\d{3}/gm, (written) => {
        const ms = Date.parse(`1970-01-01T${written.replace(',', '.')}Z`) * 20;
        return time(name === 'harbor.spa.srt' ? move(ms) : ms).replace('.', ',');
      });
    const names = ['harbor.fra.srt', 'harbor.spa.srt', 'harbor.jpn.srt'];
    const moved = folderOf(Object.fromEntries(names.map((name) => [name, edited(name)])));
    const { stdout } = await check(moved, '--json', '--preset', 'none');
    expect(errorsIn(stdout)['harbor.spa.srt']).toEqual([expect.stringContaining(message)]);
  });

  it('does not take many cues at one time for the same times', async () => {
    const cues = (...starts: readonly number[]) =>
      starts
        .map((ms, at) => {
          const time = (one: number) => new Date(one).toISOString().slice(11, 23).replace('.', ',');
          return `${at + 1}\n${time(ms)} --> ${time(ms + 50)}\nWord ${at}\n`;
        })
        .join('\n');
    const dense = cues(0, 60, 120, 180, 240, 900_000, 960_000);
    const folder = folderOf({
      'harbor.deu.srt': cues(0, 10_000, 20_000, 30_000, 40_000),
      'harbor.fra.srt': dense,
      'harbor.spa.srt': dense,
    });
    const { stdout } = await check(folder, '--json', '--preset', 'none');
    expect(stdout).toContain(subtitleWords.otherTimes);
    expect(stdout).not.toContain(subtitleWords.movedTimes(''));
  });

  it('is fixed into another folder; only what a person must decide is left', async () => {
    const { folder } = await delivery();
    const fixed = path.join(temporaryFolder(), 'fixed');
    const argv = [folder, '-O', fixed, '--encoding', 'windows-1252', ...limit];
    const { code, stdout, stderr } = await fix(...argv);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^--- .*harbor\.jpn\.srt$/m);
    expect(stderr).toMatch(/harbor\.fra\.vtt: .* German/);
    expect(stderr).toMatch(/harbor\.spa\.ttml: .*header.*English[\s\S]*--language CODE/);
    expect(readdirSync(fixed)).toHaveLength(12);
    expect(statSync(fixed).mode & 0o777).toBe(0o777 & ~process.umask());
    const left = errorsIn((await check(fixed, ...limit, '--json')).stdout);
    expect(Object.keys(left).sort()).toEqual(['harbor.fra.vtt', 'harbor.spa.ttml']);
    const again = await fix(folder, '-O', fixed);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('--overwrite')]);
  });

  it('is not fixed in place behind a link out of its folder', async () => {
    const outside = temporaryFile(japanese.replace('待つ', '待つ...'), 'outside.jpn.srt');
    const folder = folderOf({ 'a.jpn.srt': japanese.replace('待つ', '待つ...') });
    const [link, inside] = ['b.jpn.srt', 'c.jpn.srt'].map((name) => path.join(folder, name));
    symlinkSync(outside, link ?? '');
    symlinkSync('a.jpn.srt', inside ?? '');
    const { code, stdout, stderr } = await fix(folder, '--in-place', ...limit);
    expect([code, stderr]).toEqual([3, expect.stringContaining(`${link} is a link`)]);
    expect(stdout + stderr).not.toMatch(/b\.jpn\.srt(?:\n|: fixed)/);
    expect(stderr).not.toContain(`${inside} is a link`);
    expect(readFileSync(outside, 'utf8')).toContain('...');
    expect(existsSync(`${link}.orig`)).toBe(false);
    expect(readFileSync(inside ?? '', 'utf8')).toContain('…');
  });

  it('is fixed in place, with each original beside its file', async () => {
    const { folder, files } = await delivery();
    await fix(folder, '--in-place', ...limit);
    const name = path.join(folder, 'harbor.jpn.srt');
    expect(readFileSync(`${name}.orig`, 'utf8')).toBe(files['harbor.jpn.srt']);
    expect(readFileSync(name, 'utf8')).not.toBe(files['harbor.jpn.srt']);
    expect(existsSync(path.join(folder, 'harbor.fra.vtt.orig'))).toBe(false);
    expect((await check(folder, '--json')).stdout).not.toContain('.orig');
    expect((await fix(folder, '-O', '-')).code).toBe(2);
  });
});
