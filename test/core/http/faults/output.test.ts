import { describe, expect, it } from 'vitest';
import {
  type Fault,
  faultyServer,
  reset,
  respond,
  responseHead,
  send,
  sendAndClose,
  silence,
} from '../../../harness/faultyServer.ts';
import { mar } from '../../../harness/mar.ts';
import { hostile, liveControls } from '../../output/samples.ts';
import { expectNoHarm, watchProcess } from './rows.ts';

const once = ['--retries', '0'];

/** Ways to fail after a part was printed. */
const failures: [name: string, fault: Fault, code: number, timeout?: string][] = [
  ['a failure', respond('', { status: '500 Broken' }), 1],
  ['a refusal', respond('', { status: '403 No' }), 4],
  ['a reset', reset, 7],
  ['silence', silence, 7, '500ms'],
  ['half an answer', sendAndClose(responseHead({ headers: ['Content-Length: 99'] }), '[{'), 1],
  ['what is no list', respond('{}'), 1],
  ['what is not JSON', respond('<html>'), 1],
  ['the same page twice', respond('[{"_id":"f-1"}]'), 1],
];

const formats = [['--jsonl'], ['--json'], ['-o', 'tsv'], ['-o', 'table']];

describe.each(formats)('a list with %s %s whose second page is', (...flags) => {
  watchProcess();

  it.each(failures)('%s ends with whole lines', async (_name, fault, code, timeout = '10s') => {
    for (const columns of [undefined, 80]) {
      const server = await faultyServer([respond('[{"_id":"f-1"}]'), fault]);
      const argv = ['file', 'list', '--all', ...once, '--timeout', timeout, '--no-color', ...flags];
      const run = await mar(argv, { env: server.env, columns });
      // Records that arrived before are printed.
      expect(run.stdout).toContain('f-1');
      expect(run.code, run.stderr).toBe(code);
      expect(server.requests).toHaveLength(2);
      expectNoHarm(run);
    }
  });
});

describe.each(formats)('several records with %s %s of which one is', (...flags) => {
  watchProcess();

  it.each(failures.slice(0, 5))(
    '%s are printed without it',
    async (_name, fault, code, timeout = '10s') => {
      const server = await faultyServer((socket) => {
        const [, id = ''] = /assets\/(\S+)/.exec(server.requests.at(-1) ?? '') ?? [];
        if (id === 'a-2') fault(socket);
        else respond(JSON.stringify({ _id: id }))(socket);
      });
      const argv = ['asset', 'get', 'a-1', 'a-2', 'a-3', ...once, '--timeout', timeout, ...flags];
      const run = await mar(argv, server);
      expect(run.code, run.stderr).toBe(code);
      expect(run.stdout).toMatch(/a-1[^2]*a-3/s);
      expect(server.requests).toHaveLength(3);
      expectNoHarm(run);
    },
  );
});

describe('the text of a server in a failure', () => {
  watchProcess();
  /** U+2028 and U+2029 divide lines for some programs and for no terminal: JSON keeps them. */
  const all = hostile.filter((text) => !/[\u2028\u2029]/.test(text)).join(' | ');
  /** The part that fits into a header. */
  const inHeader = all.replace(/[\0\r\n\v\f\b]/g, '');

  const refusal = (status: string, header: string) =>
    respond('{}', { status, headers: [`${header}: ${inHeader}`] });

  it.each<[string, Fault]>([
    ['as its message', respond(JSON.stringify({ message: all }), { status: '400 Bad' })],
    ['as its body', respond(all, { status: '500 Broken' })],
    ['as its reason', send(`HTTP/1.1 400 ${inHeader}\r\nContent-Length: 0\r\n\r\n`)],
    ['as the id of a request', refusal('400 Bad', 'X-Request-Id')],
    ['as the time to wait', refusal('429 Often', 'Retry-After')],
    ['as the target of a redirect', refusal('302 Go', 'Location')],
    [
      'as an encoding',
      respond('{}', { headers: [`Content-Encoding: ${inHeader.replaceAll(',', '')}`] }),
    ],
    ['as a page', respond(`<html>${all}`)],
    ['in place of HTTP', sendAndClose(all)],
  ])('never reaches a terminal live: %s', async (_name, fault) => {
    const server = await faultyServer(fault);
    for (const flags of [[], ['--debug'], ['--json'], ['--json', '--debug']]) {
      const argv = ['asset', 'get', 'a-1', '--no-color', ...once, ...flags];
      const run = await mar(argv, { env: server.env, columns: 80 });
      expect([1, 3], run.stderr).toContain(run.code);
      expect(run.stdout).toBe('');
      expect(run.stderr.split('\n').flatMap(liveControls), run.stderr).toEqual([]);
    }
  });
});
