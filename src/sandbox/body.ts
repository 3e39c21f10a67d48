import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { Refusal } from './refusal.ts';

const maxBody = 10 * 1024 * 1024;

/** The client went away in the middle of its request: there is nobody to answer. */
export class ClientGone extends Error {}

/** Whether the request announces a body; an announced one must be read or drained. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** What can be told from the headers alone, before any of the body is read. */
export function checkBodyHeaders({ headers }: IncomingMessage): void {
  const type = headers['content-type'] ?? '';
  if (!/^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i.test(type)) {
    throw unsupported('the body must be application/json in UTF-8', 'Content-Type');
  }
  if (!/^(?:identity)?$/i.test(headers['content-encoding'] ?? '')) {
    throw unsupported('the body must not be compressed', 'Content-Encoding');
  }
  if (Number(headers['content-length'] ?? 0) > maxBody) throw tooLarge();
}

/**
 * The whole body. Not by `for await`: leaving that loop early destroys the socket, and with it the
 * answer that says why.
 */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBody) {
        request.removeAllListeners('data');
        reject(tooLarge());
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => reject(new ClientGone()));
    const closed = () => {
      if (!request.complete) reject(new ClientGone());
    };
    request.on('close', closed);
    if (request.destroyed) closed();
  });
}

export function parseBody(bytes: Buffer): JsonObject {
  if (!isUtf8(bytes)) throw new Refusal(400, 'bad-json', 'the body is not valid UTF-8');
  const json = parseText(bytes.toString('utf8'));
  if (!isObject(json)) throw new Refusal(400, 'wrong-type', 'the body must be a JSON object');
  return json;
}

function parseText(text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new Refusal(400, 'bad-json', `the body is not valid JSON: ${error.message}`);
  }
}

const tooLarge = () =>
  new Refusal(413, 'too-large', `the body is larger than ${maxBody / 1024 / 1024} MiB`);

const unsupported = (message: string, field: string) =>
  new Refusal(415, 'unsupported-media-type', message, { field });
