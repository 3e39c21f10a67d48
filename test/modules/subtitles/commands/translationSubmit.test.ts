import { describe, expect, it } from 'vitest';
import { flags, submit } from '../../../core/commands/submit.ts';
import { refused } from '../../../harness/marWith.ts';
import { subtitleWords } from '../../../words/subtitles.ts';
import { entry, workRequest } from '../request.ts';

describe('translation submit --check', () => {
  const bad = workRequest([entry(1, ''), entry(2, 'b')]);
  const good = workRequest([entry(1, 'a'), entry(2, 'b')]);
  const twoRows = workRequest([entry(1, 'a<br>b')]);
  const oneRow = ['--preset', 'none', '--max-lines', '1'];

  it.each([
    [bad, [], 0, 'error: wr-1: 1 error'],
    [workRequest([]), [], 0, subtitleWords.noLines('wr-1')],
    [good, [], 1, ''],
    [workRequest([entry(1, 'a'), entry(3, 'b')]), [], 1, 'warning: wr-1: 1 warning'],
    [twoRows, [], 1, ''],
    [twoRows, oneRow, 0, 'error: wr-1: 1 error'],
  ])('sends the record only if the lines have no errors (%#)', async (record, more, sent, said) => {
    const run = await submit([record, '{"_id":"t-1"}'], [...flags, '--check', ...more]);
    expect([run.code, run.bodies.length], run.stderr).toEqual([sent === 1 ? 0 : 3, sent]);
    expect(run.stderr).toContain(said);
    expect(run.requests[0]).toMatch(/^GET \/api\/workrequests\/wr-1 /);
  });

  it('only reads with --dry-run', async () => {
    const { code, stdout, requests } = await submit([good], [...flags, '--check', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain('POST');
    expect(requests.map((request) => request.slice(0, 4))).toEqual(['GET ']);
  });

  it('reads a work request whose id looks like a file name', async () => {
    const { code, requests } = await submit(
      [bad.replace('"wr-1"', '"a/trailer.srt"')],
      ['--work-request', 'a/trailer.srt', '--language', 'fra', '--check'],
    );
    expect(code).toBe(3);
    expect(requests[0]).toMatch(/^GET \/api\/workrequests\/a%2Ftrailer\.srt /);
  });
});

it.each([
  ['-f trailer.srt --work-request wr-1', subtitleWords.takesNoSubtitles],
  ['--work-request wr-1 --check --edit', '--edit'],
  ['--work-request wr-1 --preset bbc', '--preset needs --check'],
  ['--work-request wr-1 --max-cps 20', '--max-cps needs --check'],
  ['--work-request wr-1 --graphics', '--graphics needs --check'],
  ['--language fra --check', '--work-request'],
])('translation submit refuses %s, and sends nothing', async (argv, message) => {
  expect(await refused(['translation', 'submit', ...argv.split(' ')])).toContain(message);
});
