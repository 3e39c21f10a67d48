import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { basic, demo, demoFolder, demoSandbox, loggedIn, sendRequest, tokenOf } from './harness.ts';

async function diskBytes(folder: string): Promise<string> {
  const names = await readdir(folder);
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')));
  return files.join('\n');
}

const wrongLogin = { code: 'unauthorized', message: 'wrong e-mail or password' };

test('logging in with e-mail, in any case, and password yields a token and the e-mail', async () => {
  const sandbox = await demoSandbox();
  for (const email of [sandbox.email, 'Ines@Northlight.Example']) {
    const headers = { Authorization: basic(email, demo.password) };
    const { status, json } = await sendRequest(sandbox, 'GET', '/session', { headers });
    expect(status).toBe(200);
    expect(json).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/), email: demo.email });
  }
});

test('the same path with a token lists the users', async () => {
  const call = await loggedIn(await demoSandbox());
  const range = { headers: { 'X-Range': 'resources=0-1' } };
  const { status, json, headers } = await call('GET', '/session', range);
  expect(status).toBe(200);
  expect(json.map(({ _id }: { _id: string }) => _id)).toEqual(['u-ines', 'u-tom']);
  expect(headers['content-range']).toBe('resources 0-1/8');
});

test.each([
  ['no Authorization header', {}],
  ['another scheme', { Authorization: 'Bearer abc' }],
  ['Basic without base64', { Authorization: 'Basic %%%' }],
  ['no colon in the credentials', { Authorization: `Basic ${btoa('nobody')}` }],
  // The next two have the same message, so that nobody learns which e-mails exist.
  ['a wrong password', { Authorization: basic(demo.email, 'open-barley') }, wrongLogin],
  ['an unknown e-mail', { Authorization: basic('nobody@x', demo.password) }, wrongLogin],
  ['an unknown token', { Authorization: basic(demo.email, 'token-nonsense') }],
  ['an empty token', { Authorization: basic(demo.email, 'token-') }],
])('%s gets 401', async (_what, headers, error: object = { code: 'unauthorized' }) => {
  const sandbox = await demoSandbox();
  const reply = await sendRequest(sandbox, 'GET', '/session', { headers });
  expect(reply.status).toBe(401);
  expect(reply.json.error).toMatchObject(error);
  expect(reply.headers['www-authenticate']).toMatch(/^Basic /);
});

test("a password opens nothing but the login, and a token nothing under another's e-mail", async () => {
  const sandbox = await demoSandbox();
  const token = `token-${await tokenOf(sandbox)}`;
  const password = basic(demo.email, demo.password);
  for (const [method, path, Authorization] of [
    ['GET', '/assets/a-1001', password],
    ['GET', '/downloads', password],
    ['DELETE', '/session', password],
    ['GET', '/assets/a-1001', basic('tom@northlight.example', token)],
  ] as const) {
    const { status } = await sendRequest(sandbox, method, path, { headers: { Authorization } });
    expect(status, path).toBe(401);
  }
});

test('signing out revokes the token that was used and no other', async () => {
  const sandbox = await demoSandbox();
  const [first, second] = [await loggedIn(sandbox), await loggedIn(sandbox)];
  const out = await first('DELETE', '/session');
  expect(out.status).toBe(200);
  expect(out.json).toEqual({ revoked: true, email: demo.email });
  expect((await first('GET', '/assets/a-1001')).status).toBe(401);
  expect((await second('GET', '/assets/a-1001')).status).toBe(200);
});

test('neither passwords nor tokens are on the disk', async () => {
  const dataDir = await demoFolder();
  const sandbox = await demoSandbox({ dataDir });
  const token = await tokenOf(sandbox);
  const call = await loggedIn(sandbox);
  await call('PUT', '/session/u-tom', { body: { name: 'Tom', password: 'correct-horse' } });
  const running = await diskBytes(dataDir);
  await sandbox.close();
  for (const bytes of [running, await diskBytes(dataDir)]) {
    for (const secret of [token, demo.password, 'correct-horse']) {
      expect(bytes).not.toContain(secret);
    }
  }
});

test("a user's record shows a stand-in for the password", async () => {
  const call = await loggedIn(await demoSandbox());
  const { json } = await call('GET', '/session');
  for (const user of json) expect(user.password).toMatch(/^demo\$sha256\$[\w-]{43}$/);
});

test('writing a user back as it was read, or without the password, changes no login', async () => {
  const sandbox = await demoSandbox();
  const call = await loggedIn(sandbox);
  const [user] = (await call('GET', '/session')).json;
  const { password, ...others } = { ...user, name: 'Inês C.' };
  for (const body of [{ ...others, password }, others]) {
    const put = await call('PUT', '/session/u-ines', { body });
    expect(put.status).toBe(200);
    expect(put.json).toEqual({ ...others, password });
    await expect(tokenOf(sandbox)).resolves.toMatch(/./);
  }
});

test('a new password is the one to log in with, and no record has it', async () => {
  const sandbox = await demoSandbox();
  const call = await loggedIn(sandbox);
  const put = await call('PUT', '/session/u-ines', { body: { password: 'correct-horse' } });
  expect(put.status).toBe(200);
  expect(put.text).not.toContain('correct-horse');
  expect(await tokenOf(sandbox)).toBeUndefined();
  expect(await tokenOf(sandbox, { ...demo, password: 'correct-horse' })).toMatch(/./);
  // The stand-in is no new password.
  const { password } = put.json;
  expect((await call('PUT', '/session/u-ines', { body: { password } })).json.password).toBe(
    password,
  );
  expect(await tokenOf(sandbox, { ...demo, password: 'correct-horse' })).toMatch(/./);
});

test('a new e-mail is the one to log in with; a taken one is rejected', async () => {
  const sandbox = await demoSandbox();
  const call = await loggedIn(sandbox, { ...demo, email: 'tom@northlight.example' });
  const rename = (emailNormal: string) => call('PUT', '/session/u-ines', { body: { emailNormal } });
  const taken = await rename('TOM@northlight.example');
  expect([taken.status, taken.json.error.field]).toEqual([409, 'emailNormal']);
  await rename('Ines.C@northlight.example');
  expect(await tokenOf(sandbox)).toBeUndefined();
  expect(await tokenOf(sandbox, { ...demo, email: 'ines.c@northlight.example' })).toMatch(/./);
});
