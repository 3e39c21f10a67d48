import { describe, expect, it } from 'vitest';
import { mar } from '../harness/mar.ts';
import { account, recordingServer } from '../harness/recordingServer.ts';

const get = ['asset', 'get', 'a-1001', '-o', 'yaml'];
const secretForms = [
  account.MAR_TOKEN,
  Buffer.from(account.MAR_TOKEN).toString('base64').replace(/=+$/, ''),
  Buffer.from(`${account.MAR_EMAIL}:token-${account.MAR_TOKEN}`).toString('base64'),
];
const leaks = (text: string) => secretForms.filter((form) => text.includes(form));

describe('--debug', () => {
  it('prints one line for a request and one for a response', async () => {
    const server = await recordingServer({
      headers: ['X-Request-Id: r-7'],
      body: '{"_id":"a-1001"}',
    });
    const run = await mar([...get, '--debug'], server);
    expect(run.stdout).toBe('_id: a-1001\n');
    const lines = run.stderr.trimEnd().split('\n');
    expect(lines).toEqual([
      `> GET ${server.baseUrl}/assets/a-1001`,
      expect.stringMatching(/^< 200 in \d+ ms, 16 B, request id r-7$/),
    ]);
  });

  it('is the same as MAR_DEBUG=1, and off without', async () => {
    const server = await recordingServer('{"_id":"a-1001"}');
    const env = { ...server.env, MAR_DEBUG: '1' };
    expect((await mar(get, { env })).stderr).toMatch(/^> GET /);
    expect((await mar(get, server)).stderr).toBe('');
  });

  it('prints each attempt', async () => {
    const busy = { status: 503, headers: ['Retry-After: 0'], body: '{}' };
    const server = await recordingServer(busy, '{"_id":"a-1001"}');
    const run = await mar([...get, '--debug'], server);
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(
      /< 503 .*\n\* Retrying in 0\.0 s .*503\n> GET .* \(attempt 2\)\n< 200 /,
    );
  });

  it('prints a failure', async () => {
    const server = await recordingServer({ raw: '', afterwards: 'close' });
    const run = await mar([...get, '--debug', '--retries', '0'], server);
    expect(run.stderr).toMatch(/^< failed after \d+ ms: .*closed the connection/m);
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
    const { stderr } = await mar(['wr', 'create', '--skip-checks', '--set', 'language=fra'], {
      env,
    });
    expect(stderr).toContain('Authorization: [redacted]');
    expect(stderr).toContain('{"language":"fra"}');
    expect(stderr).toContain('https://cdn.example/a.mp4?…');
    for (const hidden of ['hunter22', 'sig123', 'session=abc'])
      expect(stderr).not.toContain(hidden);
    expect(leaks(stderr)).toEqual([]);
  });

  it('shows no secret that is spelt or encoded in another way', async () => {
    const { MAR_TOKEN: token } = account;
    const encoded = ['', 'x', 'xy'].flatMap((before) =>
      (['base64', 'base64url'] as const).map((way) =>
        Buffer.from(`${before}${token}>>>`).toString(way),
      ),
    );
    const hex = Buffer.from(token).toString('hex');
    const body = [
      '{"slashes":"https:\\/\\/cdn.example\\/a.mp4?Signature=sig123"',
      '"mark":"https://cdn.example/a.mp4\\u003fSignature=sig123"',
      '"p\\u0061ssword":"hunter22"',
      `"echo":${JSON.stringify([...encoded, hex, hex.toUpperCase()])}}`,
    ].join(',');
    const server = await recordingServer({ headers: ['X-Session: sig123'], body });
    const env = { ...server.env, MAR_DEBUG: 'http' };
    const { stderr } = await mar(['api', 'GET', '/x'], { env });
    expect(stderr).toContain('"slashes":"https://cdn.example/a.mp4?…"');
    for (const hidden of ['hunter22', 'sig123', hex, hex.toUpperCase()])
      expect(stderr).not.toContain(hidden);
    // The rest of an encoded secret is too short to reveal it.
    expect(stderr).toMatch(/"echo":\["\S{0,4}\[redacted\]\S{0,8}",/);
    for (const form of encoded) expect(stderr).not.toContain(form.slice(4, 10));
  });

  it('shows a secret no more where the body is cut', async () => {
    const { MAR_TOKEN: token } = account;
    const server = await recordingServer(JSON.stringify(['x'.repeat(9995) + token]));
    const env = { ...server.env, MAR_DEBUG: 'http' };
    const { stderr } = await mar(['api', 'GET', '/x'], { env });
    expect(stderr).toContain('xxx');
    expect(stderr).not.toContain(token.slice(0, 3));
  });

  it('shows nothing live on a terminal', async () => {
    const server = await recordingServer({
      headers: ['X-Evil: \u009b2J'],
      body: '{"_id":"\u009b31m"}',
    });
    const env = { ...server.env, MAR_DEBUG: 'http' };
    const { stderr } = await mar([...get, '--no-color'], { env, columns: 80 });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });
});
