import { describe, expect, it } from 'vitest';
import { email, home, session } from '../../harness/home.ts';
import { mar } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import {
  type CannedResponse,
  credentialsOf,
  recordingServer,
} from '../../harness/recordingServer.ts';

/** Logged in to one service, with a second one to log in to. */
async function loggedIn(...responses: CannedResponse[]) {
  const first = await recordingServer(session('t-1'), ...responses);
  const second = await recordingServer(session('t-2'), '{"_id":"second"}');
  const own = home();
  expect(await own.login(first)).toMatchObject({ code: 0 });
  return { ...own, first, second };
}

describe('a login that would replace the service or the account of a profile', () => {
  it('stops without --replace, before it sends anything', async () => {
    const { login, first, second, config, tokens } = await loggedIn();
    const before = [config(), tokens()];
    const stderr = await failure(2, login(second));
    for (const fact of [`"default" is ${email} at ${first.baseUrl}`, second.baseUrl, '--replace'])
      expect(stderr).toContain(fact);
    expect([config(), tokens()]).toEqual(before);
    expect(second.requests).toEqual([]);
  });

  it.each([
    ['account', ['--email', 'tom@northlight.example'], 2],
    ['path', ['--base-url', '/v2'], 2],
    ['upper case of the e-mail', ['--email', email.toUpperCase()], 0],
  ])('is noticed by the %s', async (_name, [flag = '', value = ''], code) => {
    const { login, first } = await loggedIn(session('t-3'));
    const given = value.startsWith('/') ? first.baseUrl.replace('/api', '/v2/api') : value;
    expect(await login(first, flag, given)).toMatchObject({ code });
  });

  it('replaces it with --replace, and revokes the token at its own service', async () => {
    const { login, run, first, second, config, tokens } = await loggedIn({ status: 204 });
    expect((await login(second, '--replace')).code).toBe(0);
    expect(first.requests[1]).toMatch(/^DELETE \/api\/session /);
    expect(credentialsOf(first.requests[1])).toBe(`${email}:token-t-1`);
    expect(second.requests).toHaveLength(1);
    expect(Object.values(tokens())).toEqual(['t-2']);
    expect(config().profiles).toEqual({
      default: { baseUrl: second.baseUrl, email, store: 'file' },
    });
    expect((await run(['asset', 'get', 'a-1', '--columns', '_id'])).stdout).toBe('_id\tsecond\n');
  });

  it('names a token that could not be revoked, and how to revoke it', async () => {
    const down = { status: 503, body: '{}' };
    const { login, run, first, second, config, tokens } = await loggedIn(down, { status: 204 });
    const { code, stderr } = await login(second, '--replace');
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`^warning: .* ${email} at ${first.baseUrl} `, 'm'));
    expect(stderr).toContain('run: mar profile remove default-old\n');
    expect(Object.values(tokens()).sort()).toEqual(['t-1', 't-2']);
    expect((await run(['profile', 'remove', 'default-old'])).code).toBe(0);
    expect(credentialsOf(first.requests[2])).toBe(`${email}:token-t-1`);
    expect(Object.values(tokens())).toEqual(['t-2']);
    expect(Object.keys(config().profiles)).toEqual(['default']);
  });

  it('forgets the token of a local service that was stopped', async () => {
    const { login, second, config, tokens } = await loggedIn({ raw: '', afterwards: 'close' });
    const { code, stderr } = await login(second, '--replace');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining(email) });
    expect(Object.values(tokens())).toEqual(['t-2']);
    expect(Object.keys(config().profiles)).toEqual(['default']);
  });

  it('leaves a token that another profile uses', async () => {
    const { login, first, second, tokens } = await loggedIn(session('t-1'));
    await login(first, '--profile', 'twin');
    expect((await login(second, '--replace')).code).toBe(0);
    expect(first.requests).toHaveLength(2);
    expect(Object.values(tokens()).sort()).toEqual(['t-1', 't-2']);
  });

  it('needs no --replace with --print-token, which stores nothing', async () => {
    const { env, second, config } = await loggedIn();
    const before = config();
    const argv = ['login', '--base-url', second.baseUrl, '--email', email, '--password-stdin'];
    const run = await mar([...argv, '--print-token'], { env, stdin: 'secret' });
    expect(run).toMatchObject({ code: 0, stdout: 't-2\n' });
    expect(config()).toEqual(before);
  });
});
