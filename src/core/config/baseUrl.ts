import { orUndefined, runHint, usageError } from '../errors.ts';
import { isLoopback, plainHttpError } from '../http/loopback.ts';
import { words } from '../values/commandLine.ts';

const example = 'For example: https://media.example/api';

/** Adds a missing scheme or path, and rejects parts that could hide a mistake or a secret. */
export function parseBaseUrl(text: string, { allowHttp = false } = {}): URL {
  // Errors show the text only if it cannot hold a secret.
  if (text.includes('@')) {
    throw usageError(
      'the base URL contains a user name or password',
      runHint('Remove them. To log in', words`mar login`),
    );
  }
  if (/[?#]/.test(text)) {
    throw usageError('the base URL contains "?" or "#"', 'It must end with /api.');
  }
  const url = parse(text.trim());
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw usageError(`the base URL ${text} must start with https://`, { value: text });
  }
  url.pathname = apiPath(url.pathname, text);
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    throw plainHttpError(url);
  }
  return url;
}

/** The origin of a profile's base URL; undefined if it is invalid, since users edit the file by hand. */
export const originOf = (baseUrl: string): string | undefined =>
  orUndefined(() => parseBaseUrl(baseUrl, { allowHttp: true }).origin);

function parse(text: string): URL {
  if (text === '') throw usageError('the base URL is empty', example);
  try {
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return new URL(text);
    // Without a scheme: local services rarely use TLS.
    const url = new URL(`https://${text}`);
    return isLoopback(url.hostname) ? new URL(`http://${text}`) : url;
  } catch {
    throw usageError(`invalid base URL "${text}"`, example, { value: text });
  }
}

function apiPath(path: string, text: string): string {
  const trimmed = path.replace(/\/+$/, '');
  if (trimmed === '') return '/api';
  if (trimmed.endsWith('/api')) return trimmed;
  throw usageError(`the base URL ${text} does not end with /api`, example, { value: text });
}
