import path from 'node:path';
import { expect, it } from 'vitest';
import { mar, temporaryFile, temporaryFolder } from '../../../harness/mar.ts';
import { marWith, refused } from '../../../harness/marWith.ts';
import { recordingServer } from '../../../harness/recordingServer.ts';
import { recordService } from '../../../harness/recordService.ts';
import { entry, workRequest } from '../request.ts';

const before = workRequest([
  entry(1, '<i>a</i>'),
  entry(2, 'b'),
  entry(3, 'c'),
  entry(4, '<ruby>漢<rt>かん</rt></ruby>'),
]);

it.each(['srt', 'vtt', 'ttml'])('a work request and its %s have no differences', async (format) => {
  const file = path.join(temporaryFolder(), `a.${format}`);
  const { env } = await recordingServer(before);
  await mar(['translation', 'export', 'wr-1', '-O', file], { env });
  const run = await mar(['translation', 'diff', 'wr-1', file], { env });
  const stderr = '4 lines before, 4 after: no differences\n';
  expect(run).toEqual({ code: 0, stdout: '', stderr });
});

it('two work requests with the same lines have no differences', async () => {
  const { env, requests } = await recordingServer(before);
  const run = await mar(['translation', 'diff', 'wr-1', 'wr-2'], { env });
  expect(run).toMatchObject({ code: 0, stdout: '' });
  expect(requests).toHaveLength(2);
});

it('a file and a work request are compared line by line', async () => {
  const after = workRequest([
    entry(1, 'a'),
    entry(2, 'b', { stopTime: '00:00:05,500' }),
    entry(4, '<ruby>漢<rt>かん</rt></ruby>'),
    entry(5, 'new'),
  ]);
  const old = path.join(temporaryFolder(), 'old.srt');
  await marWith(before, ['translation', 'export', 'wr-1', '-O', old]);
  const { code, stdout } = await marWith(after, ['translation', 'diff', old, 'wr-2', '--json']);
  expect(code).toBe(0);
  const line = { number: 2, startTime: '00:00:04,000', stopTime: '00:00:05,000', text: 'b' };
  expect(JSON.parse(stdout)).toEqual([
    expect.objectContaining({ change: 're-worded', number: 1 }),
    { change: 're-timed', number: 2, before: line, after: { ...line, stopTime: '00:00:05,500' } },
    expect.objectContaining({ change: 'removed', number: 3 }),
    expect.objectContaining({ change: 'added', number: 5 }),
  ]);
});

const srt = (...cues: string[]) => temporaryFile(cues.join('\n\n'), 'a.srt');

it('a terminal shows only what differs', async () => {
  const second = '2\n00:00:03,000 --> 00:00:04,000\nNon';
  const a = srt('1\n00:00:01,000 --> 00:00:02,000\nOui.', `${second} 1.50\n`);
  const b = srt('1\n00:00:01,100 --> 00:00:02,000\nOui.', `${second} !\n`);
  const { stdout, stderr } = await mar(['translation', 'diff', a, b], { columns: 90 });
  expect(stdout).toMatch(/re-timed +1 +00:00:01,000–00:00:02,000 +00:00:01,100–00:00:02,000\n/);
  expect(stdout).toMatch(/re-worded +2 +Non 1\.50 +Non !\n/);
  expect(stderr).toContain('1 re-timed; 1 re-worded');
});

it('a narrow terminal still shows the words of a removed line', async () => {
  const gone = '1\n00:00:01,000 --> 00:00:02,000\nBonjour, Ana.';
  const a = srt(gone, '2\n00:00:05,000 --> 00:00:06,000\nNon.\n');
  const b = srt('2\n00:00:05,100 --> 00:00:06,000\nJamais, Ana.\n');
  const { stdout } = await mar(['translation', 'diff', a, b], { columns: 60 });
  expect(stdout).toContain('Bonjour, Ana.');
});

it('standard input can be only one of the two sources', async () => {
  expect(await refused(['translation', 'diff', '-', '-'])).toContain('(-)');
});

it('says of a folder to name a file in it, and of an unknown name that it is no file', async () => {
  const folder = temporaryFolder();
  expect(await refused(['translation', 'diff', folder, folder])).toContain('Name a file in it.');
  const { env } = await recordService({});
  for (const command of ['diff', 'check']) {
    const { code, stderr } = await mar(['translation', command, 'd1', 'd1'], { env });
    expect(code).toBe(5);
    expect(stderr).toMatch(/work request d1 not found.*No file or folder has this name\./s);
  }
});

it('diff and compare warn that a frame rate is assumed', async () => {
  const paragraph = '<p begin="00:00:01:10" end="00:00:03:00">a</p>';
  const content = `<tt xmlns="http://www.w3.org/ns/ttml"><body><div>${paragraph}</div></body></tt>`;
  const [file, other] = [
    temporaryFile(content, 'a.fra.ttml'),
    temporaryFile(content, 'b.deu.ttml'),
  ];
  for (const command of ['diff', 'compare']) {
    const { stderr } = await mar(['translation', command, file, other]);
    expect(stderr).toContain('a.fra.ttml: times count frames, but there is no ttp:frameRate');
  }
});

it('finds a reworded line among lines that moved', async () => {
  const cue = (second: number, text: string) =>
    `${second}\n00:00:${second},000 --> 00:00:${second + 1},000\n${text}\n`;
  const old = temporaryFile([cue(10, 'a'), cue(20, 'b'), cue(30, 'c')].join('\n'), 'old.srt');
  const now = temporaryFile([cue(15, 'a'), cue(25, 'B'), cue(35, 'c')].join('\n'), 'now.srt');
  const { stdout } = await mar(['translation', 'diff', old, now, '--jq', '.change']);
  expect(stdout.split('\n')[1]).toBe('re-timed, re-worded');
});
