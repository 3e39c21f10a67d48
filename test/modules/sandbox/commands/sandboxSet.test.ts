import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { stateFileOf } from '../../../../src/modules/sandbox/constants.ts';
import { mar, startMar, temporaryFolder } from '../../../harness/mar.ts';
import { failure, refused } from '../../../harness/marWith.ts';
import { removeTemplate } from '../harness.ts';
import { sandboxHome, startSandbox } from './sandboxHome.ts';

afterAll(removeTemplate);

/** A home with a running sandbox, and a profile that is logged in to it. */
async function home() {
  const { env } = await sandboxHome();
  await startSandbox(env, '--login');
  const set = (...words: string[]) => mar(['sandbox', 'set', ...words], { env });
  const read = async (...words: string[]) =>
    JSON.parse((await mar([...words, '--json'], { env })).stdout);
  return { env, set, read };
}

describe('mar sandbox set', () => {
  it('changes a work request as somebody else, with an entry in its history', async () => {
    const { set, read } = await home();
    const before = await read('wr', 'get', 'wr-2001');
    const run = await set('wr-2001', 'status=complete', 'reason=Approved by the territory');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(
      /^Changed work request wr-2001 as u-tom:\n {2}status\n {4}- "in-progress"\n {4}\+ "complete"\n/,
    );
    expect(run.stdout).toContain('  reason\n    - ""\n    + "Approved by the territory"\n');
    const after = await read('wr', 'get', 'wr-2001');
    const fields = { status: 'complete', reason: 'Approved by the territory' };
    expect(after).toEqual({ ...before, ...fields, history: expect.any(Array) });
    const last = after.history.at(-1);
    expect(after.history).toEqual([...before.history, last]);
    const user = { _id: 'u-tom', emailNormal: 'tom@northlight.example' };
    expect(last).toMatchObject({ ...fields, user });
    expect(Object.keys(last)).toEqual(['date', 'user', 'status', 'reason']);
    expect(Object.keys(last.user)).toEqual(Object.keys(after.history[0].user));
    expect(Date.now() - last.date).toBeLessThan(60_000);
  });

  it('removes the reason of the old status', async () => {
    const { set, read } = await home();
    expect(await set('wr-2002', 'status=in-progress')).toMatchObject({ code: 0 });
    const { status, reason, history } = await read('wr', 'get', 'wr-2002');
    expect([status, reason, history.at(-1)]).toMatchObject(['in-progress', '', { reason: '' }]);
  });

  it('changes a work request that is late, and no due date to one in the past', async () => {
    const { set } = await home();
    expect(await set('wr-2011', 'status=complete')).toMatchObject({ code: 0 });
    const past = ['wr-2001', 'due.date=2020-01-01T12:00Z'];
    expect(await failure(2, set(...past))).toMatch(/due\.date .*2020-01-01/);
    expect(await set(...past, '--skip-checks')).toMatchObject({ code: 0 });
    const typos = await set('wr-2001', 'status=complet', 'statsu=x', '--skip-checks');
    expect([typos.code, typos.stdout]).toEqual([0, expect.stringContaining('+ "complet"')]);
  });

  it.each(['u-marc', 'marc@sous-titres.example', 'Marc Dubois'])(
    'makes the change as --as %s',
    async (user) => {
      const { set } = await home();
      const { code, stdout } = await set('wr-2001', 'status=rejected', '--as', user);
      expect([code, stdout]).toEqual([0, expect.stringContaining('wr-2001 as u-marc:\n')]);
    },
  );

  it('changes assets, users, notifications and projects, in the values of --set', async () => {
    const { env, set, read } = await home();
    const changed = async (...words: string[]) =>
      expect(await set(...words)).toMatchObject({ code: 0 });
    await changed('a-1001', 'usage.online=false', 'name=New name');
    const asset = { name: 'New name', usage: { online: false } };
    expect(await read('asset', 'get', 'a-1001')).toMatchObject(asset);
    await changed('n-3001', 'read=true');
    expect(await read('notification', 'show', 'n-3001')).toMatchObject({ read: true });
    await changed('p-harbor', 'name=Harbour');
    await changed('wr-2001', 'due.date=2031-05-01T12:00Z');
    const { due, history } = await read('wr', 'get', 'wr-2001');
    expect([due.date, history.length]).toEqual([Date.UTC(2031, 4, 1, 12), 3]);
    // A new e-mail is the new login, as with PUT /session.
    await changed('u-ines', 'emailNormal=new@northlight.example');
    expect(await mar(['whoami', '--check'], { env })).toMatchObject({ code: 4 });
    const taken = await failure(3, set('u-ines', 'emailNormal=tom@northlight.example'));
    expect(taken).toContain('tom@northlight.example ');
  });

  it('ends the logins of a user who gets a new password, on every machine', async () => {
    const { env, set } = await home();
    const other = await sandboxHome();
    const { baseUrl, email } = JSON.parse((await mar(['whoami', '--json'], { env })).stdout);
    const login = ['login', '--base-url', baseUrl, '--email', email, '--password-stdin'];
    const stolen = { env: other.env, stdin: 'open-sesame' };
    expect(await mar([...login, '--insecure-storage'], stolen)).toMatchObject({ code: 0 });
    const isIn = (env: Record<string, string>) => mar(['whoami', '--check'], { env });
    expect(await isIn(other.env)).toMatchObject({ code: 0 });
    // Somebody else's login stays.
    expect(await set('u-tom', 'password=new')).toMatchObject({ code: 0 });
    expect(await isIn(other.env)).toMatchObject({ code: 0 });
    const status = async () =>
      JSON.parse((await mar(['sandbox', 'status', '--json'], { env })).stdout);
    expect(await status()).toMatchObject({ email, password: 'open-sesame' });
    const run = await set('u-ines', 'password=new');
    expect(await status()).not.toHaveProperty('password');
    expect(run.stdout).toContain('  password\n    - [redacted]\n');
    expect(await isIn(other.env)).toMatchObject({ code: 4 });
    expect(await isIn(env)).toMatchObject({ code: 4 });
    const again = (stdin: string) => mar([...login, '--insecure-storage'], { env, stdin });
    expect(await again('open-sesame')).toMatchObject({ code: 4 });
    expect(await again('new')).toMatchObject({ code: 0 });
    expect(await isIn(env)).toMatchObject({ code: 0 });
    expect(await isIn(other.env)).toMatchObject({ code: 4 });
  });

  it('keeps numbers that JavaScript would change', async () => {
    const { set, env } = await home();
    const run = await set('a-1001', 'big=9007199254740993', 'share=1.0', '--json');
    expect(run.stdout).toContain('"big":9007199254740993,"share":1.0');
    const { stdout } = await mar(['asset', 'get', 'a-1001', '--json'], { env });
    expect(stdout).toContain('"big":9007199254740993,"share":1.0');
  });

  it('writes nothing if the record has these values already', async () => {
    const { set } = await home();
    const stdout = expect.stringMatching(/^No changes: work request wr-2001 /);
    expect(await set('wr-2001', 'status=in-progress')).toEqual({ code: 0, stdout, stderr: '' });
  });

  it.each([
    ['wr-2001 statsu=complete', 2, /unknown field "statsu" .*"status"/],
    ['a-1001 nmae=x', 2, /unknown field "nmae" .*"name"/],
    ['n-3001 raed=true', 2, /unknown field "raed" .*"read"/],
    ['wr-2001 status=complet', 2, /unknown status "complet" .*"complete"/],
    ['wr-2001 auto=perhaps', 2, /auto=perhaps: auto: /],
    ['wr-2001 status', 2, /expected path=value/],
    ['wr-2001 _id=wr-2', 2, /_id .*wr-2, .*wr-2001/],
    ['wr-2001', 2, /<path=value>/],
    ['wr-2001 status=complete --as u-nobody', 2, /no user "u-nobody"/],
    ['wr-9999 status=complete', 5, /no record .*"wr-9999"/],
    ['twice name=x', 2, /"twice": asset, file/],
  ])('refuses %s, and changes nothing', async (words, code, facts) => {
    const { env, set, read } = await home();
    for (const request of [
      ['PUT', '/assets'],
      ['POST', '/files'],
    ]) {
      await mar(['api', ...request, '-f', '-'], { env, stdin: '{"_id":"twice"}' });
    }
    const before = await read('sandbox', 'export');
    expect(await failure(code, set(...words.split(' ')))).toMatch(facts);
    expect(await read('sandbox', 'export')).toEqual(before);
  });

  it('needs a running sandbox', async () => {
    const argv = ['sandbox', 'set', 'wr-2001', 'status=complete', '--data', temporaryFolder()];
    expect(await refused(argv)).toMatch(/: mar sandbox --background --login\n$/);
  });

  it('reports a sandbox that fails with its own words', async () => {
    const error = { error: { message: 'database or disk is full' } };
    const server = createServer((_, response) =>
      response.writeHead(500).end(JSON.stringify(error)),
    );
    server.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const dataDir = temporaryFolder();
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
    writeFileSync(stateFileOf(dataDir), JSON.stringify({ baseUrl, secret: 'x' }));
    const argv = ['sandbox', 'set', 'wr-2001', 'status=complete', '--data', dataDir];
    expect(await failure(1, mar(argv))).toContain('error: database or disk is full');
  });

  it('ends the waiting of mar wr wait', async () => {
    const { env, set } = await home();
    const argv = 'wr wait wr-2001 --status complete --interval 1s'.split(' ');
    const waiting = startMar(argv, { env });
    await waiting.stderr.until('wr-2001');
    await set('wr-2001', 'status=complete', 'reason=Approved by the territory');
    const { code, stderr } = await waiting.ended;
    expect([code, stderr]).toEqual([0, expect.stringContaining('Approved by the territory')]);
  });
});
