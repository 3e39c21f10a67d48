import {
  deserializeMessage,
  INVALID_REQUEST,
  PARSE_ERROR,
  PROTOCOL_VERSION_META_KEY,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { orUndefined } from '../../core/errors.ts';

/** The version that a request may name for itself. Older ones are agreed once, for a connection. */
const namedVersion = '2026-07-28';

/** The only version with several messages in a line. */
const batchVersion = '2025-03-26';

/** Lines that are messages. The library drops others in silence; `respond` gets an error for them. */
export async function* messagesIn(
  input: AsyncIterable<Buffer>,
  respond: (response: string) => void,
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder();
  const connection: Connection = {};
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      // The line before may have begun the connection.
      for (const message of messagesOf(line, connection)) {
        const refusal = message.trim() === '' ? undefined : refusalOf(message, connection);
        if (refusal) respond(`${JSON.stringify({ jsonrpc: '2.0', ...refusal })}\n`);
        else yield Buffer.from(`${message}\n`);
      }
    }
    // The library ends the connection.
    if (rest.length > STDIO_DEFAULT_MAX_BUFFER_SIZE) yield Buffer.from(rest);
  }
}

interface Connection {
  /** The version that was asked for when it began. */
  version?: unknown;
  /** A request has named its version, which the library then requires of all. */
  isNamed?: boolean;
}

/** The messages of a line. Each gets a response of its own. */
function messagesOf(line: string, { version }: Connection): string[] {
  const batch: unknown = version === batchVersion && orUndefined(() => JSON.parse(line));
  return Array.isArray(batch) && batch.length > 0
    ? batch.map((one) => JSON.stringify(one))
    : [line];
}

function refusalOf(line: string, connection: Connection) {
  const message: unknown = orUndefined(() => JSON.parse(line));
  if (message === undefined) {
    return { id: null, error: { code: PARSE_ERROR, message: 'Parse error: not JSON' } };
  }
  const { id, method, params, result, error } = Object(message);
  if (!orUndefined(() => deserializeMessage(line))) {
    // A wrong response gets none, because its id is one of ours.
    if ((result ?? error) !== undefined) return undefined;
    const known = typeof id === 'string' || typeof id === 'number' ? id : null;
    return { id: known, error: { code: INVALID_REQUEST, message: 'Invalid request' } };
  }
  const requested = params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (method === 'initialize') {
    const wanted = params?.protocolVersion;
    const text = `Invalid request: this connection uses ${namedVersion} already; for ${wanted}, start mar mcp again`;
    if (connection.isNamed) return { id, error: { code: INVALID_REQUEST, message: text } };
    connection.version = wanted;
  }
  connection.isNamed ||= requested === namedVersion;
  if (id === undefined || typeof requested !== 'string' || requested === namedVersion) return;
  const unsupported = new UnsupportedProtocolVersionError({ supported: [namedVersion], requested });
  const { code, message: text, data } = unsupported;
  return { id, error: { code, message: text, data } };
}
