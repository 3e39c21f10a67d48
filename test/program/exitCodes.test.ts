import { describe, expect, it } from 'vitest';
import { MarError } from '../../src/core/errors.ts';
import { mar, startMar, temporaryFolder } from '../harness/mar.ts';
import { failure, marWith, refused } from '../harness/marWith.ts';
import { recordingServer } from '../harness/recordingServer.ts';

const get = ['asset', 'get', 'a-1001'];
const create = ['wr', 'create', '--skip-checks', '--set', 'language=fra'];

describe('exit codes', () => {
  it.each([
    [200, get, 0],
    [500, get, 1],
    [503, create, 1],
    [400, create, 3],
    [409, create, 3],
    [422, create, 3],
    [429, get, 1],
    [401, get, 4],
    [403, create, 4],
    [404, get, 5],
    [412, create, 6],
    [302, get, 1],
    [307, create, 3],
  ])('a status of %i on mar %j exits with %i', async (status, argv, code) => {
    const body = '{"_id":"a-1001","message":"said the service"}';
    const server = await recordingServer({ status, body });
    const run = await mar([...argv, '--retries', '0'], server);
    expect([run.code, server.requests.length], run.stderr).toEqual([code, 1]);
    expect(run.stdout === '').toBe(code !== 0);
    if (status >= 400) expect(run.stderr).toContain('said the service');
  });

  it.each(['<html>', '', '{"_id":'])('1 for the response %j', async (body) => {
    expect(await marWith({ body }, get)).toMatchObject({ code: 1, stdout: '' });
  });

  it.each([
    ...[
      'aset',
      'asset get a-1 --bogus',
      'asset get',
      'asset get ..',
      'asset get a\nb',
      'whoami me',
    ],
    ...['wr create', 'wr create --set due.date=someday', 'wr create --set __proto__.x=1'],
    ...['file list --range 9-1', 'file list --limit 0', 'file list --limit 5 --all'],
    ...['asset get a-1 -o table --jsonl', 'asset get a-1 -o xml', 'asset get a-1 --timeout 30'],
    ...['asset get a-1 --columns a,,b', 'wr create -f /nonexistent/wr.json', 'asset get '],
  ])('2 for mar %j, with nothing sent', async (line) => {
    expect(await refused(line.split(' '))).toMatch(/^(error: |{"error":)\S/);
  });

  it('4 when nobody is logged in, with the two ways forward', async () => {
    expect(await failure(4, mar(get))).toMatch(/mar login[\s\S]*mar sandbox/);
  });

  it('7 when nothing listens', async () => {
    const env = { MAR_EMAIL: 'a@b', MAR_TOKEN: 't', MAR_BASE_URL: 'http://127.0.0.1:1/api' };
    expect(await failure(7, mar(get, { env }))).toContain('127.0.0.1:1');
  });

  it.each([
    ['SIGINT', 130, get, /^$/],
    ['SIGTERM', 143, get, /^$/],
    ['SIGINT', 130, create, / POST /],
    ['SIGTERM', 143, [...create, '--json'], /"outcome":"unknown"/],
  ] as const)('%s exits with %i at once during mar %j', async (signal, code, argv, says) => {
    const server = await recordingServer({ raw: '', afterwards: 'wait' });
    const run = startMar(argv, server);
    await server.request();
    run.signal(signal);
    const stderr = expect.stringMatching(says);
    expect(await run.ended).toEqual({ code, stdout: '', stderr });
  });

  it('10 when a token cannot be stored safely, before anything is asked', async () => {
    const server = await recordingServer('{}');
    const argv = ['login', '--email', 'a@b', '--password-stdin'];
    const env = { MAR_BASE_URL: server.baseUrl, MAR_CONFIG_DIR: temporaryFolder() };
    const stderr = await failure(10, mar(argv, { env, stdin: 'secret' }));
    expect(stderr).toContain('--insecure-storage');
    // A whole command in the hint would lack the flags of this one.
    expect(stderr).not.toContain('mar login');
    expect(stderr).toContain('MAR_TOKEN');
    expect(server.requests).toEqual([]);
  });
});

describe('an error for a program', () => {
  it('is one line of JSON with all that is known', async () => {
    const body = '{"error":{"message":"no such asset"}}';
    const server = await recordingServer({ status: 404, headers: ['X-Request-Id: r-7'], body });
    const run = await mar([...get, '--json'], server);
    expect(run.stdout).toBe('');
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(run.stderr)).toEqual({
      error: {
        kind: 'not-found',
        exitCode: 5,
        message: expect.stringContaining('no such asset'),
        status: 404,
        method: 'GET',
        url: `${server.baseUrl}/assets/a-1001`,
        requestId: 'r-7',
        body,
        resource: 'asset',
        id: 'a-1001',
        hint: expect.stringContaining('mar find a-1001'),
        next: [['mar', 'find', 'a-1001']],
      },
    });
  });

  it.each([['--json'], ['--jsonl'], ['-o', 'json'], ['-ojson'], ['--output-format=jsonl']])(
    'is JSON with %s, even when the command line is wrong',
    async (...flags) => {
      const run = await mar(['asset', 'get', '--bogus', ...flags]);
      expect(JSON.parse(run.stderr)).toMatchObject({ error: { kind: 'usage', exitCode: 2 } });
    },
  );
});

it('a longer hint keeps everything else of the error', () => {
  const error = new MarError('network', 'refused', { url: 'http://x', outcome: 'not-sent' });
  const longer = error.withHint('Try again.').withHint('Or later.');
  expect(longer).toMatchObject({ kind: 'network', message: 'refused' });
  expect(longer.details).toEqual({
    url: 'http://x',
    outcome: 'not-sent',
    hints: [{ text: 'Try again.' }, { text: 'Or later.' }],
  });
});
