import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe } from 'vitest';
import {
  type Fault,
  flood,
  type ResponseParts,
  respond,
  responseHead,
  send,
  sendAndClose,
} from '../../harness/faultyServer.ts';
import { faultTable, type Row } from './rows.ts';

const body = '{"_id":"a-1"}';
const printed = { code: 0, prints: [{ _id: 'a-1' }] };
const chunked = 'Transfer-Encoding: chunked';

const unusable = (name: string, server: Fault, row: Partial<Row> = {}): Row => ({
  name,
  server,
  code: 1,
  says: /sent an unusable response/,
  ...row,
});

const encoded = (encoding: string, bytes: string | Buffer, parts: ResponseParts = {}) =>
  respond(bytes, { ...parts, headers: [`Content-Encoding: ${encoding}`] });

describe('a body larger than --max-body', () => {
  const blanks = Buffer.alloc(20_000, ' ');
  const large = (name: string, server: Fault, row: Partial<Row> = {}) =>
    unusable(name, server, {
      flags: ['--max-body', '10KiB'],
      says: /larger than 10 ?KiB/,
      ...row,
    });
  faultTable([
    large(
      'is not even waited for when its size is said',
      send(responseHead({ headers: ['Content-Length: 10241'] })),
    ),
    large('is given up where it has no size', sendAndClose(responseHead(), blanks)),
    large(
      'is given up in its chunks',
      flood(responseHead({ headers: [chunked] }), `400\r\n${' '.repeat(1024)}\r\n`),
    ),
    large(
      'is given up when it comes out of gzip',
      encoded('gzip', gzipSync(Buffer.alloc(10_000_000))),
    ),
    large(
      'is given up when it comes out of brotli',
      encoded('br', brotliCompressSync(Buffer.alloc(10_000_000))),
    ),
    large(
      'is given up when it comes out of deflate',
      encoded('deflate', deflateSync(Buffer.alloc(10_000_000))),
    ),
    large(
      'is given up when it comes out of gzip twice',
      encoded('gzip, gzip', gzipSync(gzipSync(Buffer.alloc(10_000_000)))),
    ),
    large('is given up by one byte', respond(`${body}${' '.repeat(10_228)}`)),
    large('is given up for a refusal as well', respond(blanks, { status: '400 Bad' })),
    {
      name: 'is told from one that just fits',
      server: respond(`${body}${' '.repeat(10_227)}`),
      flags: ['--max-body', '10KiB'],
      ...printed,
    },
    {
      name: 'is told from one that just fits once it is decoded',
      server: encoded('gzip', gzipSync(`${body}${' '.repeat(10_227)}`)),
      flags: ['--max-body', '10KiB'],
      ...printed,
    },
    large('is given up in megabytes, too', respond(Buffer.alloc(2 ** 20 + 1, ' ')), {
      flags: ['--max-body', '1MiB'],
      says: /larger than 1 ?MiB/,
    }),
    large('is given up in bytes, too', respond(body), {
      flags: ['--max-body', '12'],
      says: /larger than 12 bytes/,
    }),
    large('is given up after a byte, too', respond(body), {
      flags: ['--max-body', '1'],
      says: /larger than 1 byte /,
    }),
    {
      name: 'is bad usage when the size is none',
      server: respond(body),
      flags: ['--max-body', 'much'],
      code: 2,
      says: /--max-body/,
      requests: 0,
    },
  ]);
});

describe('an encoded body', () => {
  const gzipped = gzipSync(body);
  const broken = Buffer.from(gzipped).fill(0xff, 12, 16);
  const wrongSum = Buffer.from(gzipped).fill(0, gzipped.length - 8, gzipped.length - 4);
  faultTable([
    { name: 'of gzip is read', server: encoded('gzip', gzipped), ...printed },
    { name: 'of x-gzip is read', server: encoded('x-gzip', gzipped), ...printed },
    { name: 'of GZIP is read', server: encoded('GZIP', gzipped), ...printed },
    { name: 'of deflate is read', server: encoded('deflate', deflateSync(body)), ...printed },
    { name: 'of brotli is read', server: encoded('br', brotliCompressSync(body)), ...printed },
    {
      name: 'of gzip is read where --max-body is more than Node can hold',
      server: encoded('gzip', gzipped),
      flags: ['--max-body', '8000000GiB'],
      ...printed,
    },
    { name: 'of identity is read', server: encoded('identity', body), ...printed },
    {
      name: 'of brotli in gzip is read',
      server: encoded('br, gzip', gzipSync(brotliCompressSync(body))),
      ...printed,
    },
    {
      name: 'in chunks is read',
      server: send(
        responseHead({ headers: [chunked, 'Content-Encoding: gzip'] }),
        Buffer.concat([
          Buffer.from(`${gzipped.length.toString(16)}\r\n`),
          gzipped,
          Buffer.from('\r\n0\r\n\r\n'),
        ]),
      ),
      ...printed,
    },
    {
      name: 'of a refusal is read',
      server: encoded('gzip', gzipSync('{"message":"said in gzip"}'), { status: '400 Bad' }),
      code: 3,
      says: /said in gzip/,
    },
    unusable('that is cut off before it was encoded', encoded('gzip', gzipped.subarray(0, -10)), {
      says: /marked as gzip/,
    }),
    unusable('without its checksum', encoded('gzip', gzipped.subarray(0, -8)), {
      says: /marked as gzip/,
    }),
    unusable('with a wrong checksum', encoded('gzip', wrongSum), { says: /marked as gzip/ }),
    unusable('that is damaged', encoded('gzip', broken), { says: /marked as gzip/ }),
    unusable('of gzip that is plain', encoded('gzip', body), { says: /marked as gzip/ }),
    unusable('of brotli that is gzip', encoded('br', gzipped), { says: /marked as br/ }),
    unusable('of deflate without its frame', encoded('deflate', deflateRawSync(body)), {
      says: /marked as deflate/,
    }),
    unusable('of deflate that is damaged', encoded('deflate', broken), {
      says: /marked as deflate/,
    }),
    unusable('of an encoding that nobody knows', encoded('snappy', body), { says: /snappy/ }),
    unusable('of an encoding named like a method', encoded('constructor', body), {
      says: /constructor/,
    }),
    unusable('of gzip that does not say so', respond(gzipped), { says: /not UTF-8/ }),
    unusable(
      'of gzip as a transfer encoding',
      send(
        responseHead({ headers: ['Transfer-Encoding: gzip, chunked'] }),
        Buffer.concat([
          Buffer.from(`${gzipped.length.toString(16)}\r\n`),
          gzipped,
          Buffer.from('\r\n0\r\n\r\n'),
        ]),
      ),
    ),
    unusable('of nothing, said to be gzip', encoded('gzip', '')),
  ]);
});

describe('a body that', () => {
  const typed = (type: string, content: string | Buffer) =>
    send(
      responseHead({
        headers: [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(content)}`],
      }),
      content,
    );
  const utf16 = Buffer.from(`\ufeff${body}`, 'utf16le');
  faultTable([
    unusable(
      'is a web page',
      typed('text/html', '<!DOCTYPE html><html><title>Sign in</title></html>'),
      { says: /web page/ },
    ),
    unusable(
      'is a web page that says it is JSON',
      respond('\n<HTML><body>Welcome to the hotel</body>'),
      { says: /web page/ },
    ),
    unusable('is XML', typed('text/xml', '<?xml version="1.0"?><error/>')),
    unusable('is text', typed('text/plain', 'OK')),
    unusable('is blank', respond(' \r\n\t ')),
    unusable('is nothing but a byte-order mark', respond('\ufeff')),
    unusable('is half a record', respond('{"_id":"a-1"')),
    unusable('is a record and a half', respond(`${body}{"_id":`)),
    unusable('is two records', respond(`${body}\n${body}`)),
    unusable('has a comma too many', respond('{"_id":"a-1",}')),
    unusable('has a comment', respond(`/* hello */ ${body}`)),
    unusable('has single quotes', respond("{'_id':'a-1'}")),
    unusable('has NaN', respond('{"_id":NaN}')),
    unusable('has undefined', respond('{"_id":undefined}')),
    unusable('has a raw line break in a text', respond('{"_id":"a\n1"}')),
    unusable('has a null behind it', respond(`${body}\0`)),
    unusable('begins as a guard against scripts', respond(`)]}',\n${body}`)),
    unusable('is called by a script', respond(`callback(${body})`)),
    unusable('is UTF-16', typed('application/json; charset=utf-16', utf16), { says: /not UTF-8/ }),
    unusable('is UTF-16 without a mark', respond(Buffer.from(body, 'utf16le'))),
    unusable('is Latin-1', respond(Buffer.from('{"_id":"é"}', 'latin1')), { says: /not UTF-8/ }),
    unusable(
      'has half a character',
      respond(Buffer.from([...Buffer.from('{"_id":"'), 0xe8, 0x9c])),
      { says: /not UTF-8/ },
    ),
    unusable('has an overlong character', respond(Buffer.from('7b225f6964223a22c0af227d', 'hex')), {
      says: /not UTF-8/,
    }),
    unusable('is nested a million deep', respond('['.repeat(1_000_000))),
    {
      name: 'is JSON without a content type is read',
      server: send(responseHead({ headers: ['Content-Length: 13'] }), body),
      ...printed,
    },
    {
      name: 'is JSON and says it is a web page is read',
      server: typed('text/html', body),
      ...printed,
    },
    {
      name: 'is JSON and says it is bytes is read',
      server: typed('application/octet-stream', body),
      ...printed,
    },
    {
      name: 'is JSON and says it is Latin-1 is read as UTF-8',
      server: typed('application/json; charset=latin1', '{"_id":"é"}'),
      code: 0,
      prints: [{ _id: 'é' }],
    },
    { name: 'has a byte-order mark is read', server: respond(`\ufeff${body}`), ...printed },
    { name: 'has blanks around it is read', server: respond(`\r\n\t ${body}\r\n`), ...printed },
    unusable('is a record where a list is expected', respond(body), {
      argv: ['file', 'list'],
      says: /expected a list/,
    }),
    unusable('is null where a list is expected', respond('null'), {
      argv: ['file', 'list'],
      says: /expected a list/,
    }),
    unusable('is a list where a record is expected, for the strict', respond(`[${body}]`), {
      flags: ['--strict'],
      says: /expected an object, found an array/,
    }),
    unusable('is a number where a record is expected, for the strict', respond('42'), {
      flags: ['--strict'],
      says: /expected an object/,
    }),
    unusable('has a field of another type, for the strict', respond('{"_id":7}'), {
      flags: ['--strict'],
      says: /_id: expected a string/,
    }),
    {
      name: 'has a field of another type is printed',
      server: respond('{"_id":7}'),
      code: 0,
      prints: [{ _id: 7 }],
    },
    {
      name: 'is a list where a record is expected is printed',
      server: respond(`[${body}]`),
      code: 0,
      prints: [[{ _id: 'a-1' }]],
    },
  ]);
});
