import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo, connect as connectSocket, createServer as createProxy } from 'node:net';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loopbackHosts, makeAuthority, makeCertificate } from '../harness/certificates.ts';
import { mar, temporaryFolder } from '../harness/mar.ts';
import { account } from '../harness/recordingServer.ts';

const get = ['asset', 'get', 'a-1', '--retries', '0', '--no-color'];

/** A service that responds only to clients with a certificate of its CA, with the name in it. */
async function openStudio() {
  const authority = makeAuthority('Northlight Root');
  const own = makeCertificate({ name: 'media server', issuer: authority, hosts: loopbackHosts });
  const client = makeCertificate({ name: 'ines', issuer: authority });
  const tls = { cert: readFileSync(own.file), key: readFileSync(own.key) };
  const server = createServer(
    { ...tls, ca: readFileSync(authority.file), requestCert: true },
    ({ socket }, response) => {
      const { subject } = (socket as TLSSocket).getPeerCertificate();
      response.end(JSON.stringify({ _id: 'a-1', name: subject?.CN, token: 'new', email: 'a@b.c' }));
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const baseUrl = `https://localhost:${port}/api`;
  const env = { ...account, MAR_BASE_URL: baseUrl };
  return { authority, client, baseUrl, env, ca: ['--ca-cert', authority.file] };
}

/** A proxy that opens tunnels. */
async function openProxy() {
  const tunnels: string[] = [];
  const proxy = createProxy((socket) => {
    socket.once('data', (head) => {
      const [, host = '', port = ''] = /^CONNECT (.+):(\d+) /.exec(head.toString()) ?? [];
      tunnels.push(host);
      const upstream = connectSocket(Number(port), host);
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
      for (const end of [socket, upstream]) end.on('error', () => socket.destroy());
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
  });
  return { tunnels, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

const joined = (...files: string[]) => {
  const file = path.join(temporaryFolder(), 'joined.pem');
  writeFileSync(file, files.map((one) => readFileSync(one, 'utf8')).join(''));
  return file;
};

describe('--client-cert', () => {
  it('is shown to a service that requests it, with its key in another file or in the same', async () => {
    const { client, env, ca } = await openStudio();
    const both = ['--client-cert', client.file, '--client-key', client.key];
    for (const flags of [both, ['--client-cert', joined(client.file, client.key)]]) {
      const { stdout, stderr } = await mar([...get, '--jq', '.name', ...ca, ...flags], { env });
      expect(stdout, stderr).toBe('ines\n');
    }
  });

  it('is shown through a proxy', async () => {
    const { client, env, ca } = await openStudio();
    const { tunnels, url } = await openProxy();
    const both = ['--client-cert', client.file, '--client-key', client.key];
    const run = await mar([...get, '--jq', '.name', ...ca, ...both], {
      env: { ...env, HTTPS_PROXY: url },
    });
    expect(run.stdout, run.stderr).toBe('ines\n');
    expect(tunnels).toEqual(['localhost']);
  });

  it('may have an encrypted key, whose passphrase is in a variable', async () => {
    const { client, env, ca } = await openStudio();
    const key = path.join(temporaryFolder(), 'encrypted.pem');
    const encrypt = ['pkcs8', '-topk8', '-in', client.key, '-out', key, '-passout', 'pass:open'];
    execFileSync('/usr/bin/openssl', encrypt);
    const argv = [...get, ...ca, '--client-cert', client.file, '--client-key', key];
    const withPassphrase = (MAR_CLIENT_KEY_PASSPHRASE: string) =>
      mar(argv, { env: { ...env, MAR_CLIENT_KEY_PASSPHRASE } });
    expect((await withPassphrase('open')).stdout).toContain('ines');
    const wrong = await withPassphrase('guess');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('MAR_CLIENT_KEY_PASSPHRASE does not decrypt it');
    expect((await mar(argv, { env })).stderr).toContain('MAR_CLIENT_KEY_PASSPHRASE is not set');
  });

  it('belongs to the profile after a login with it, and can be changed there', async () => {
    const { client, baseUrl, ca } = await openStudio();
    const env = { MAR_CONFIG_DIR: temporaryFolder() };
    const both = ['--client-cert', client.file, '--client-key', client.key];
    const where = ['--base-url', baseUrl, '--email', 'a@b.c'];
    const flags = ['--password-stdin', '--insecure-storage'];
    const login = await mar(['login', ...where, ...flags, ...ca, ...both], {
      env,
      stdin: 'secret',
    });
    expect(login.code, login.stderr).toBe(0);
    const name = async () => (await mar([...get, '--jq', '.name', ...ca], { env })).stdout;
    expect(await name()).toBe('ines\n');
    const again = await mar(['login', ...where, ...flags, ...ca], { env, stdin: 'secret' });
    expect(again.code, again.stderr).toBe(0);
    expect(await name()).toBe('ines\n');
    await mar(['config', 'unset', 'client-cert'], { env });
    await mar(['config', 'unset', 'client-key'], { env });
    const without = await mar([...get, ...ca], { env });
    expect(without).toMatchObject({ code: 7, stdout: '' });
    expect(without.stderr).toContain('--client-cert FILE');
  });

  it.each<[string, (files: { file: string; key: string }) => string[], string]>([
    ['is missing', ({ key }) => ['--client-key', key], '--client-key needs --client-cert'],
    [
      'cannot be read',
      ({ key }) => ['--client-cert', '/nowhere.pem', '--client-key', key],
      '--client-cert /nowhere.pem: no such file',
    ],
    ['is a key', ({ key }) => ['--client-cert', key], 'it contains no certificate'],
    ['has no key', ({ file }) => ['--client-cert', file], 'it contains no private key'],
    [
      'has a key that cannot be read',
      ({ file }) => ['--client-cert', file, '--client-key', '/nowhere.pem'],
      '--client-key /nowhere.pem: no such file',
    ],
    [
      'has the key of another one',
      ({ file }) => ['--client-cert', file, '--client-key', makeAuthority('other').key],
      'the private key does not belong to the certificate',
    ],
  ])('that %s is refused, and nothing is sent', async (_name, flags, message) => {
    const files = makeCertificate({ name: 'ines' });
    const env = { ...account, MAR_BASE_URL: 'https://localhost:1/api' };
    const run = await mar([...get, ...flags(files)], { env });
    expect(run, run.stderr).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(message);
  });
});
