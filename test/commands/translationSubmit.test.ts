import { describe, expect, it } from 'vitest';
import { mar } from '../harness/mar.ts';
import { refused } from '../harness/marWith.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { entry, workRequest } from '../subtitles/request.ts';

async function submit(responses: readonly string[], argv: readonly string[], stdin?: string) {
  const { env, requests } = await recordingServer(...responses);
  const outcome = await mar(['translation', 'submit', ...argv], { env, stdin });
  const sent = requests.filter((request) => request.startsWith('POST'));
  return { ...outcome, requests, bodies: sent.map((request) => request.split('\r\n\r\n')[1]) };
}

const refusedSubmit = (argv: readonly string[]) => refused(['translation', 'submit', ...argv]);

const flags = ['--work-request', 'wr-1', '--asset', 'a-1', '--language', 'fra'];

describe('submitting a translation', () => {
  it('builds the record from flags, with the status submitted, and reads nothing', async () => {
    const { code, stderr, requests, bodies } = await submit(['{"_id":"t-1"}'], flags);
    expect(code).toBe(0);
    expect(bodies).toEqual([
      '{"workRequest":"wr-1","asset":"a-1","language":"fra","status":"submitted"}',
    ]);
    expect(requests).toHaveLength(1);
    expect(stderr).toContain('No lines were sent. The API does not accept lines');
    expect((await submit(['{}'], [...flags, '--dry-run'])).stderr).not.toContain('No lines');
  });

  it('sends the given status', async () => {
    const { bodies } = await submit(['{}'], [...flags, '--status', 'incomplete', '--set', 'x=1']);
    expect(bodies).toEqual([
      '{"workRequest":"wr-1","asset":"a-1","language":"fra","status":"incomplete","x":1}',
    ]);
  });

  it('sends flags as strings, even if they look like numbers', async () => {
    const { bodies } = await submit(
      ['{"_id":"42"}', '{}'],
      ['--work-request', '42', '--asset', 'null'],
    );
    expect(bodies).toEqual(['{"workRequest":"42","asset":"null","status":"submitted"}']);
  });

  it('takes the asset and the language from the work request', async () => {
    const request = '{"_id":"wr-1","asset":{"_id":"a-7","name":"x"},"language":"jpn"}';
    const taken = await submit([request, '{}'], ['--work-request', 'wr-1']);
    expect(taken.requests[0]).toMatch(/^GET \/api\/workrequests\/wr-1 /);
    expect(taken.bodies).toEqual([
      '{"workRequest":"wr-1","status":"submitted","asset":"a-7","language":"jpn"}',
    ]);
    const given = await submit([request, '{}'], ['--work-request', 'wr-1', '--language', 'deu']);
    expect(JSON.parse(given.bodies[0] ?? '')).toMatchObject({ asset: 'a-7', language: 'deu' });
    const removed = await submit(
      [request, '{}'],
      ['--work-request', 'wr-1', '--unset', 'language'],
    );
    expect(JSON.parse(removed.bodies[0] ?? '')).not.toHaveProperty('language');
  });

  it('sends nothing if the work request does not exist', async () => {
    const { env, requests } = await recordingServer({ status: 404, body: '{}' });
    const run = await mar(['translation', 'submit', '--work-request', 'wr-9'], { env });
    expect(run.code).toBe(5);
    expect(requests).toHaveLength(1);
  });

  it.each([[['trailer.srt']], [['-f', 'trailer.srt', '--work-request', 'wr-1']]])(
    'refuses the subtitles in %j, and says what to do',
    async (argv) => {
      expect(await refusedSubmit(argv)).toBe(
        'error: translation submit takes no subtitles: the API does not accept lines\n' +
          '  Correct the lines in the web application (mar wr open ID). Then run: mar translation submit --work-request ID\n',
      );
    },
  );

  it('keeps the status of a file, and lets flags replace its fields', async () => {
    const file = '{"workRequest":"wr-1","status":"incomplete","language":"deu"}';
    const { bodies } = await submit(['{}'], ['-f', '-', '--language', 'fra'], file);
    expect(bodies).toEqual(['{"workRequest":"wr-1","status":"incomplete","language":"fra"}']);
  });
});

describe('--language', () => {
  it('rejects an unknown code and suggests the right one', async () => {
    const argv = ['--work-request', 'wr-1', '--language', 'fr'];
    expect(await refusedSubmit(argv)).toContain('fra');
    const { bodies } = await submit(['{"_id":"wr-1"}', '{}'], [...argv, '--skip-checks']);
    expect(bodies).toEqual(['{"workRequest":"wr-1","language":"fr","status":"submitted"}']);
  });
});

it.each(['--work-request', '--asset', '--language', '--status'])(
  'rejects an empty %s and sends nothing',
  async (flag) => {
    expect(await refusedSubmit([flag, ''])).toContain(`${flag} is empty`);
  },
);

describe('--check', () => {
  const bad = workRequest([entry(1, ''), entry(2, 'b')]);
  const good = workRequest([entry(1, 'a'), entry(2, 'b')]);
  const withWarning = workRequest([entry(1, 'a'), entry(3, 'b')]);

  it('sends nothing when the lines have errors', async () => {
    const { code, stdout, stderr, bodies } = await submit([bad], [...flags, '--check']);
    expect({ code, stdout, bodies }).toEqual({ code: 3, stdout: '', bodies: [] });
    expect(stderr).toContain('wr-1: 1 error in 2 lines; nothing was sent');
    expect(stderr).toContain('Line 1: no text.');
  });

  it('sends the record if the lines have no errors', async () => {
    const { code, requests, bodies } = await submit([good, '{"_id":"t-1"}'], [...flags, '--check']);
    expect(code).toBe(0);
    expect(requests[0]).toMatch(/^GET \/api\/workrequests\/wr-1 /);
    expect(bodies).toHaveLength(1);
  });

  it('prints warnings, and sends the record', async () => {
    const { code, stderr, bodies } = await submit([withWarning, '{}'], [...flags, '--check']);
    expect(code).toBe(0);
    expect(stderr).toContain('warning: wr-1: 1 warning in 2 lines');
    expect(bodies).toHaveLength(1);
  });

  it('sends nothing if there are no lines', async () => {
    const { code, stderr, bodies } = await submit([workRequest([]), '{}'], [...flags, '--check']);
    expect({ code, bodies }).toEqual({ code: 3, bodies: [] });
    expect(stderr).toContain('error: wr-1 has no lines; nothing was sent\n');
  });

  it('applies the given limits', async () => {
    const strict = [...flags, '--check', '--preset', 'none', '--max-lines', '1'];
    const two = workRequest([entry(1, 'a<br>b')]);
    expect((await submit([two], strict)).code).toBe(3);
    expect((await submit([two, '{}'], [...flags, '--check'])).code).toBe(0);
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

  it.each([
    [[...flags, '--check', '--edit'], '--edit'],
    [[...flags, '--preset', 'bbc'], '--preset needs --check'],
    [[...flags, '--max-cps', '20'], '--max-cps needs --check'],
    [[...flags, '--graphics'], '--graphics needs --check'],
    [['--language', 'fra', '--check'], '--work-request'],
  ])('refuses %j, and sends nothing', async (argv, message) => {
    expect(await refusedSubmit(argv)).toContain(message);
  });
});
