import { describe, expect, it } from 'vitest';
import { mar } from '../../harness/mar.ts';
import { refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { entry, workRequest } from '../../modules/subtitles/request.ts';
import { subtitleWords } from '../../words/subtitles.ts';

async function submit(responses: readonly string[], argv: readonly string[], stdin?: string) {
  const { env, requests } = await recordingServer(...responses);
  const outcome = await mar(['translation', 'submit', ...argv], { env, stdin });
  const sent = requests.filter((request) => request.startsWith('POST'));
  return { ...outcome, requests, bodies: sent.map((request) => request.split('\r\n\r\n')[1]) };
}

const flags = ['--work-request', 'wr-1', '--asset', 'a-1', '--language', 'fra'];

describe('translation submit', () => {
  const ids = '"workRequest":"wr-1","asset":"a-1","language":"fra"';

  it('builds the record from flags, with the status submitted, and reads nothing', async () => {
    const { code, stderr, requests, bodies } = await submit(['{"_id":"t-1"}'], flags);
    expect(code).toBe(0);
    expect(bodies).toEqual([`{${ids},"status":"submitted"}`]);
    expect(requests).toHaveLength(1);
    expect(stderr).toContain(subtitleWords.noLinesSent);
    const dryRun = await submit(['{}'], [...flags, '--dry-run']);
    expect(dryRun.stderr).not.toContain(subtitleWords.noLinesSent);
  });

  const file = '{"workRequest":"wr-1","status":"incomplete","language":"deu"}';
  it.each([
    [[...flags, '--status', 'incomplete', '--set', 'x=1'], `{${ids},"status":"incomplete","x":1}`],
    // Flags are strings, even if they look like numbers.
    [
      ['--work-request=42', '--asset=null', '--language=fra'],
      '{"workRequest":"42","asset":"null","language":"fra","status":"submitted"}',
    ],
    [['-f', '-', '--language', 'fra'], file.replace('deu', 'fra')],
    [
      ['--work-request=wr-1', '--language=fr', '--skip-checks'],
      '{"workRequest":"wr-1","language":"fr","status":"submitted"}',
    ],
  ])('%j sends %s', async (argv, body) => {
    expect((await submit(['{"_id":"wr-1"}', '{}'], argv, file)).bodies).toEqual([body]);
  });

  it('takes the asset and the language from the work request', async () => {
    const request = '{"_id":"wr-1","asset":{"_id":"a-7","name":"x"},"language":"jpn"}';
    const sent = async (...argv: string[]) => {
      const run = await submit([request, '{}'], ['--work-request', 'wr-1', ...argv]);
      expect(run.requests[0]).toMatch(/^GET \/api\/workrequests\/wr-1 /);
      return JSON.parse(run.bodies[0] ?? '');
    };
    const taken = { workRequest: 'wr-1', status: 'submitted', asset: 'a-7', language: 'jpn' };
    expect(await sent()).toEqual(taken);
    expect(await sent('--language', 'deu')).toEqual({ ...taken, language: 'deu' });
    expect(await sent('--unset', 'language')).not.toHaveProperty('language');
  });

  it('sends nothing if the work request does not exist', async () => {
    const { env, requests } = await recordingServer({ status: 404, body: '{}' });
    const run = await mar(['translation', 'submit', '--work-request', 'wr-9'], { env });
    expect(run.code).toBe(5);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['trailer.srt', subtitleWords.takesNoSubtitles],
    ['-f trailer.srt --work-request wr-1', subtitleWords.takesNoSubtitles],
    ['--work-request wr-1 --language fr', 'fra'],
    ['--work-request=', subtitleWords.empty('--work-request')],
    ['--asset=', subtitleWords.empty('--asset')],
    ['--language=', subtitleWords.empty('--language')],
    ['--status=', subtitleWords.empty('--status')],
    ['--work-request wr-1 --check --edit', '--edit'],
    ['--work-request wr-1 --preset bbc', '--preset needs --check'],
    ['--work-request wr-1 --max-cps 20', '--max-cps needs --check'],
    ['--work-request wr-1 --graphics', '--graphics needs --check'],
    ['--language fra --check', '--work-request'],
  ])('refuses %s, and sends nothing', async (argv, message) => {
    expect(await refused(['translation', 'submit', ...argv.split(' ')])).toContain(message);
  });
});

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
