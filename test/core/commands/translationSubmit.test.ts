import { describe, expect, it } from 'vitest';
import { mar, temporaryFile } from '../../harness/mar.ts';
import { refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { subtitleWords } from '../../words/subtitles.ts';
import { flags, submit } from './submit.ts';

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

  it('has the status that the service is set to have', async () => {
    const MAR_SERVICE = temporaryFile('{"translation":{"submitted":"handed-in"}}', 'service.json');
    const { env, requests } = await recordingServer('{"_id":"t-1"}');
    await mar(['translation', 'submit', ...flags], { env: { ...env, MAR_SERVICE } });
    expect(requests[0]).toContain(`{${ids},"status":"handed-in"}`);
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
  ])('refuses %s, and sends nothing', async (argv, message) => {
    expect(await refused(['translation', 'submit', ...argv.split(' ')])).toContain(message);
  });
});
