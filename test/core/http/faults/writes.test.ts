import { describe, expect, it } from 'vitest';
import { configFile } from '../../../../src/core/config/configFile.ts';
import { tokenFile } from '../../../../src/core/credentials/tokenFile.ts';
import {
  account,
  drip,
  type Fault,
  type FaultyServer,
  faultyServer,
  reset,
  respond,
  responseHead,
  send,
  sendAndClose,
  silence,
} from '../../../harness/faultyServer.ts';
import { mar, type Outcome, temporaryFolder } from '../../../harness/mar.ts';
import { factsIn } from '../../../harness/marWith.ts';
import { networkWords } from '../../../words/network.ts';
import { body, expectNoHarm, watchProcess } from './rows.ts';

const hinting = (words: string) => ({ outcome: 'unknown', hint: expect.stringContaining(words) });
const unknown = hinting(networkWords.unknown);
const probablyDone = hinting(networkWords.probablyDone);
const reason = '{"message":"said the service"}';
const said = (status: number, outcome: string) => ({ status, outcome, body: reason });
const hundred = responseHead({ headers: ['Content-Length: 100'] });
const status = (status: string, ...headers: string[]) => respond(reason, { status, headers });
const again = 'Retry-After: 0';

const brokenGzip = respond('{}', { headers: ['Content-Encoding: gzip'] });

const faults: [name: string, fault: Fault, code: number, facts: object, timeout?: string][] = [
  ['a reset', reset, 7, unknown],
  ['silence', silence, 7, unknown, '1s'],
  ['half of the headers', sendAndClose('HTTP/1.1 200 OK\r\nX: '), 7, unknown],
  ['a body that drips', drip(hundred, ' '), 7, unknown, '1s'],
  ['half an answer', sendAndClose(hundred, '{"_id":'), 1, probablyDone],
  ['what is not HTTP', send('SSH-2.0-OpenSSH_9.2\r\n'), 1, probablyDone],
  ['an answer that is not JSON', respond('<html>'), 1, probablyDone],
  ['an answer in a broken encoding', brokenGzip, 1, probablyDone],
  ['a status of 500', status('500 Broken'), 1, said(500, 'unknown')],
  ['a status of 503 that says when', status('503 Busy', again), 1, said(503, 'unknown')],
  ['a status of 504', status('504 Gateway', again), 1, said(504, 'unknown')],
  ['a status of 408', status('408 Slow', again), 3, said(408, 'refused')],
  ['a status of 429 that says when', status('429 Often', again), 1, said(429, 'refused')],
  ['a status of 409', status('409 Conflict'), 3, said(409, 'refused')],
];

type Write = (env: Record<string, string>, flags?: string[]) => Promise<Outcome>;

const create = ['wr', 'create', '--skip-checks', '--set', 'language=fra'];
const put = ['event', 'put', '-f', '-'];
const writes: [method: string, run: Write][] = [
  ['POST', (env, flags = []) => mar([...create, ...flags], { env })],
  ['PUT', (env, flags = []) => mar([...put, ...flags], { env, stdin: '{"_id":"e-1"}' })],
  ['DELETE', logOut],
];

/** Only a token that is stored can be revoked. */
async function logOut(
  { MAR_BASE_URL: baseUrl = '' }: Record<string, string>,
  flags: string[] = [],
): Promise<Outcome> {
  const folder = temporaryFolder();
  const { MAR_EMAIL: email, MAR_TOKEN: token } = account;
  await tokenFile(folder).write({ email, origin: new URL(baseUrl).origin }, token);
  await configFile(folder).update((config) => {
    config.profiles = { default: { baseUrl, email, store: 'file' } };
  });
  return mar(['logout', ...flags], { env: { MAR_CONFIG_DIR: folder } });
}

describe.each(writes)('a %s is sent once, whatever comes back:', (method, run) => {
  watchProcess();

  it.each(faults)('%s', async (_name, fault, code, facts, timeout = '10s') => {
    const server = await faultyServer(fault);
    const outcome = await run(server.env, ['--timeout', timeout, '--retries', '5', '--json']);
    expect(outcome, outcome.stderr).toMatchObject({ code, stdout: '' });
    const error = factsIn(outcome.stderr);
    expect(error).toMatchObject({ method, ...facts });
    // Where nothing is known of the outcome, nobody is told to just try again.
    if (error.outcome === 'unknown') {
      expect(error.hint).toContain(networkWords.checkFirst);
      expect(error.hint).not.toMatch(new RegExp(networkWords.tryAgain, 'i'));
    }
    expect(server.requests).toEqual([expect.stringMatching(`^${method} `)]);
    expect(server.connections).toHaveLength(1);
    expectNoHarm(outcome);
    await server.released();
  });

  it('nothing, when nobody listens: then it is certain that it was not carried out', async () => {
    const outcome = await run({ ...account, MAR_BASE_URL: 'http://127.0.0.1:1/api' }, ['--json']);
    expect(outcome).toMatchObject({ code: 7, stdout: '' });
    const error = factsIn(outcome.stderr);
    const message = `127.0.0.1:1 ${networkWords.refused}`;
    expect(error).toMatchObject({ message, cause: 'ECONNREFUSED', outcome: 'not-sent' });
    expectNoHarm(outcome);
  });
});

describe('a write', () => {
  watchProcess();

  /** A service that responds to reads alone. */
  async function readOnly() {
    const server: FaultyServer = await faultyServer((socket) => {
      const isRead = server.requests.at(-1)?.startsWith('GET ');
      (isRead ? respond(body) : reset)(socket);
    });
    return server;
  }

  it('on a kept connection that breaks is sent once', async () => {
    const server = await readOnly();
    const outcome = await mar(['asset', 'put', 'a-1', '--set', 'name=x'], server);
    expect(outcome, outcome.stderr).toMatchObject({ code: 7, stdout: '' });
    expect(outcome.stderr).toContain(networkWords.unknown);
    expect(server.requests.filter((request) => request.startsWith('PUT '))).toHaveLength(1);
    expectNoHarm(outcome);
  });

  it.each([
    ['asset put -f - --force', { _id: 'a-1', name: 'x' }, 'run: mar asset get a-1'],
    ['wr create --skip-checks -f -', {}, 'The service cannot list work requests: check in'],
    ['translation submit -f -', { workRequest: 'wr-1' }, 'run: mar wr get wr-1'],
    ['offline put o-1 -f -', { workRequest: 'wr-1' }, 'run: mar wr get wr-1'],
    ['preview put -f -', { _id: 'p-1', asset: 'a-1' }, 'run: mar asset get a-1'],
    ['file upload-meta -f -', {}, 'run: mar file list --all'],
    ['event put -f -', {}, 'The service cannot return events: ask one of the notified users'],
  ])('of unknown outcome explains how to find out: %s', async (line, record, look) => {
    const { env } = await readOnly();
    const { code, stderr } = await mar(line.split(' '), { env, stdin: JSON.stringify(record) });
    expect(code, stderr).toBe(7);
    expect(stderr).toContain(networkWords.checkFirst);
    expect(stderr).toContain(look);
  });

  it.each([
    ['wr-1; rm x', "mar wr get 'wr-1; rm x'"],
    ["wr-1'; rm $x", 'mar wr get …'],
  ])('gives no command that a shell would take for another: %j', async (workRequest, look) => {
    const server = await faultyServer(reset);
    const stdin = JSON.stringify({ workRequest });
    const outcome = await mar(['translation', 'submit', '-f', '-'], { env: server.env, stdin });
    expect(outcome.stderr).toContain(`run: ${look}\n`);
  });

  it('that is refused before all of it was read is reported', async () => {
    const headers = ['Content-Length: 0', 'Connection: close'];
    const refuse = sendAndClose(responseHead({ status: '413 Too Large', headers }));
    const server = await faultyServer(silence, {
      onConnect: (socket) => socket.once('data', () => refuse(socket)),
    });
    const stdin = JSON.stringify({ instructions: 'x'.repeat(5_000_000) });
    const argv = ['wr', 'create', '--skip-checks', '-f', '-'];
    const outcome = await mar(argv, { env: server.env, stdin });
    expect(outcome, outcome.stderr).toMatchObject({ code: 3, stdout: '' });
    expect(outcome.stderr).toMatch(/\b413\b/);
    expect(server.connections).toHaveLength(1);
    expectNoHarm(outcome);
  });
});
