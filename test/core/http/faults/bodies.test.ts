import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe } from 'vitest';
import {
  type Fault,
  flood,
  type ResponseParts,
  respond,
  responseHead,
  send,
} from '../../../harness/faultyServer.ts';
import { body, failing, faultTable, unusable, usable } from './rows.ts';

const chunked = 'Transfer-Encoding: chunked';
const chunkedHead = responseHead({ headers: [chunked] });
const sized = (size: number) => responseHead({ headers: [`Content-Length: ${size}`] });

const encoded = (encoding: string, bytes: string | Buffer, parts: ResponseParts = {}) =>
  respond(bytes, { ...parts, headers: [`Content-Encoding: ${encoding}`] });

describe('a body larger than 256 MiB', () => {
  const large = (name: string, server: Fault) => unusable(name, server, /larger than 256 MiB/);
  const megabyte = ' '.repeat(2 ** 20);
  const zeros = Buffer.alloc(2 ** 28 + 1);
  faultTable([
    large('is not waited for when its size is said', send(sized(2 ** 28 + 1))),
    large('is given up in its chunks', flood(chunkedHead, `100000\r\n${megabyte}\r\n`)),
    large('is given up when it comes out of gzip', encoded('gzip', gzipSync(zeros, { level: 1 }))),
  ]);
});

describe('an encoded body', () => {
  const gzipped = gzipSync(body);
  const inChunks = (...headers: string[]) =>
    send(responseHead({ headers }), `${gzipped.length.toString(16)}\r\n`, gzipped, '\r\n0\r\n\r\n');
  const wrongSum = Buffer.from(gzipped).fill(0, gzipped.length - 8, gzipped.length - 4);
  faultTable([
    usable('of gzip is read', encoded('gzip', gzipped)),
    usable('of x-gzip is read', encoded('x-gzip', gzipped)),
    usable('of GZIP is read', encoded('GZIP', gzipped)),
    usable('of deflate is read', encoded('deflate', deflateSync(body))),
    usable('of brotli is read', encoded('br', brotliCompressSync(body))),
    usable('of identity is read', encoded('identity', body)),
    unusable('of two encodings at once', encoded('br, gzip', gzipSync(body)), /br, gzip/),
    usable('in chunks is read', inChunks(chunked, 'Content-Encoding: gzip')),
    failing(
      'of a refusal is read',
      encoded('gzip', gzipSync('{"message":"said in gzip"}'), { status: '400 Bad' }),
      3,
      /said in gzip/,
    ),
    unusable('that is cut off', encoded('gzip', gzipped.subarray(0, -10)), /marked as gzip/),
    unusable('with a wrong checksum', encoded('gzip', wrongSum), /marked as gzip/),
    unusable('of gzip that is plain', encoded('gzip', body), /marked as gzip/),
    unusable('of deflate without its frame', encoded('deflate', deflateRawSync(body)), /deflate/),
    unusable('of an encoding that nobody knows', encoded('snappy', body), /snappy/),
    unusable('of an encoding named like a method', encoded('constructor', body), /constructor/),
    unusable('of gzip that does not say so', respond(gzipped), /not UTF-8/),
    unusable('of gzip as a transfer encoding', inChunks('Transfer-Encoding: gzip, chunked')),
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
  const list = { argv: ['file', 'list'] };
  const strict = { flags: ['--strict'] };
  faultTable([
    unusable('is a web page', typed('text/html', '<!DOCTYPE html><title>x</title>'), /web page/),
    unusable('is a web page in JSON', respond('\n<HTML><body>Welcome</body>'), /web page/),
    unusable('is blank', respond(' \r\n\t ')),
    unusable('is half a record', respond('{"_id":"a-1"')),
    unusable('is two records', respond(`${body}\n${body}`)),
    unusable('is UTF-16', typed('application/json; charset=utf-16', utf16), /not UTF-8/),
    unusable('is Latin-1', respond(Buffer.from('{"_id":"é"}', 'latin1')), /not UTF-8/),
    unusable('is nested a million deep', respond('['.repeat(1_000_000))),
    usable('is JSON without a content type is read', send(sized(13), body)),
    usable('is JSON and says it is a web page is read', typed('text/html', body)),
    usable(
      'is JSON and says it is Latin-1 is read as UTF-8',
      typed('application/json; charset=latin1', '{"_id":"é"}'),
      { prints: [{ _id: 'é' }] },
    ),
    usable('has a byte-order mark is read', respond(`\ufeff${body}`)),
    unusable('is a record where a list is expected', respond(body), /expected a list/, list),
    unusable('is a list, if strict', respond(`[${body}]`), /an object, found an array/, strict),
    unusable('has a field of another type, if strict', respond('{"_id":7}'), /a string/, strict),
    usable('has a field of another type, otherwise', respond('{"_id":7}'), {
      prints: [{ _id: 7 }],
    }),
    usable('is a list, otherwise', respond(`[${body}]`), { prints: [[{ _id: 'a-1' }]] }),
  ]);
});
