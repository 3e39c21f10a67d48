import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchNode } from '../../scripts/nodeVersions.mjs';
import { bundle, loopbackHosts, makeAuthority, makeCertificate } from '../harness/certificates.ts';
import { account, faultyServer, silence } from '../harness/faultyServer.ts';
import { temporaryFolder } from '../harness/mar.ts';
import { startNginx } from '../harness/nginx.ts';
import { logInTo, program, runProgram } from '../harness/program.ts';
import { isolated, type Service, startService } from '../harness/service.ts';

const get = ['asset', 'get', 'a-1001', '--json'];
const create = ['wr', 'create', '--skip-checks', '--set', 'language=fra', '--json'];

const found = { code: 0, stdout: expect.stringContaining('"a-1001"'), stderr: '' };

/** An environment that is logged in to a service, at an address that leads to it. */
const at = ({ account }: Service, MAR_BASE_URL: string, more: Record<string, string> = {}) =>
  isolated({ ...account, MAR_BASE_URL, ...more });

const certificateFrom = (
  issuer: ReturnType<typeof makeAuthority>,
  more: Partial<Parameters<typeof makeCertificate>[0]> = {},
) => makeCertificate({ name: 'media server', issuer, hosts: loopbackHosts, ...more });

/** A service behind TLS. Without another certificate, a private CA has signed that of the service. */
async function openStudio({
  address = 'localhost',
  authority = makeAuthority('Northlight Root'),
  certificate = certificateFrom(authority),
} = {}) {
  const service = await startService();
  const where = address === '[::1]' ? address : '127.0.0.1';
  const nginx = await startNginx({ service: service.baseUrl, certificate, address: where });
  const env = (more?: Record<string, string>) =>
    at(service, `https://${address}:${nginx.port}/api`, more);
  return { authority, service, nginx, env };
}

type Server = Parameters<typeof startNginx>[0];

/** Asks a server that there is a reason not to trust, and gives back the error. */
async function refusal(server: Server, { ca, host = 'localhost' }: { ca?: string; host?: string }) {
  const nginx = await startNginx(server);
  const baseUrl = `https://${host}:${nginx.port}/api`;
  const env = isolated({ ...account, MAR_BASE_URL: baseUrl });
  const flags = ca ? ['--ca-cert', ca] : [];
  const outcome = await runProgram([...get, ...flags], env);
  expect(outcome).toMatchObject({ code: 7, stdout: '' });
  expect(nginx.requests().join()).not.toContain('/api');
  const { error } = JSON.parse(outcome.stderr);
  expect(error).toMatchObject({ kind: 'network', exitCode: 7 });
  expect(error.message).toContain(`${host}:${nginx.port}`);
  return error as { message: string; hint: string };
}

describe('a certificate from a private CA', () => {
  it('is not trusted: the error names the host, the certificate and its issuer, and what to do', async () => {
    const certificate = certificateFrom(makeAuthority('Northlight Root'));
    const { message, hint } = await refusal({ certificate }, {});
    expect(message).toContain('media server');
    expect(message).toContain('Northlight Root');
    expect(hint).toContain('--ca-cert');
    expect(hint).toContain('NODE_EXTRA_CA_CERTS');
  });

  it.each(['localhost', '127.0.0.1'])('is trusted with --ca-cert, as %s', async (host) => {
    const { authority, nginx, env } = await openStudio({ address: host });
    expect(await runProgram([...get, '--ca-cert', authority.file], env())).toMatchObject(found);
    expect(nginx.requests()).toEqual(['GET /api/assets/a-1001 200 -']);
  });

  it('is trusted with NODE_EXTRA_CA_CERTS', async () => {
    const { authority, env } = await openStudio();
    const variables = env({ NODE_EXTRA_CA_CERTS: authority.file });
    expect(await runProgram(get, variables)).toMatchObject(found);
  });

  it('is good for logging in and for writing, once each', async () => {
    const { authority, service, nginx } = await openStudio();
    const env = isolated();
    const ca = ['--ca-cert', authority.file];
    await logInTo({ ...service, baseUrl: `https://localhost:${nginx.port}/api` }, env, ca);
    const created = await runProgram([...create, ...ca], env);
    expect(created.code, created.stderr).toBe(0);
    const { _id: id } = JSON.parse(created.stdout);
    const read = await runProgram(['wr', 'get', id, '--json', ...ca], env);
    expect(JSON.parse(read.stdout)).toEqual(JSON.parse(created.stdout));
    expect(nginx.requests().filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });

  it('is not trusted for another CA of the same name', async () => {
    const certificate = certificateFrom(makeAuthority('Northlight Root'));
    await refusal({ certificate }, { ca: makeAuthority('Northlight Root').file });
  });
});

describe.runIf(process.env.MAR_TEST_PROGRAM === undefined)('a CA that the system trusts', () => {
  const withNode = (major: number) => [fetchNode(major), program[1] ?? ''] as const;

  it.each([22, 26])('needs no flag with Node %i, for a read, a write and doctor', async (major) => {
    const { authority, nginx, env: envWith } = await openStudio();
    // OpenSSL reads the certificates of the system from here.
    const env = envWith({ SSL_CERT_FILE: authority.file, SSL_CERT_DIR: temporaryFolder() });
    expect(await runProgram(get, env, '', withNode(major))).toMatchObject(found);
    expect(await runProgram(create, env, '', withNode(major))).toMatchObject({ code: 0 });
    expect(await runProgram(['doctor'], env, '', withNode(major))).toMatchObject({ code: 0 });
    // Several writes at once meet the unknown certificate, and each is sent once.
    const file = path.join(temporaryFolder(), 'requests.csv');
    const languages = ['fra', 'deu', 'ita', 'spa', 'jpn', 'por'];
    const rows = languages.map((language) => `a-1001,${language}\n`);
    writeFileSync(file, `asset,language\n${rows.join('')}`);
    const batch = ['wr', 'create', '--batch', file, '--yes', '--skip-checks', '--concurrency', '6'];
    const sent = await runProgram(batch, env, '', withNode(major));
    expect(sent, sent.stderr).toMatchObject({ code: 0, stdout: '6 rows: 6 done\n' });
    expect(nginx.requests().filter((line) => line.startsWith('POST'))).toHaveLength(7);

    const off = await runProgram(['config', 'set', 'system-ca', 'off'], env, '', withNode(major));
    expect(off.code, off.stderr).toBe(0);
    expect(await runProgram(get, env, '', withNode(major))).toMatchObject({ code: 7 });
  });
});

describe('--ca-cert', () => {
  const files: Record<string, (folder: string) => string> = {
    'is missing': (folder) => path.join(folder, 'nowhere.pem'),
    'is a folder': (folder) => folder,
    'is empty': (folder) => written(folder, ''),
    'holds no certificate': (folder) => written(folder, 'Dear all,\nsee the attached file.\n'),
    'holds a key alone': () => makeAuthority('Northlight Root').key,
    'holds a certificate that is cut off': (folder) => {
      const whole = readFileSync(makeAuthority('Northlight Root').file, 'utf8');
      return written(folder, whole.replace(/[^\n]+\n[^\n]+\n(?=-----END)/, ''));
    },
    'holds a certificate that is cut off behind a good one': (folder) => {
      const whole = readFileSync(makeAuthority('Northlight Root').file, 'utf8');
      return written(folder, whole + whole.replace(/[^\n]+\n[^\n]+\n(?=-----END)/, ''));
    },
  };
  const written = (folder: string, text: string) => {
    const file = path.join(folder, 'ca.pem');
    writeFileSync(file, text);
    return file;
  };

  it.each(Object.entries(files))(
    'whose file %s is refused by its name, before anything is sent',
    async (_name, make) => {
      const server = await faultyServer(silence, { scheme: 'https' });
      const env = isolated(server.env);
      const file = make(temporaryFolder());
      const outcome = await runProgram([...create, '--ca-cert', file], env);
      expect(outcome).toMatchObject({ code: 2, stdout: '' });
      const { error } = JSON.parse(outcome.stderr);
      expect(error.kind).toBe('usage');
      expect(error.message).toContain(file);
      expect(server.connections).toEqual([]);
    },
  );
});

describe('a certificate that is wrong', () => {
  it('because it has expired is reported with the day', async () => {
    const issuer = makeAuthority('Northlight Root');
    const certificate = certificateFrom(issuer, { isExpired: true });
    const { message } = await refusal({ certificate }, { ca: issuer.file });
    const { validTo } = new X509Certificate(readFileSync(certificate.file));
    expect(message).toContain('expired');
    expect(message).toContain(validTo);
  });

  it.each(['localhost', '127.0.0.1'])(
    'because it is not for %s is told with the names that it is for',
    async (host) => {
      const issuer = makeAuthority('Northlight Root');
      const hosts = ['DNS:media.northlight.example', 'DNS:*.backup.northlight.example'];
      const certificate = certificateFrom(issuer, { hosts });
      const { message } = await refusal({ certificate }, { ca: issuer.file, host });
      expect(message).toContain('media.northlight.example');
      expect(message).toContain('*.backup.northlight.example');
    },
  );

  it('because it signed itself is reported, and can be trusted by --ca-cert all the same', async () => {
    const certificate = makeCertificate({ name: 'media server', hosts: loopbackHosts });
    const { message, hint } = await refusal({ certificate }, {});
    expect(message).toMatch(/self-signed/);
    expect(message).toContain('media server');
    expect(hint).toContain('--ca-cert');

    const { env } = await openStudio({ certificate });
    expect(await runProgram([...get, '--ca-cert', certificate.file], env())).toMatchObject(found);
  });
});

describe('an intermediate CA', () => {
  function makeChain() {
    const root = makeAuthority('Northlight Root');
    const intermediate = makeAuthority('Northlight Issuing', root);
    const leaf = certificateFrom(intermediate);
    return { root, intermediate, leaf, chain: { ...leaf, file: bundle(leaf, intermediate) } };
  }

  it('that the server does not send is named', async () => {
    const { root, leaf } = makeChain();
    const { message } = await refusal({ certificate: leaf }, { ca: root.file });
    expect(message).toContain('Northlight Issuing');
  });

  it('that the server sends is followed to the root', async () => {
    const { root, chain } = makeChain();
    const { env } = await openStudio({ certificate: chain });
    expect(await runProgram([...get, '--ca-cert', root.file], env())).toMatchObject(found);
  });

  it('that the server does not send can stand in the file beside the root', async () => {
    const { root, intermediate, leaf } = makeChain();
    const { env } = await openStudio({ certificate: leaf });
    const both = ['--ca-cert', bundle(intermediate, root)];
    expect(await runProgram([...get, ...both], env())).toMatchObject(found);
  });

  it('is not enough without its root being known', async () => {
    const { chain } = makeChain();
    const { message } = await refusal({ certificate: chain }, {});
    expect(message).toContain('Northlight Root');
  });
});

describe('mar doctor', () => {
  interface Check {
    name: string;
    state: string;
    message: string;
    hint?: string;
  }
  const tlsLine = (stdout: string) =>
    JSON.parse(stdout).checks.find(({ name }: Check) => name === 'TLS') as Check;

  it.each(['--ca-cert', 'NODE_EXTRA_CA_CERTS'])('trusts the CA that %s names', async (way) => {
    const { authority, env } = await openStudio();
    const isFlag = way.startsWith('--');
    const variables = env(isFlag ? {} : { [way]: authority.file });
    const flags = isFlag ? [way, authority.file] : [];
    const { code, stdout, stderr } = await runProgram(['doctor', '--json', ...flags], variables);
    expect(code, stdout + stderr).toBe(0);
    const { state, message } = tlsLine(stdout);
    expect(state).toBe('ok');
    expect(message).toMatch(/TLSv1\.[23], certificate from Northlight .*(89|90) more days/);
  });

  it('shows at TLS why a certificate is not trusted, and what to do', async () => {
    const { nginx, env } = await openStudio();
    const { code, stdout } = await runProgram(['doctor', '--json'], env());
    expect(code).toBe(7);
    const { state, message, hint } = tlsLine(stdout);
    expect(state).toBe('failed');
    expect(message).toContain('Northlight Root');
    expect(hint).toContain('--ca-cert');
    expect(hint).toContain('NODE_EXTRA_CA_CERTS');
    expect(nginx.requests()).toEqual([]);
  });

  it('shows at TLS that a port does not speak it', async () => {
    const service = await startService();
    const env = at(service, service.baseUrl.replace('http:', 'https:'));
    const { code, stdout } = await runProgram(['doctor', '--json'], env);
    expect(code).toBe(7);
    expect(tlsLine(stdout)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('does not speak TLS'),
    });
  });
});

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((address) => address?.address === '::1');

describe.runIf(hasIpv6)('an IPv6 literal', () => {
  it('is a base URL over plain http', async () => {
    const service = await startService();
    const nginx = await startNginx({ service: service.baseUrl, address: '[::1]' });
    const env = at(service, `http://[::1]:${nginx.port}/api`);
    expect(await runProgram(get, env)).toMatchObject(found);
    expect(nginx.requests()).toHaveLength(1);
    expect(await runProgram(['doctor'], env)).toMatchObject({ code: 0 });
  });

  it('is a base URL over TLS, which its certificate is checked for', async () => {
    const { authority, env } = await openStudio({ address: '[::1]' });
    const ca = ['--ca-cert', authority.file];
    expect(await runProgram([...get, ...ca], env())).toMatchObject(found);
    expect(await runProgram(['doctor', ...ca], env())).toMatchObject({ code: 0 });

    const certificate = certificateFrom(authority, { hosts: ['IP:192.0.2.7'] });
    const server: Server = { certificate, address: '[::1]' };
    const { message } = await refusal(server, { ca: authority.file, host: '[::1]' });
    expect(message).toContain('192.0.2.7');
  });
});
