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
} from '../../../harness/faultyServer.ts';
import { networkWords } from '../../../words/network.ts';
import { body, failing, faultTable, type Row, unusable, usable } from './rows.ts';

const once = { flags: ['--retries', '0'] };
const chunked = responseHead({ headers: ['Transfer-Encoding: chunked'] });
const sized = (...sizes: (string | number)[]) =>
  responseHead({ headers: sizes.map((size) => `Content-Length: ${size}`) });

const cutOff = (name: string, server: Row['server']) =>
  failing(name, server, 1, networkWords.cutOff, once);
const unanswered = (name: string, server: Row['server'], row: Partial<Row> = {}) =>
  failing(name, server, 7, networkWords.closed, { ...once, ...row });

describe('a connection that ends', () => {
  faultTable([
    unanswered('at once, in order', silence, { options: { onConnect: hangUp }, requests: 0 }),
    unanswered('at once, with a reset', silence, { options: { onConnect: reset }, requests: 0 }),
    unanswered('after the request, in order', hangUp),
    unanswered('after the request, with a reset', reset),
    unanswered('in the headers, in order', sendAndClose('HTTP/1.1 200 OK\r\nX: y\r\n')),
    unanswered('after a provisional response', sendAndClose('HTTP/1.1 100 Continue\r\n\r\n')),
    cutOff('in the body, in order', sendAndClose(sized(100), body)),
    cutOff('in the body, with a reset', sendAndReset(sized(100), body)),
    cutOff('between two chunks', sendAndClose(chunked, `d\r\n${body}\r\n`)),
    cutOff('in the last chunk', sendAndClose(chunked, `d\r\n${body}\r\n0\r\n`)),
    // A reset that is read together with the body looks like an end: libuv reports none.
    unusable(
      'with a reset, in a body without a size',
      sendAndReset(responseHead(), '{"_id":'),
      /cut off|not JSON/,
      once,
    ),
  ]);
});

describe('what is not HTTP', () => {
  faultTable([
    unusable('another protocol', send('SSH-2.0-OpenSSH_9.2\r\n')),
    unusable('an answer as before HTTP/1.0: a body alone', sendAndClose(body)),
    unusable('TLS', sendAndClose(Buffer.from('15030300020228', 'hex'))),
    unusable('a status of four digits', send('HTTP/1.1 2000 OK\r\n\r\n')),
    unusable('a version that does not exist', send(`HTTP/9.7 200 OK\r\n\r\n${body}`)),
    unusable('a header without a colon', send(`HTTP/1.1 200 OK\r\nnonsense\r\n\r\n${body}`)),
    unusable('a header with a null', send('HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n')),
    unusable('a header that never ends', flood('HTTP/1.1 200 OK\r\nX: ', 'y'.repeat(1000))),
    unusable('headers that never end', flood('HTTP/1.1 200 OK\r\n', `X: ${'y'.repeat(1000)}\r\n`)),
  ]);
});

describe('a body whose size', () => {
  faultTable([
    unusable('is no number', send(sized('many'), body)),
    unusable('is larger than a number can be', send(sized('9'.repeat(30)), body)),
    unusable('is said twice, differently', send(sized(13, 2), body)),
    unusable(
      'is said in two ways',
      send(
        responseHead({ headers: ['Content-Length: 13', 'Transfer-Encoding: chunked'] }),
        `d\r\n${body}\r\n0\r\n\r\n`,
      ),
    ),
    unusable('is too small', sendAndClose(sized(5), body)),
    unusable('of a chunk is no number', send(chunked, `xyz\r\n${body}\r\n0\r\n\r\n`)),
    unusable('of a chunk is too small', send(chunked, `5\r\n${body}\r\n0\r\n\r\n`)),
    unusable(
      'of a chunk is followed by nonsense without end',
      flood(`${chunked}d;`, 'x'.repeat(1000)),
    ),
  ]);
});

describe('an odd response that can be used', () => {
  faultTable([
    usable(
      'after a 100, a 102 and two 103',
      send(
        'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n',
        'HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n'.repeat(2),
        fullResponse(body),
      ),
    ),
    usable('of HTTP/1.0, ended by the connection', sendAndClose(`HTTP/1.0 200 OK\r\n\r\n${body}`)),
    usable('without a reason', send(`HTTP/1.1 200\r\nContent-Length: 13\r\n\r\n${body}`)),
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
  const noContent = 'HTTP/1.1 204 No Content\r\n';
  faultTable([
    unusable('of 999', respond(body, { status: '999 Whatever' }), /\b999\b/),
    unusable(
      'of 101, which nobody asked for',
      send('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
      undefined,
      { flags: ['--timeout', '10s'] },
    ),
    unusable('of 101 to nothing', sendAndClose('HTTP/1.1 101 Switching\r\n\r\n', body), /./),
    unusable('of 204 for a record', send(`${noContent}\r\n`)),
    unusable('of 204 with a body', sendAndClose(`${noContent}Content-Length: 13\r\n\r\n`, body)),
    unusable('of 304', send('HTTP/1.1 304 Not Modified\r\n\r\n'), /has not changed/),
    unusable('of 300', respond('', { status: '300 Multiple Choices' }), networkWords.redirected),
    unusable('of 200 without a body', respond(''), /is empty/),
  ]);
});
