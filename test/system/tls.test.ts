import { writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchNode } from '../../scripts/nodeVersions.mjs';
import { loopbackHosts, makeAuthority, makeCertificate } from '../harness/certificates.ts';
import { temporaryFolder } from '../harness/mar.ts';
import { startNginx } from '../harness/nginx.ts';
import { logInTo, program, runProgram } from '../harness/program.ts';
import { isolated, startService } from '../harness/service.ts';
import { networkWords } from '../words/network.ts';

const get = ['asset', 'get', 'a-1001', '--json'];
const create = ['wr', 'create', '--skip-checks', '--set', 'language=fra', '--json'];

const found = { code: 0, stdout: expect.stringContaining('"a-1001"'), stderr: '' };

/** A service behind TLS, with a certificate that a private CA has signed. */
async function openStudio(address = 'localhost') {
  const authority = makeAuthority('Northlight Root');
  const options = { name: 'media server', issuer: authority, hosts: loopbackHosts };
  const service = await startService();
  const where = address === '[::1]' ? address : '127.0.0.1';
  const certificate = makeCertificate(options);
  const nginx = await startNginx({ service: service.baseUrl, certificate, address: where });
  const baseUrl = `https://${address}:${nginx.port}/api`;
  const env = (more: Record<string, string> = {}) =>
    isolated({ ...service.account, MAR_BASE_URL: baseUrl, ...more });
  return { authority, service, baseUrl, nginx, env, ca: ['--ca-cert', authority.file] };
}

describe('a certificate from a private CA', () => {
  it('is trusted with NODE_EXTRA_CA_CERTS, and with --ca-cert for a login and a write', async () => {
    const { authority, service, baseUrl, nginx, env, ca } = await openStudio();
    const variables = env({ NODE_EXTRA_CA_CERTS: authority.file });
    expect(await runProgram(get, variables)).toMatchObject(found);
    const own = isolated();
    await logInTo({ ...service, baseUrl }, own, ca);
    const created = await runProgram([...create, ...ca], own);
    expect(created.code, created.stderr).toBe(0);
    expect(nginx.requests().filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });

  const isIpv6 = (one?: { address: string }) => one?.address === '::1';
  const hasIpv6 = Object.values(networkInterfaces()).flat().some(isIpv6);

  it.each(['127.0.0.1', ...(hasIpv6 ? ['[::1]'] : [])])(
    'is checked for the address %s',
    async (address) => {
      const { env, ca } = await openStudio(address);
      expect(await runProgram([...get, ...ca], env())).toMatchObject(found);
      expect(await runProgram(['doctor', ...ca], env())).toMatchObject({ code: 0 });
    },
  );
});

describe.runIf(process.env.MAR_TEST_PROGRAM === undefined)('a CA that the system trusts', () => {
  it.each([22, 26])('needs no flag with Node %i, for a read, a write and doctor', async (major) => {
    const { authority, nginx, env: envWith } = await openStudio();
    // OpenSSL reads the certificates of the system from here.
    const env = envWith({ SSL_CERT_FILE: authority.file, SSL_CERT_DIR: temporaryFolder() });
    const run = (argv: readonly string[]) =>
      runProgram(argv, env, '', [fetchNode(major), program[1] ?? '']);
    expect(await run(get)).toMatchObject(found);
    expect(await run(create)).toMatchObject({ code: 0 });
    expect(await run(['doctor'])).toMatchObject({ code: 0 });
    // Several writes at once meet the unknown certificate, and each is sent once.
    const file = path.join(temporaryFolder(), 'requests.csv');
    const languages = ['fra', 'deu', 'ita', 'spa', 'jpn', 'por'];
    const rows = languages.map((language) => `a-1001,${language}\n`);
    writeFileSync(file, `asset,language\n${rows.join('')}`);
    const batch = ['wr', 'create', '--batch', file, '--yes', '--skip-checks', '--concurrency', '6'];
    const sent = await run(batch);
    expect(sent, sent.stderr).toMatchObject({ code: 0, stdout: '6 rows: 6 done\n' });
    expect(nginx.requests().filter((line) => line.startsWith('POST'))).toHaveLength(7);

    expect(await run(['config', 'set', 'system-ca', 'off'])).toMatchObject({ code: 0 });
    expect(await run(get)).toMatchObject({ code: 7 });
  });
});

describe('mar doctor', () => {
  interface Check {
    name: string;
    state: string;
    message: string;
    hint?: string;
  }
  const requestCheck = async (flags: readonly string[], env: Record<string, string>) => {
    const { stdout } = await runProgram(['doctor', '--json', ...flags], env);
    return JSON.parse(stdout).checks.find(({ name }: Check) => name === 'Request') as Check;
  };

  it('shows whether the certificate is trusted, and what to do', async () => {
    const { authority, nginx, env, ca } = await openStudio();
    const trusted = { state: 'ok' };
    expect(await requestCheck(ca, env())).toMatchObject(trusted);
    const variables = env({ NODE_EXTRA_CA_CERTS: authority.file });
    expect(await requestCheck([], variables)).toMatchObject(trusted);
    const before = nginx.requests();
    expect(await requestCheck([], env())).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('Northlight Root'),
      hint: expect.stringMatching(/--ca-cert.*NODE_EXTRA_CA_CERTS/),
    });
    expect(nginx.requests()).toEqual(before);
  });

  it('shows that a port speaks plain HTTP', async () => {
    const { account, baseUrl } = await startService();
    const env = isolated({ ...account, MAR_BASE_URL: baseUrl.replace('http:', 'https:') });
    const message = expect.stringContaining(networkWords.noTls);
    expect(await requestCheck([], env)).toMatchObject({ state: 'failed', message });
  });
});
