import { describe } from 'vitest';
import {
  drip,
  type Fault,
  flood,
  responseHead,
  send,
  silence,
} from '../../harness/faultyServer.ts';
import { failing, faultTable, type Row } from './rows.ts';

const timeoutMs = 300;
const chunked = responseHead({ headers: ['Transfer-Encoding: chunked'] });
const head = (status?: string, ...headers: string[]) =>
  responseHead({ status, headers: ['Content-Length: 100', ...headers] });
const hundred = head();

/** Whatever the server does: it is given up in time, and not asked again. */
const late = (name: string, server: Fault, row: Partial<Row> = {}) =>
  failing(name, server, 7, /did not respond within 300ms/, {
    flags: ['--timeout', `${timeoutMs}ms`],
    takesMs: [timeoutMs, timeoutMs],
    ...row,
  });

describe('the deadline ends', () => {
  faultTable([
    late('a server that says nothing', silence),
    late('a status line that stops half way', send('HTTP/1.1 20')),
    late('a status line that drips', drip('HTTP/1.1 200 ', 'O')),
    late('headers that stop half way', send('HTTP/1.1 200 OK\r\nContent-Le')),
    late('headers that drip', drip('HTTP/1.1 200 OK\r\n', 'X: y\r\n')),
    late('a header that drips', drip('HTTP/1.1 200 OK\r\nX: ', 'y')),
    late('headers without a body', send(hundred)),
    late('a body that stops half way', send(hundred, '{"_id":')),
    late('a body that drips', drip(hundred, ' ')),
    late(
      'a body whose end is the end of a connection that stays',
      send(responseHead(), '{"_id":"a-1"}'),
    ),
    late('chunks that drip', drip(chunked, '1\r\n \r\n')),
    late('a chunk whose size drips', drip(chunked, '0')),
    late('a chunk that stops half way', send(chunked, '64\r\n{"_id":')),
    late('chunks without a last one', send(chunked, 'd\r\n{"_id":"a-1"}\r\n')),
    late('a last chunk whose trailers drip', drip(`${chunked}0\r\n`, 'X: y\r\n')),
    late(
      'answers that are not the last, without end',
      drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    ),
    late('empty lines without end', flood('', '\r\n'.repeat(500))),
    late('a body without end', flood(chunked, `400\r\n${' '.repeat(1024)}\r\n`)),
    late(
      'a compressed body that stops half way',
      send(head(undefined, 'Content-Encoding: gzip'), '\x1f'),
    ),
    late('a refusal whose reason drips', drip(head('404 Not Found'), ' ')),
    late(
      'a failure whose reason drips, although it could be repeated',
      drip(head('503 Busy'), ' '),
    ),
    late('a TLS handshake that is never answered', silence, {
      options: { scheme: 'https' },
      requests: 0,
    }),
    late('a TLS handshake that drips', silence, {
      options: { scheme: 'https', onConnect: drip('\x16\x03\x03\x40\x00', '\x02') },
      requests: 0,
    }),
  ]);
});
