import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { numbered } from '../batch/harness.ts';
import { trustedTls } from '../harness/certificates.ts';
import {
  account,
  type FaultyServerOptions,
  faultyServer,
  fullResponse,
  tunnelTo,
} from '../harness/faultyServer.ts';
import { mar, temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, runProgram } from '../harness/program.ts';
import { randomNumbers } from '../harness/random.ts';
import { isolated } from '../harness/service.ts';

/** Writes a response and its duplicate. */
type Repeat = (socket: Socket, response: Buffer) => void;

const inOnePiece: Repeat = (socket, response) => {
  socket.write(Buffer.concat([response, response]));
};
const inTwoWrites: Repeat = (socket, response) => {
  socket.write(response);
  socket.write(response);
};
const later =
  (ms: number): Repeat =>
  (socket, response) => {
    socket.write(response);
    setTimeout(() => socket.writable && socket.write(response), ms);
  };

/** The previous response on the connection comes again when the next request is there. */
function withTheNextRequest(): Repeat {
  const previous = new WeakMap<Socket, Buffer>();
  return (socket, response) => {
    const again = previous.get(socket);
    previous.set(socket, response);
    if (!again) return void socket.write(response);
    socket.write(again);
    setTimeout(() => socket.writable && socket.write(response), 20);
  };
}

/** The previous response on the connection comes again right before the next one. */
function beforeTheNextResponse(): Repeat {
  const previous = new WeakMap<Socket, Buffer>();
  return (socket, response) => {
    socket.write(Buffer.concat([previous.get(socket) ?? Buffer.alloc(0), response]));
    previous.set(socket, response);
  };
}

/** Every fourth response twice, up to 30 ms late. */
function nowAndThen(seed: number): Repeat {
  const random = randomNumbers(seed);
  return (socket, response) => {
    const isTwice = random(4) === 0;
    const ms = random(30);
    if (isTwice) later(ms)(socket, response);
    else socket.write(response);
  };
}

const repeats: [name: string, repeat: () => Repeat][] = [
  ['in the same packet', () => inOnePiece],
  ['in a second packet', () => inTwoWrites],
  ['5 ms later', () => later(5)],
  ['20 ms later', () => later(20)],
  ['with the next request', withTheNextRequest],
  ['before the next response', beforeTheNextResponse],
  ['now and then, at any time (seed 1)', () => nowAndThen(1)],
];

const record = (id: string) => ({ _id: id, name: `name of ${id}` });
const fileCount = 30;

/** Accepts rows with odd numbers and refuses the others; has every asset, and 30 files. */
function respond(request: string): Buffer {
  const [requestHead = '', body = ''] = request.split('\r\n\r\n');
  const [method, address = ''] = requestHead.split(' ');
  const target = address.replace(/^.*\/api/, '');
  if (method === 'POST') return respondToRow(Number(JSON.parse(body).instructions));
  if (method === 'PUT') return fullResponse(body);
  if (target.startsWith('/assets/')) return fullResponse(JSON.stringify(record(target.slice(8))));
  const [, first] = /resources=(\d+)/.exec(request) ?? [];
  const page = Number(first) < fileCount ? [{ _id: `f-${first}` }] : [];
  return fullResponse(JSON.stringify(page));
}

const respondToRow = (row: number) =>
  row % 2 === 1
    ? fullResponse(JSON.stringify({ _id: `wr-${row}`, instructions: `${row}` }))
    : fullResponse('{"message":"no"}', { status: '422 Refused' });

async function doublingService(repeat: Repeat, options: FaultyServerOptions = {}) {
  const server = await faultyServer((socket) => {
    const request = server.requests.at(-1) ?? '';
    setTimeout(() => socket.writable && repeat(socket, respond(request)), 3);
  }, options);
  return server;
}

interface RowState {
  row: number;
  state: string;
  id: string;
}

/** Runs a batch of numbered rows. */
async function runBatch(env: Record<string, string>, flags: readonly string[] = [], count = 60) {
  const folder = temporaryFolder();
  const file = path.join(folder, 'rows.jsonl');
  writeFileSync(file, numbered(count));
  const argv = ['wr', 'create', '--batch', file, ...flags];
  const run = await runProgram(argv, cleanEnvironment(folder, env));
  const states = (await mar(['batch', 'report', file, '-o', 'csv'])).stdout
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line): RowState => {
      const [row, state = '', id = ''] = line.split(',');
      return { row: Number(row), state, id };
    });
  return { ...run, states };
}

/** Rows whose reported outcome is not the one that the service gave them. */
const wrongRows = (states: readonly RowState[]) =>
  states.filter(({ row, state, id }) => {
    if (state === 'done') return row % 2 === 0 || id !== `wr-${row}`;
    return state === 'failed' && row % 2 === 1;
  });

/** Each row that was sent arrived once. */
function expectNoneSentTwice(requests: readonly string[]): void {
  const rows = requests.map((request) => /"instructions":"(\d+)"/.exec(request)?.[1]);
  expect(new Set(rows).size).toBe(rows.length);
}

describe.each(repeats)('a service that sends responses twice, %s,', (_name, repeat) => {
  it('gives no row of a batch the outcome of another', async () => {
    const server = await doublingService(repeat());
    const { states, stderr } = await runBatch(server.env);
    expect(wrongRows(states), stderr).toEqual([]);
    expectNoneSentTwice(server.requests);
    // Most outcomes are known: the disorder is noticed at once.
    expect(states.filter(({ state }) => state === 'unknown').length).toBeLessThanOrEqual(5);
  });

  it('gives no id the record of another', async () => {
    const server = await doublingService(repeat());
    const ids = Array.from({ length: 30 }, (_, index) => `a-${index + 1}`);
    const run = await runProgram(['asset', 'get', ...ids, '--jsonl'], isolated(server.env));
    expect(run, run.stderr).toMatchObject({ code: 0 });
    const lines = run.stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(ids.map(record));
  });

  it('shifts no page of a list without a warning', async () => {
    const server = await doublingService(repeat());
    const list = ['file', 'list', '--all', '--columns', '_id', '--jsonl'];
    const run = await runProgram(list, isolated(server.env));
    const lines = Array.from({ length: fileCount }, (_, index) => `{"_id":"f-${index}"}\n`);
    if (run.stdout === lines.join('')) expect(run, run.stderr).toMatchObject({ code: 0 });
    else expect(run.stderr).toMatch(/"code":"list-changed"|page at record \d+/);
  });

  it('does not make a guarded write take the record read before for its result', async () => {
    const server = await doublingService(repeat());
    const put = ['asset', 'put', 'a-1', '--set', 'name=new', '--json'];
    const run = await runProgram(put, isolated(server.env));
    const puts = server.requests.filter((request) => request.startsWith('PUT '));
    expect(puts).toHaveLength(1);
    if (run.code === 0) expect(JSON.parse(run.stdout)).toEqual({ _id: 'a-1', name: 'new' });
    else expect(JSON.parse(run.stderr).error.outcome).toBe('unknown');
  });
});

describe.each<[name: string, repeat: () => Repeat]>([
  ['at once', () => inTwoWrites],
  ['5 ms later', () => later(5)],
  ['with the next request', withTheNextRequest],
])('responses that come twice %s', (_name, repeat) => {
  it('stay in step over TLS, also through a tunnel', async () => {
    const { tls, caCert } = trustedTls();
    for (const isTunnel of [false, true]) {
      const server = await doublingService(repeat(), { tls });
      const proxy = await faultyServer(tunnelTo(server.port));
      const own: Record<string, string> = isTunnel
        ? { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }
        : {};
      const { states, stderr } = await runBatch({ ...server.env, ...own }, ['--ca-cert', caCert]);
      expect(wrongRows(states), stderr).toEqual([]);
      expectNoneSentTwice(server.requests);
      expect(proxy.requests.length > 0).toBe(isTunnel);
    }
  });

  it('stay in step through a proxy that repeats them', async () => {
    const proxy = await doublingService(repeat());
    const { states, stderr } = await runBatch({
      ...account,
      MAR_BASE_URL: 'http://127.0.0.1:1/api',
      HTTP_PROXY: `http://127.0.0.1:${proxy.port}`,
    });
    expect(wrongRows(states), stderr).toEqual([]);
    expectNoneSentTwice(proxy.requests);
    expect(proxy.requests[0]).toMatch(/^POST http:/);
  });
});

it('a row that gets the response to the row before has an unknown outcome', async () => {
  const server = await doublingService(withTheNextRequest());
  const { code, states } = await runBatch(server.env, ['--concurrency', '1'], 4);
  expect(states.map(({ state }) => state)).toEqual(['done', 'unknown', 'done', 'failed']);
  expect(code).toBe(8);
});

it('a success before the request was read means nothing', async () => {
  // It reads a little, and answers as if that were all.
  const server = await faultyServer(() => {}, {
    onConnect: (socket) =>
      socket.once('data', () => {
        socket.pause();
        socket.write(fullResponse('{"_id":"wr-1"}'));
      }),
  });
  const folder = temporaryFolder();
  const file = path.join(folder, 'large.json');
  writeFileSync(file, JSON.stringify({ instructions: 'x'.repeat(20_000_000) }));
  const argv = ['wr', 'create', '-f', file, '--skip-checks', '--json'];
  const run = await runProgram(argv, cleanEnvironment(folder, server.env));
  expect(run, run.stderr).toMatchObject({ code: 1, stdout: '' });
  expect(JSON.parse(run.stderr).error.outcome).toBe('unknown');
});
