import { describe } from 'vitest';
import { drip, flood, responseHead, send, silence } from '../../harness/faultyServer.ts';
import { faultTable, type Row } from './rows.ts';

const timeoutMs = 300;
const chunked = responseHead({ headers: ['Transfer-Encoding: chunked'] });
const hundred = responseHead({ headers: ['Content-Length: 100'] });

/** Whatever the server does: it is given up in time, and not asked again. */
const late = (name: string, row: Pick<Row, 'server'> & Partial<Row>): Row => ({
  name,
  flags: ['--timeout', `${timeoutMs}ms`],
  code: 7,
  says: /did not respond within 300ms/,
  takesMs: [timeoutMs, timeoutMs],
  ...row,
});

describe('the deadline ends', () => {
  faultTable([
    late('a server that says nothing', { server: silence }),
    late('a status line that stops half way', { server: send('HTTP/1.1 20') }),
    late('a status line that drips', { server: drip('HTTP/1.1 200 ', 'O') }),
    late('headers that stop half way', { server: send('HTTP/1.1 200 OK\r\nContent-Le') }),
    late('headers that drip', { server: drip('HTTP/1.1 200 OK\r\n', 'X: y\r\n') }),
    late('a header that drips', { server: drip('HTTP/1.1 200 OK\r\nX: ', 'y') }),
    late('headers without a body', { server: send(hundred) }),
    late('a body that stops half way', { server: send(hundred, '{"_id":') }),
    late('a body that drips', { server: drip(hundred, ' ') }),
    late('a body whose end is the end of a connection that stays', {
      server: send(responseHead(), '{"_id":"a-1"}'),
    }),
    late('chunks that drip', { server: drip(chunked, '1\r\n \r\n') }),
    late('a chunk whose size drips', { server: drip(chunked, '0') }),
    late('a chunk that stops half way', { server: send(chunked, '64\r\n{"_id":') }),
    late('chunks without a last one', { server: send(chunked, 'd\r\n{"_id":"a-1"}\r\n') }),
    late('a last chunk whose trailers drip', { server: drip(`${chunked}0\r\n`, 'X: y\r\n') }),
    late('answers that are not the last, without end', {
      server: drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    }),
    late('empty lines without end', { server: flood('', '\r\n'.repeat(500)) }),
    late('a body without end', { server: flood(chunked, `400\r\n${' '.repeat(1024)}\r\n`) }),
    late('a compressed body that stops half way', {
      server: send(
        responseHead({ headers: ['Content-Encoding: gzip', 'Content-Length: 100'] }),
        '\x1f',
      ),
    }),
    late('a refusal whose reason drips', {
      server: drip(
        responseHead({ status: '404 Not Found', headers: ['Content-Length: 100'] }),
        ' ',
      ),
    }),
    late('a failure whose reason drips, although it could be repeated', {
      server: drip(responseHead({ status: '503 Busy', headers: ['Content-Length: 100'] }), ' '),
    }),
    late('a TLS handshake that is never answered', {
      server: silence,
      options: { scheme: 'https' },
      requests: 0,
    }),
    late('a TLS handshake that drips', {
      server: silence,
      options: { scheme: 'https', onConnect: drip('\x16\x03\x03\x40\x00', '\x02') },
      requests: 0,
    }),
  ]);
});
