import { describe, expect, it } from 'vitest';
import { mar } from '../../harness/mar.ts';
import { account, recordingServer } from '../../harness/recordingServer.ts';

const get = ['asset', 'get', 'a-1001', '-o', 'yaml'];
const secretForms = [
  account.MAR_TOKEN,
  Buffer.from(account.MAR_TOKEN).toString('base64').replace(/=+$/, ''),
  Buffer.from(`${account.MAR_EMAIL}:token-${account.MAR_TOKEN}`).toString('base64'),
];
const leaks = (text: string) => secretForms.filter((form) => text.includes(form));

describe('--debug', () => {
  it('prints one line for a request and one for a response, as MAR_DEBUG=1 does', async () => {
    const headers = ['X-Request-Id: r-7'];
    const server = await recordingServer({ headers, body: '{"_id":"a-1001"}' });
    const env = { ...server.env, MAR_DEBUG: '1' };
    for (const run of [await mar([...get, '--debug'], server), await mar(get, { env })]) {
      expect(run.stdout).toBe('_id: a-1001\n');
      expect(run.stderr.trimEnd().split('\n')).toEqual([
        `> GET ${server.baseUrl}/assets/a-1001`,
        expect.stringMatching(/^< 200 in \d+ ms, 16 B, request id r-7$/),
      ]);
    }
    expect((await mar(get, server)).stderr).toBe('');
  });

  it('is off with MAR_DEBUG=0, also for an error', async () => {
    const { env } = await recordingServer({ status: 409, body: '{"message":"busy"}' });
    const run = await mar(get, { env: { ...env, MAR_DEBUG: '0' } });
    expect(run.code).toBe(3);
    expect(run.stderr).not.toMatch(/^> |^ {4}at /m);
  });

  it('prints each attempt', async () => {
    const busy = { status: 503, headers: ['Retry-After: 0'], body: '{}' };
    const server = await recordingServer(busy, '{"_id":"a-1001"}');
    const run = await mar([...get, '--debug'], server);
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/< 503 .*\n\* .* 0\.0 s .*503\n> GET .* \(attempt 2\)\n< 200 /);
  });

  it('prints a failure', async () => {
    const server = await recordingServer({ raw: '', afterwards: 'close' });
    const run = await mar([...get, '--debug', '--retries', '0'], server);
    expect(run.stderr).toMatch(/^< failed after \d+ ms: 127\.0\.0\.1:\d+ /m);
  });
});

describe('MAR_DEBUG=http', () => {
  it('adds headers and bodies, without a secret in any form', async () => {
    const quoted = `${account.MAR_TOKEN} ${secretForms[2]}`;
    const answer = {
      headers: ['Set-Cookie: session=abc', `X-Echo: ${quoted}`],
      body: JSON.stringify({
        _id: 'wr-1',
        password: 'hunter22',
        path: 'https://cdn.example/a.mp4?Signature=sig123',
        echo: quoted,
      }),
    };
    const server = await recordingServer(answer);
    const env = { ...server.env, MAR_DEBUG: 'http' };
    const argv = ['wr', 'create', '--skip-checks', '--set', 'language=fra'];
    const { stderr } = await mar(argv, { env });
    expect(stderr).toContain('Authorization: [redacted]');
    expect(stderr).toContain('{"language":"fra"}');
    expect(stderr).toContain('https://cdn.example/a.mp4?…');
    for (const hidden of ['hunter22', 'sig123', 'session=abc'])
      expect(stderr).not.toContain(hidden);
    expect(leaks(stderr)).toEqual([]);
  });

  it('shows nothing live on a terminal', async () => {
    const headers = ['X-Evil: \u009b2J'];
    const server = await recordingServer({ headers, body: '{"_id":"\u009b31m"}' });
    const env = { ...server.env, MAR_DEBUG: 'http' };
    const { stderr } = await mar([...get, '--no-color'], { env, columns: 80 });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });
});
