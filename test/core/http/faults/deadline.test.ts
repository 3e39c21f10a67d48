import { describe } from 'vitest';
import {
  drip,
  type Fault,
  flood,
  responseHead,
  send,
  silence,
} from '../../../harness/faultyServer.ts';
import { failing, faultTable, type Row } from './rows.ts';

const timeoutMs = 300;
const chunked = responseHead({ headers: ['Transfer-Encoding: chunked'] });
const head = (status?: string, ...headers: string[]) =>
  responseHead({ status, headers: ['Content-Length: 100', ...headers] });
const hundred = head();

/** Whatever the server does: it is given up in time, and not asked again. */
const late = (name: string, server: Fault, row: Partial<Row> = {}) =>
  failing(name, server, 7, /\b300ms\b/, {
    flags: ['--timeout', `${timeoutMs}ms`],
    mayBeUnsent: true,
    // On a busy machine, the deadline may come late, and then starts again once.
    takesMs: [timeoutMs, 2 * timeoutMs],
    ...row,
  });

describe('the deadline ends', () => {
  faultTable([
    late('a server that says nothing', silence),
    late('a status line that drips', drip('HTTP/1.1 200 ', 'O')),
    late('headers that drip', drip('HTTP/1.1 200 OK\r\n', 'X: y\r\n')),
    late('headers without a body', send(hundred)),
    late('a body that drips', drip(hundred, ' ')),
    late('a body that ends with the connection', send(responseHead(), '{"_id":"a-1"}')),
    late('a last chunk whose trailers drip', drip(`${chunked}0\r\n`, 'X: y\r\n')),
    late('early hints without end', drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n')),
    late('a body without end', flood(chunked, `400\r\n${' '.repeat(1024)}\r\n`)),
    late('half a compressed body', send(head(undefined, 'Content-Encoding: gzip'), '\x1f')),
    late('a refusal whose reason drips', drip(head('404 Not Found'), ' ')),
    late('a failure whose reason drips, unrepeated', drip(head('503 Busy'), ' ')),
    late('a TLS handshake', silence, { options: { scheme: 'https' }, requests: 0 }),
  ]);
});
