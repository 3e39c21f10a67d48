import { describe, expect, it } from 'vitest';
import { mar, temporaryFile } from '../../../harness/mar.ts';
import { refused } from '../../../harness/marWith.ts';
import { workRequestService } from '../../../harness/recordService.ts';
import { subtitleWords } from '../../../words/subtitles.ts';
import { entry, workRequest } from '../request.ts';

interface Compared {
  lines: readonly object[];
  language?: string;
}

/** Work requests wr-1, wr-2 and so on, in these languages. */
async function compare(requests: readonly Compared[], argv: string[] = [], columns?: number) {
  const ids = requests.map((_, at) => `wr-${at + 1}`);
  const records = requests.map(({ lines, language = 'fra' }, at) => {
    const translation = { _id: 't-1', language, lines };
    return [ids[at], workRequest([], { _id: ids[at], translation })];
  });
  const { env } = await workRequestService(Object.fromEntries(records));
  return mar(['translation', 'compare', ...ids, ...argv], { env, columns });
}

const english = [
  entry(1, 'Good evening, harbour.'),
  entry(2, '<i>Who is calling us?</i>'),
  entry(3, 'Elisabeth!'),
  entry(4, 'OK, 1951.'),
];
const french = [
  entry(1, 'Bonsoir, le port.'),
  entry(2, 'Qui nous appelle ?'),
  entry(3, 'Elisabeth !'),
  entry(4, 'OK, 1951.'),
];

describe('comparing the languages of an asset', () => {
  const eng = { lines: english, language: 'eng' };

  it('exits with 0 if every cue is there and translated; names and numbers may be the same', async () => {
    expect(await compare([eng, { lines: french }])).toEqual({
      code: 0,
      stdout: 'wr-1\teng\t4\t\t\t\nwr-2\tfra\t4\t0\t0\t0\n',
      stderr: expect.stringMatching(/^wr-2: .* 4 cues .*wr-1\n$/),
    });
  });

  it('counts missing, extra and untranslated cues, and exits with 3', async () => {
    const changed = [
      entry(1, 'Bonsoir, le port.', { startTime: '00:00:02,250' }),
      entry(2, 'WHO IS   calling us'),
      entry(9, 'De trop.'),
      entry(4, 'OK, 1951.', { startTime: '00:00:07,900' }),
    ];
    const { code, stdout, stderr } = await compare(
      [eng, { lines: changed }, { lines: french }],
      ['--json'],
    );
    expect(code).toBe(3);
    const [reference, wrong, good] = JSON.parse(stdout);
    const facts = { language: 'eng', cues: 4 };
    expect(reference).toEqual({ source: 'wr-1', isReference: true, ...facts });
    expect(wrong).toMatchObject({ cues: 4, matched: 3, missing: 1, extra: 1, untranslated: 1 });
    const times = { startTime: '00:00:04,000', stopTime: '00:00:05,000' };
    expect(wrong.problems).toEqual([
      { problem: 'untranslated', cue: 2, ...times, text: 'WHO IS calling us' },
      expect.objectContaining({ problem: 'missing', cue: 3, text: 'Elisabeth!' }),
      expect.objectContaining({ problem: 'extra', cue: 9 }),
    ]);
    expect(good).toMatchObject({ missing: 0, extra: 0, untranslated: 0, problems: [] });
    const message = expect.stringMatching(/^wr-2: 1 .* 1 .* 4 cues .*wr-1$/);
    expect(JSON.parse(stderr).error).toMatchObject({ kind: 'check', exitCode: 3, message });
  });

  it('shows all columns in 80 columns, and lists the cues with --details', async () => {
    const requests = [eng, { lines: french.slice(1) }];
    const table = await compare(requests, ['--no-color'], 80);
    expect(table.stdout).toMatch(/^SOURCE +LANG\w* +CUES +MISSING +EXTRA +UNTRANSLATED\n/);
    expect(table.stdout).toMatch(/wr-2 +fra +3 +1 +0 +0\n$/);
    expect(table.stderr).toContain('--details');
    const { code, stdout } = await compare(requests, ['--details']);
    expect(code).toBe(3);
    expect(stdout).toBe('wr-2\tfra\tmissing\t1\t00:00:02,000\tGood evening, harbour.\n');
    const csv = await compare(requests, ['--details', '-o', 'csv']);
    expect(csv.stdout).toMatch(
      /^source,language,problem,cue,startTime,text\r\nwr-2,fra,missing,1,/,
    );
  });

  it('a sentence may be split into several cues, and several may be joined', async () => {
    const joined = [entry(1, 'Good evening to you.', { stopTime: '00:00:05,000' })];
    const compared = async (first: readonly object[], second: readonly object[]) =>
      JSON.parse(
        (await compare([{ ...eng, lines: first }, { lines: second }], ['--json'])).stdout,
      )[1];
    const none = { missing: 0, extra: 0 };
    expect(await compared(english.slice(0, 2), joined)).toMatchObject({ ...none, matched: 2 });
    expect(await compared(joined, french.slice(0, 2))).toMatchObject({ ...none, matched: 1 });
  });

  it('untranslated cues are not counted in one language, and found in scripts without spaces', async () => {
    const same = await compare([{ lines: french }, { lines: french, language: 'fr-CA' }]);
    expect(same.code).toBe(0);
    expect(same.stderr).toContain(subtitleWords.sameLanguage('fr-CA'));
    const japanese = { lines: [entry(1, '一晩も欠かさずに'), entry(2, '灯だ')], language: 'jpn' };
    const { stdout } = await compare([japanese, { ...japanese, language: 'zho' }]);
    expect(stdout).toContain('wr-2\tzho\t2\t0\t0\t1\n');
  });

  it('warns about cues that cannot be compared, and misses those that are shifted', async () => {
    const late = french.map((line, at) => ({
      ...line,
      startTime: `01:00:0${2 * at},000`,
      stopTime: `01:00:0${2 * at + 1},000`,
    }));
    const broken = [...french.slice(0, 3), entry(4, '')];
    const requests = [eng, { lines: late }, { lines: broken }];
    const { stdout, stderr } = await compare(requests);
    expect(stdout).toContain('wr-2\tfra\t4\t4\t4\t');
    expect(stderr).toMatch(/warning: wr-3: .* 1 cue$/m);
    expect(stdout).toContain('wr-3\tfra\t4\t1\t');
  });

  it('warns once about cues of the first translation that cannot be compared', async () => {
    const broken = [...english.slice(0, 3), entry(4, 'Too late.', { stopTime: '00:00:00,000' })];
    const { stderr } = await compare([{ ...eng, lines: broken }, { lines: french }, eng]);
    expect(stderr.match(/^warning: wr-1: .* 1 cue$/gm)).toHaveLength(1);
  });

  it('compares files by the language in their names, and needs two', async () => {
    const file = (name: string, text: string) =>
      temporaryFile(`WEBVTT\n\n00:01.000 --> 00:03.000\n${text}\n`, name);
    const first = file('film.eng.vtt', 'Good <i>evening</i>, harbour.');
    const second = file('film.fra.vtt', 'Good evening, harbour!');
    const { code, stdout } = await mar(['translation', 'compare', first, second, '--details']);
    expect(code).toBe(3);
    expect(stdout).toBe(`${second}\tfr\tuntranslated\t1\t00:00:01.000\tGood evening, harbour!\n`);
    const alone = await refused(['translation', 'compare', first, first]);
    expect(alone).toContain(subtitleWords.needsTwo);
  });

  it('compares the others if one cannot be read, but not without the first', async () => {
    const record = (lines: readonly object[], language: string) =>
      workRequest([], { translation: { language, lines } });
    const { env } = await workRequestService({
      'wr-1': record(english, 'eng'),
      'wr-2': record(french, 'fra'),
    });
    const run = (...ids: string[]) => mar(['translation', 'compare', ...ids], { env });
    const { code, stdout, stderr } = await run('wr-1', 'wr-9', 'wr-2');
    expect([code, stdout]).toEqual([5, expect.stringContaining('wr-2\tfra\t4\t0')]);
    expect(stderr).toContain('wr-9');
    expect(await run('wr-9', 'wr-1', 'wr-2')).toMatchObject({ code: 5, stdout: '' });
  });
});
