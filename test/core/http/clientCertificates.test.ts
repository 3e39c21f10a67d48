import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import {
  type Certificate,
  loopbackHosts,
  makeAuthority,
  makeCertificate,
  tlsOf,
} from '../../harness/certificates.ts';
import { account, faultyServer, respond, tunnelTo } from '../../harness/faultyServer.ts';
import { mar, marOk, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { networkWords } from '../../words/network.ts';

const get = ['asset', 'get', 'a-1', '--retries', '0', '--no-color'];

/** A service that responds only to clients with a certificate of its CA, with the name in it. */
async function openStudio() {
  const authority = makeAuthority('Northlight Root');
  const own = makeCertificate({ name: 'media server', issuer: authority, hosts: loopbackHosts });
  const client = makeCertificate({ name: 'ines', issuer: authority });
  const tls = { ...tlsOf(own), ca: readFileSync(authority.file), requestCert: true };
  const { port } = await faultyServer(
    (socket) => {
      const { subject } = (socket as TLSSocket).getPeerCertificate();
      const record = { _id: 'a-1', name: subject?.CN, token: 'new', email: 'a@b.c' };
      respond(JSON.stringify(record))(socket);
    },
    { tls },
  );
  const baseUrl = `https://localhost:${port}/api`;
  const env = { ...account, MAR_BASE_URL: baseUrl };
  const flags = ['--client-cert', client.file, '--client-key', client.key];
  return { port, client, flags, baseUrl, env, authority, ca: ['--ca-cert', authority.file] };
}

/** A pipe that nobody writes to. */
const fifo = () => {
  const file = path.join(temporaryFolder(), 'pipe.pem');
  execFileSync('mkfifo', [file]);
  return file;
};

const caFile = (text: string) => temporaryFile(text, 'ca.pem');
const joined = (...files: string[]) =>
  caFile(files.map((one) => readFileSync(one, 'utf8')).join(''));

/** A server that requests a certificate and takes any, or none. `shown` has the names in them. */
async function openOther(authority: Certificate, react = respond(JSON.stringify(login))) {
  const shown: unknown[] = [];
  const own = makeCertificate({ name: 'other', issuer: authority, hosts: loopbackHosts });
  const tls = { ...tlsOf(own), requestCert: true, rejectUnauthorized: false };
  const onConnect = (socket: Socket) =>
    shown.push((socket as TLSSocket).getPeerCertificate().subject?.CN);
  const server = await faultyServer(react, { tls, onConnect });
  return { ...server, baseUrl: `https://localhost:${server.port}/api`, shown };
}

const login = { _id: 'a-1', token: 'new', email: 'a@b.c' };

/** A folder with profiles, each for a service that accepts everybody, with a certificate of its own. */
async function openServices(...names: string[]) {
  const authority = makeAuthority('Northlight Root');
  const ca = ['--ca-cert', authority.file];
  const env = { MAR_CONFIG_DIR: temporaryFolder() };
  const logIn = (profile: string, baseUrl: string, ...flags: string[]) => {
    const who = ['--profile', profile, '--base-url', baseUrl, '--email', 'a@b.c'];
    const how = ['--password-stdin', '--insecure-storage', ...ca, ...flags];
    return marOk(['login', ...who, ...how], { env, stdin: 'secret' });
  };
  const services = [];
  for (const name of names) {
    const service = await openOther(authority);
    const client = makeCertificate({ name, issuer: authority });
    const flags = ['--client-cert', client.file, '--client-key', client.key];
    await logIn(name, service.baseUrl, ...flags);
    service.shown.length = 0;
    services.push({ ...service, flags });
  }
  return { env, ca, services, logIn, other: await openOther(authority) };
}

describe("a profile's client certificate", () => {
  const variables = { MAR_EMAIL: 'a@b.c', MAR_TOKEN: 's3cret' };

  it('is not shown to another service, by a request, by doctor or by a login', async () => {
    const { env, ca, services, logIn, other } = await openServices('ines');
    for (const argv of [get, ['doctor']]) {
      await mar([...argv, ...ca], { env: { ...env, ...variables, MAR_BASE_URL: other.baseUrl } });
    }
    await mar([...get, ...ca], { env });
    expect(services.map(({ shown }) => shown)).toEqual([['ines']]);
    await logIn('ines', other.baseUrl, '--replace');
    await mar([...get, ...ca], { env });
    expect(other.shown.length).toBeGreaterThan(3);
    expect(new Set(other.shown)).toEqual(new Set([undefined]));
  });

  it('goes to its own service when tokens of several profiles are revoked', async () => {
    const { env, ca, services, other, logIn } = await openServices('ines', 'oskar', 'hana');
    const [ines, oskar, hana] = services.map(({ shown }) => shown);
    await logIn('hana', other.baseUrl, '--replace', ...(services[0]?.flags ?? []));
    expect({ hana, other: other.shown }).toEqual({ hana: ['hana'], other: ['ines'] });
    await marOk(['profile', 'remove', 'hana', '--profile', 'ines', ...ca], { env });
    await marOk(['logout', '--all', ...ca], { env });
    expect({ ines, oskar }).toEqual({ ines: ['ines'], oskar: ['oskar'] });
    expect(other.shown).toEqual(['ines', 'ines']);
  });

  it.each(['https', 'http'])('is not shown to a proxy on the way to %s', async (scheme) => {
    const { port, flags, env, ca, authority } = await openStudio();
    const record = respond('{"_id":"a-1","name":"ines"}');
    const proxy = await openOther(authority, scheme === 'https' ? tunnelTo(port) : record);
    const run = await mar([...get, '--jq', '.name', ...ca, ...flags], {
      env: {
        ...env,
        MAR_BASE_URL: scheme === 'https' ? env.MAR_BASE_URL : 'http://127.0.0.1:1/api',
        [`${scheme.toUpperCase()}_PROXY`]: `https://localhost:${proxy.port}`,
      },
    });
    expect(run.stdout, run.stderr).toBe('ines\n');
    expect(proxy.shown).toEqual([undefined]);
  });
});

describe('--client-cert', () => {
  it('is shown to a service that requests it, with a key of its own, inside, or encrypted', async () => {
    const { client, flags, env, ca } = await openStudio();
    for (const own of [flags, ['--client-cert', joined(client.file, client.key)]]) {
      const { stdout, stderr } = await mar([...get, '--jq', '.name', ...ca, ...own], { env });
      expect(stdout, stderr).toBe('ines\n');
    }
    const key = path.join(temporaryFolder(), 'encrypted.pem');
    const encrypt = ['pkcs8', '-topk8', '-in', client.key, '-out', key, '-passout', 'pass:open'];
    execFileSync('/usr/bin/openssl', encrypt);
    const argv = [...get, ...ca, '--client-cert', client.file, '--client-key', key];
    const withPassphrase = (MAR_CLIENT_KEY_PASSPHRASE: string) =>
      mar(argv, { env: { ...env, MAR_CLIENT_KEY_PASSPHRASE } });
    expect((await withPassphrase('open')).stdout).toContain('ines');
    for (const wrong of [withPassphrase('guess'), mar(argv, { env })]) {
      expect(await failure(2, wrong)).toContain(networkWords.keyUnusable);
    }
  });

  it('belongs to the profile after a login with it, and can be changed there', async () => {
    const { flags, baseUrl, ca } = await openStudio();
    const env = { MAR_CONFIG_DIR: temporaryFolder() };
    const login = ['login', '--base-url', baseUrl, '--email', 'a@b.c', ...ca];
    for (const own of [flags, []]) {
      const stored = [...login, '--password-stdin', '--insecure-storage', ...own];
      await marOk(stored, { env, stdin: 'secret' });
      expect((await mar([...get, '--jq', '.name', ...ca], { env })).stdout).toBe('ines\n');
    }
    for (const key of ['client-cert', 'client-key']) await mar(['config', 'unset', key], { env });
    expect(await failure(7, mar([...get, ...ca], { env }))).toContain('--client-cert FILE');
  });

  it.each<[string, (files: { file: string; key: string }) => string[], string]>([
    ['is missing', ({ key }) => ['--client-key', key], '--client-key needs --client-cert'],
    ['cannot be read', () => ['--client-cert', '/nowhere.pem'], '--client-cert /nowhere.pem: no'],
    ['is a key', ({ key }) => ['--client-cert', key], 'it contains no certificate'],
    ['has no key', ({ file }) => ['--client-cert', file], networkWords.keyUnusable],
    [
      'has a key that cannot be read',
      ({ file }) => ['--client-cert', file, '--client-key', '/nowhere.pem'],
      '--client-key /nowhere.pem: no such file',
    ],
    ['is a pipe', () => ['--client-cert', fifo()], 'pipe.pem'],
    ['comes with a pipe of a CA', () => ['--ca-cert', fifo()], 'pipe.pem'],
    ['comes with no CA', () => ['--ca-cert', '/nowhere.pem'], '--ca-cert /nowhere.pem'],
    ['comes with a folder as a CA', () => ['--ca-cert', '/tmp'], '--ca-cert /tmp'],
    ['comes with an empty CA', () => ['--ca-cert', caFile('')], 'ca.pem'],
    ['comes with a letter as a CA', () => ['--ca-cert', caFile('Dear all,\n')], 'ca.pem'],
    ['comes with a key as a CA', ({ key }) => ['--ca-cert', key], 'key.pem'],
    [
      'comes with a CA that is cut off behind a good one',
      ({ file }) => {
        const whole = readFileSync(file, 'utf8');
        const cut = whole.replace(/[^\n]+\n[^\n]+\n(?=-----END)/, '');
        return ['--ca-cert', caFile(whole + cut)];
      },
      'ca.pem',
    ],
    [
      'has the key of another one',
      ({ file }) => ['--client-cert', file, '--client-key', makeAuthority('other').key],
      networkWords.keyUnusable,
    ],
  ])('that %s is refused, and nothing is sent', async (_name, flags, message) => {
    const files = makeCertificate({ name: 'ines' });
    const env = { ...account, MAR_BASE_URL: 'https://localhost:1/api' };
    expect(await failure(2, mar([...get, ...flags(files)], { env }))).toContain(message);
  });
});
