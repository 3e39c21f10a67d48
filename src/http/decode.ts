import { constants } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { formatSize } from './size.ts';

/** A body that cannot be read as what its headers say. */
export class UndecodableBody extends Error {}

/** Undoes what `Content-Encoding` says was done to a body. */
export async function decodeBody(
  body: Buffer,
  headers: IncomingHttpHeaders,
  maxBytes: number,
): Promise<Buffer> {
  const encodings = (headers['content-encoding'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (encodings.length === 0 || body.length === 0) return body;
  const zlib = await import('node:zlib');
  // Node refuses a limit beyond its own.
  const maxOutputLength = Math.min(maxBytes, constants.MAX_LENGTH);
  const decoders: Record<string, (body: Buffer) => Buffer> = {
    gzip: (bytes) => zlib.gunzipSync(bytes, { maxOutputLength }),
    'x-gzip': (bytes) => zlib.gunzipSync(bytes, { maxOutputLength }),
    deflate: (bytes) => zlib.inflateSync(bytes, { maxOutputLength }),
    br: (bytes) => zlib.brotliDecompressSync(bytes, { maxOutputLength }),
  };
  // The last encoding was applied last, so it is undone first.
  return encodings.reduceRight((bytes, name) => {
    const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (!decode) throw new UndecodableBody(`it is encoded as "${name}", which is not known`);
    try {
      return decode(bytes);
    } catch (error) {
      const isLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
      throw new UndecodableBody(
        isLarge
          ? `it is larger than ${formatSize(maxBytes)} (--max-body)`
          : `it is not ${name}, as it says`,
      );
    }
  }, body);
}
