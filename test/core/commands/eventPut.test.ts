import { describe, expect, it } from 'vitest';
import { jsonLines } from '../../harness/jsonLines.ts';
import { mar, temporaryFile } from '../../harness/mar.ts';
import { refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { requestWords } from '../../words/requests.ts';

const bodyOf = (request: string | undefined) =>
  JSON.parse(request?.slice(request.indexOf('\r\n\r\n')) ?? '') as Record<string, unknown>;

/** Writes an event; the work request is what the service is asked for before. */
async function put(argv: string[], { request, stdin }: { request?: string; stdin?: string } = {}) {
  const answers = request === undefined ? ['{"_id":"e-1"}'] : [request, '{"_id":"e-1"}'];
  const server = await recordingServer(...answers);
  const run = await mar(['event', 'put', ...argv], { env: server.env, stdin });
  return { ...run, requests: server.requests };
}

const request = {
  _id: 'wr-1',
  status: 'awaiting-materials',
  project: { _id: 'p-1', name: 'One', slug: 'one', studio: 's-1' },
  asset: { _id: 'a-1', name: 'Trailer', workflow: { phase: 'WIP' } },
  from: { _id: 'u-1', name: 'Ann' },
  translation: { _id: 't-1', lines: [{ number: 1 }] },
  graphicsTranslation: 'tg-1',
  recipients: { Online: ['u-2', 'u-3'], Dcp: ['u-3'], Rgb: [] },
  urls: { view: 'https://d.example/:workRequest', invite: 'https://d.example/:workRequest/:code' },
  unknown: { kept: true },
};

it('event put knows the fields that the event of a notification has', async () => {
  const status = { invited: true, approved: true, registered: true, confirmed: false };
  const from = { _id: 'u-1', status, username: 'ann@d.example', invite: 'https://d.example/:code' };
  const event = { _id: 'e-1', type: 'fd', files: ['f-1'], from };
  const file = temporaryFile(JSON.stringify(event), 'event.json');
  const { code, stderr, requests } = await put(['-f', file, '--strict', '--json']);
  expect(code).toBe(0);
  expect(jsonLines(stderr)).toMatchObject([{ warning: { code: 'whole-record' } }]);
  expect(bodyOf(requests.at(-1))).toEqual(event);
});

describe('event put builds', () => {
  it('an event about files', async () => {
    const argv = ['--type', 'fd', '--file-id', 'f-1', '--file-id', 'f-2', '--set', '_id=e-1'];
    const { code, requests } = await put(argv);
    expect([code, requests.length]).toEqual([0, 1]);
    expect(bodyOf(requests[0])).toEqual({ type: 'fd', files: ['f-1', 'f-2'], _id: 'e-1' });
  });

  it('an event about a work request, as events carry it', async () => {
    const argv = [
      ...['--type', 'wam', '--work-request', 'wr-1'],
      ...['--notify-user', 'u-2', '--notify-user', 'u-3', '--notify-group', 'g-1', '--skip-checks'],
    ];
    const { code, stderr, requests } = await put(argv, { request: JSON.stringify(request) });
    expect(code).toBe(0);
    // The fields of the work request are its own.
    expect(stderr).not.toContain(requestWords.unknownField);
    expect(requests[0]).toMatch(/^GET \/api\/workrequests\/wr-1 /);
    const ids = { project: 'p-1', asset: 'a-1', from: 'u-1', translation: 't-1' };
    expect(bodyOf(requests[1])).toEqual({
      type: 'wam',
      workRequest: { ...request, ...ids, recipients: ['u-2', 'u-3'] },
      projects: [{ _id: 'p-1', name: 'One', slug: 'one' }],
      assets: ['a-1'],
      urls: { view: 'https://d.example/wr-1', invite: 'https://d.example/wr-1/:code' },
      notify: { users: ['u-2', 'u-3'], groups: ['g-1'] },
    });
  });

  it('keeps the digits of what it takes from the work request', async () => {
    const digits = '{"_id":"wr-1","due":{"date":1793458800000,"n":9007199254740993}}';
    const { requests } = await put(['--work-request', 'wr-1'], { request: digits });
    expect(requests[1]).toContain('"n":9007199254740993');
  });

  it.each([
    [['--file-id', 'f-1'], undefined, 'fd'],
    [['--work-request', 'wr-1'], '{"_id":"wr-1"}', 'wam'],
    [['--type', 'other', '--notify-group', 'g-1'], undefined, 'other'],
  ])('%j with the work request %s: the type is %s', async (argv, request, type) => {
    const { requests } = await put(argv, { request });
    expect(bodyOf(requests.at(-1)).type).toBe(type);
  });

  it('as a whole record, with the warning that a PUT of some fields needs', async () => {
    const warned = async (argv: string[], stdin?: string) =>
      (await put([...argv, '--file-id', 'f-1', '--json'], { stdin })).stderr;
    const [{ warning }] = jsonLines(await warned(['--set', '_id=e-1']));
    expect(warning).toMatchObject({
      code: 'whole-record',
      message: expect.stringContaining('e-1'),
    });
    expect(await warned([])).toBe('');
    const ofFile = await warned(['-f', '-'], '{"_id":"e-1"}');
    expect(jsonLines(ofFile)).toMatchObject([{ warning: { code: 'whole-record' } }]);
  });

  it('upon a file, whose other fields stay, and --set comes last', async () => {
    const own = { _id: 'e-1', type: 'wam', workRequest: {} };
    const stdin = JSON.stringify({ ...own, notify: { groups: ['g-1'] }, x: 1 });
    const argv = ['-f', '-', '--notify-user', 'u-1', '--set', 'x=2', '--skip-checks'];
    const { requests } = await put(argv, { stdin });
    const notify = { groups: ['g-1'], users: ['u-1'] };
    expect(bodyOf(requests[0])).toEqual({ ...own, notify, x: 2 });
  });
});

describe('event put refuses, and sends nothing', () => {
  it.each([
    ['--type fd', 'needs files: use --file-id'],
    ['--type fd --file-id f-1 --notify-user u-1', ' --work-request, --notify-user'],
    ['--type wam --notify-user u-1', 'needs a work request: use --work-request'],
    ['--file-id=', 'must not be empty'],
    ['--set processed=true', 'whole record\n  Use -f FILE'],
  ])('%s', async (argv, said) => {
    expect(await refused(['event', 'put', ...argv.split(' ')])).toContain(said);
  });

  it('when the work request is not there', async () => {
    const { env, requests } = await recordingServer({ status: 404, body: '{}' });
    const run = await mar(['event', 'put', '--work-request', 'wr-9'], { env });
    expect(run.code).toBe(5);
    expect(requests).toHaveLength(1);
  });
});
