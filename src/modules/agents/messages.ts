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

/** Lines that are messages. The library drops others in silence; `respond` gets an error for them. */
export async function* messagesIn(
  input: AsyncIterable<Buffer>,
  respond: (response: string) => void,
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const refusal = line.trim() === '' ? undefined : refusalOf(line);
      if (refusal) respond(`${JSON.stringify({ jsonrpc: '2.0', ...refusal })}\n`);
      else yield Buffer.from(`${line}\n`);
    }
    // The library ends the connection.
    if (rest.length > STDIO_DEFAULT_MAX_BUFFER_SIZE) yield Buffer.from(rest);
  }
}

function refusalOf(line: string) {
  const message: unknown = orUndefined(() => JSON.parse(line));
  if (message === undefined) {
    return { id: null, error: { code: PARSE_ERROR, message: 'Parse error: not JSON' } };
  }
  const { id, params, result, error } = Object(message);
  if (!orUndefined(() => deserializeMessage(line))) {
    // A wrong response gets none, because its id is one of ours.
    if ((result ?? error) !== undefined) return undefined;
    const known = typeof id === 'string' || typeof id === 'number' ? id : null;
    return { id: known, error: { code: INVALID_REQUEST, message: 'Invalid request' } };
  }
  const requested = params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (id === undefined || typeof requested !== 'string' || requested === namedVersion) return;
  const unsupported = new UnsupportedProtocolVersionError({ supported: [namedVersion], requested });
  const { code, message: text, data } = unsupported;
  return { id, error: { code, message: text, data } };
}
