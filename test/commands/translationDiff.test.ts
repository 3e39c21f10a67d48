import path from 'node:path';
import { expect, it } from 'vitest';
import { mar, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { marWith, refused } from '../harness/marWith.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { entry, workRequest } from '../subtitles/request.ts';

const before = workRequest([
  entry(1, '<i>a</i>'),
  entry(2, 'b'),
  entry(3, 'c'),
  entry(4, '<ruby>漢<rt>かん</rt></ruby>'),
]);

it('a work request and its own export have no differences', async () => {
  for (const format of ['srt', 'vtt']) {
    const file = path.join(temporaryFolder(), `a.${format}`);
    const { env } = await recordingServer(before);
    await mar(['translation', 'export', 'wr-1', '-O', file], { env });
    expect(await mar(['translation', 'diff', 'wr-1', file], { env })).toEqual({
      code: 0,
      stdout: '',
      stderr: '4 lines before, 4 after: no differences\n',
    });
  }
});

it('two work requests with the same lines have no differences', async () => {
  const { env, requests } = await recordingServer(before);
  const { stderr } = await mar(['translation', 'diff', 'wr-1', 'wr-2'], { env });
  expect(stderr).toContain('no differences');
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
  const { env: oldEnv } = await recordingServer(before);
  await mar(['translation', 'export', 'wr-1', '-O', old], { env: oldEnv });
  const { code, stdout } = await marWith(after, ['translation', 'diff', old, 'wr-2', '--json']);
  expect(code).toBe(0);
  const changes = JSON.parse(stdout) as { change: string; number: number }[];
  expect(changes.map(({ change, number }) => `${number} ${change}`)).toEqual([
    '1 re-worded',
    '2 re-timed',
    '3 removed',
    '5 added',
  ]);
  expect(changes[1]).toEqual({
    change: 're-timed',
    number: 2,
    before: { number: 2, startTime: '00:00:04,000', stopTime: '00:00:05,000', text: 'b' },
    after: { number: 2, startTime: '00:00:04,000', stopTime: '00:00:05,500', text: 'b' },
  });
});

it('a terminal shows only what differs', async () => {
  const a = temporaryFile(
    '1\n00:00:01,000 --> 00:00:02,000\nOui.\n\n2\n00:00:03,000 --> 00:00:04,000\nNon 1.50\n',
    'a.srt',
  );
  const b = temporaryFile(
    '1\n00:00:01,100 --> 00:00:02,000\nOui.\n\n2\n00:00:03,000 --> 00:00:04,000\nNon !\n',
    'b.srt',
  );
  const { stdout, stderr } = await mar(['translation', 'diff', a, b], { columns: 90 });
  expect(stdout).toMatch(/re-timed +1 +00:00:01,000–00:00:02,000 +00:00:01,100–00:00:02,000\n/);
  expect(stdout).toMatch(/re-worded +2 +Non 1\.50 +Non !\n/);
  expect(stderr).toContain('2 lines before, 2 after: 1 re-timed; 1 re-worded');
});

it('a narrow terminal still shows the words of a removed line', async () => {
  const gone = '1\n00:00:01,000 --> 00:00:02,000\nBonjour, Ana.\n\n';
  const a = temporaryFile(`${gone}2\n00:00:05,000 --> 00:00:06,000\nNon.\n`, 'a.srt');
  const b = temporaryFile('2\n00:00:05,100 --> 00:00:06,000\nJamais, Ana.\n', 'b.srt');
  const { stdout } = await mar(['translation', 'diff', a, b], { columns: 60 });
  expect(stdout).toContain('Bonjour, Ana.');
});

it('standard input can be only one of the two sources', async () => {
  const stderr = await refused(['translation', 'diff', '-', '-']);
  expect(stderr).toContain('standard input (-) can be read only once');
});
