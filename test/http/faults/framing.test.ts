import { describe } from 'vitest';
import {
  flood,
  fullResponse,
  hangUp,
  reset,
  respond,
  responseHead,
  send,
  sendAndClose,
  sendAndReset,
  silence,
} from '../../harness/faultyServer.ts';
import { body, failing, faultTable, type Row, unusable, usable } from './rows.ts';

const once = { flags: ['--retries', '0'] };
const chunked = responseHead({ headers: ['Transfer-Encoding: chunked'] });
const sized = (...sizes: (string | number)[]) =>
  responseHead({ headers: sizes.map((size) => `Content-Length: ${size}`) });

const cutOff = (name: string, server: Row['server']) =>
  failing(name, server, 1, /the response from \S+ was cut off/, once);
const unanswered = (name: string, server: Row['server'], row: Partial<Row> = {}) =>
  failing(name, server, 7, /closed the connection without a response/, { ...once, ...row });

describe('a connection that ends', () => {
  faultTable([
    unanswered('before the request, in order', silence, {
      options: { onConnect: hangUp },
      requests: 0,
    }),
    unanswered('before the request, with a reset', silence, {
      options: { onConnect: reset },
      requests: 0,
    }),
    unanswered('after the request, in order', hangUp),
    unanswered('after the request, with a reset', reset),
    unanswered('in the status line', sendAndClose('HTTP/1.1 20')),
    unanswered('in the headers, in order', sendAndClose('HTTP/1.1 200 OK\r\nX: y\r\n')),
    unanswered('in the headers, with a reset', sendAndReset('HTTP/1.1 200 OK\r\nX: ')),
    unanswered(
      'after an answer that is not the last',
      sendAndClose('HTTP/1.1 100 Continue\r\n\r\n'),
    ),
    cutOff('in the body, in order', sendAndClose(sized(100), body)),
    cutOff('in the body, with a reset', sendAndReset(sized(100), body)),
    cutOff('before the first byte of the body', sendAndClose(sized(100))),
    cutOff('one byte before the end of the body', sendAndClose(sized(14), body)),
    cutOff('between two chunks', sendAndClose(chunked, `d\r\n${body}\r\n`)),
    cutOff('in a chunk', sendAndClose(chunked, `20\r\n${body}`)),
    cutOff('in the size of a chunk', sendAndClose(chunked, `d\r\n${body}\r\n1`)),
    cutOff('in the last chunk', sendAndClose(chunked, `d\r\n${body}\r\n0\r\n`)),
    cutOff('with a reset, in a body without a size', sendAndReset(responseHead(), body)),
  ]);
});

describe('what is not HTTP', () => {
  faultTable([
    unusable('another protocol', send('SSH-2.0-OpenSSH_9.2\r\n')),
    unusable('a mail server', send('220 mail.example ESMTP\r\n')),
    unusable('an answer as before HTTP/1.0: a body alone', sendAndClose(body)),
    unusable('a page alone', sendAndClose('<html><body>Welcome</body></html>')),
    unusable('noise', send(Buffer.from([0x00, 0xff, 0x80, 0x0d, 0x0a, 0x15, 0x03, 0x01]))),
    unusable('TLS', sendAndClose(Buffer.from('15030300020228', 'hex'))),
    unusable('HTTP/2', send(Buffer.from('000000040000000000', 'hex'))),
    unusable('a status line without a status', send('HTTP/1.1 OK\r\n\r\n')),
    unusable('a status of two digits', send('HTTP/1.1 20 OK\r\n\r\n')),
    unusable('a status of four digits', send('HTTP/1.1 2000 OK\r\n\r\n')),
    unusable('a status below zero', send('HTTP/1.1 -200 OK\r\n\r\n')),
    unusable('a status with letters', send('HTTP/1.1 2OO OK\r\n\r\n')),
    unusable('a version that does not exist', send(`HTTP/9.7 200 OK\r\n\r\n${body}`)),
    unusable('a request in place of an answer', send('GET / HTTP/1.1\r\nHost: you\r\n\r\n')),
    unusable('a header without a name', send(`HTTP/1.1 200 OK\r\n: x\r\n\r\n${body}`)),
    unusable('a header without a colon', send(`HTTP/1.1 200 OK\r\nnonsense\r\n\r\n${body}`)),
    unusable('a header name with a space', send(`HTTP/1.1 200 OK\r\nX Y: z\r\n\r\n${body}`)),
    unusable('a header with a null', send('HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n')),
    unusable('a header that never ends', flood('HTTP/1.1 200 OK\r\nX: ', 'y'.repeat(1000))),
    unusable('headers that never end', flood('HTTP/1.1 200 OK\r\n', `X: ${'y'.repeat(1000)}\r\n`)),
    unusable('one header of a megabyte', respond(body, { headers: [`X: ${'y'.repeat(1e6)}`] })),
  ]);
});

describe('a body whose size', () => {
  faultTable([
    unusable('is below zero', send(sized(-1), body)),
    unusable('is no number', send(sized('many'), body)),
    unusable('has a fraction', send(sized('13.0'), body)),
    unusable('is written as hexadecimal', send(sized('0xd'), body)),
    unusable('is larger than a number can be', send(sized('9'.repeat(30)), body)),
    unusable('is said twice, alike', send(sized(13, 13), body)),
    unusable('is said twice, differently', send(sized(13, 2), body)),
    unusable('is said twice in one header, differently', send(sized('13, 2'), body)),
    unusable(
      'is said in two ways',
      send(
        responseHead({ headers: ['Content-Length: 13', 'Transfer-Encoding: chunked'] }),
        `d\r\n${body}\r\n0\r\n\r\n`,
      ),
    ),
    unusable('is too small', sendAndClose(sized(5), body)),
    unusable('of a chunk is no number', send(chunked, `xyz\r\n${body}\r\n0\r\n\r\n`)),
    unusable('of a chunk is below zero', send(chunked, `-d\r\n${body}\r\n0\r\n\r\n`)),
    unusable(
      'of a chunk is larger than a number can be',
      send(chunked, `${'f'.repeat(20)}\r\n${body}`),
    ),
    unusable('of a chunk is too small', send(chunked, `5\r\n${body}\r\n0\r\n\r\n`)),
    unusable('of a chunk is too large', send(chunked, `f\r\n${body}\r\n0\r\n\r\n`)),
    unusable(
      'of a chunk is followed by nonsense without end',
      flood(`${chunked}d;`, 'x'.repeat(1000)),
    ),
  ]);
});

describe('an odd response that can be used', () => {
  faultTable([
    usable('after a 100', send('HTTP/1.1 100 Continue\r\n\r\n', fullResponse(body))),
    usable(
      'after a 102 and two 103',
      send(
        'HTTP/1.1 102 Processing\r\n\r\n',
        'HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n'.repeat(2),
        fullResponse(body),
      ),
    ),
    usable('of HTTP/1.0, ended by the connection', sendAndClose(`HTTP/1.0 200 OK\r\n\r\n${body}`)),
    usable('without a size, ended by the connection', sendAndClose(responseHead(), body)),
    usable(
      'without a reason behind its status',
      send(`HTTP/1.1 200\r\nContent-Length: 13\r\n\r\n${body}`),
    ),
    usable(
      'in chunks of one byte',
      send(chunked, [...body].map((byte) => `1\r\n${byte}\r\n`).join(''), '0\r\n\r\n'),
    ),
    usable(
      'in chunks with extensions and trailers',
      send(chunked, `d;a=b\r\n${body}\r\n0\r\nX: y\r\n\r\n`),
    ),
    usable(
      'with a thousand headers',
      respond(body, { headers: Array.from({ length: 1000 }, (_, n) => `X-${n}: y`) }),
    ),
  ]);
});

describe('a status', () => {
  faultTable([
    unusable('of 0', send('HTTP/1.1 000 None\r\nContent-Length: 0\r\n\r\n'), /000|\(0\)|unusable/),
    unusable('of 999', respond(body, { status: '999 Whatever' }), /\b999\b/),
    unusable('of 600', respond(body, { status: '600 Whatever' }), /\b600\b/),
    unusable(
      'of 101, which nobody asked for',
      send('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
      undefined,
      { flags: ['--timeout', '500ms'] },
    ),
    unusable(
      'of 101 without saying to what',
      sendAndClose('HTTP/1.1 101 Switching\r\n\r\n', body),
      /./,
    ),
    unusable('of 204 for a record', send('HTTP/1.1 204 No Content\r\n\r\n')),
    unusable(
      'of 204 with a body',
      sendAndClose('HTTP/1.1 204 No Content\r\nContent-Length: 13\r\n\r\n', body),
    ),
    unusable('of 205 for a record', respond('', { status: '205 Reset Content' })),
    unusable(
      'of 304, which nobody asked for',
      send('HTTP/1.1 304 Not Modified\r\n\r\n'),
      /has not changed/,
    ),
    unusable('of 300', respond('', { status: '300 Multiple Choices' }), /300|redirected/),
    unusable('of 200 without a body', respond('')),
    unusable('of 206, for a part of the record', respond('{"_id":', { status: '206 Partial' })),
  ]);
});
