import { usageError } from '../../errors.ts';

const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
const printable = /^[\x20-\x7e]*$/;

/** Names that the program gives itself, as it writes them. */
const ownNames = ['Accept', 'Content-Type', 'User-Agent', 'X-Range'];

const loginReason = 'mar sends the credentials of your login';
const framingReason = 'mar sets it to fit the request';
/** Headers that nobody else may set. */
const refused: ReadonlyMap<string, string> = new Map([
  ['authorization', loginReason],
  ['proxy-authorization', 'mar takes it from HTTPS_PROXY or HTTP_PROXY'],
  ['host', 'mar takes it from the base URL'],
  ['content-length', framingReason],
  ['transfer-encoding', framingReason],
  ['te', framingReason],
  ['trailer', framingReason],
  ['connection', 'mar keeps the connection itself'],
  ['keep-alive', 'mar keeps the connection itself'],
  ['proxy-connection', 'mar keeps the connection itself'],
  ['upgrade', 'mar speaks HTTP/1.1 alone'],
  ['expect', 'mar sends the body at once'],
]);

/** `-H 'name: value'`, each of them, checked. */
export function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers = new Map<string, [name: string, value: string]>();
  for (const line of lines) {
    const [name, value] = readHeader(line);
    const key = name.toLowerCase();
    if (headers.has(key)) throw usageError(`the header ${name} is given twice`);
    headers.set(key, [ownNames.find((own) => own.toLowerCase() === key) ?? name, value]);
  }
  return Object.fromEntries(headers.values());
}

function readHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trimEnd();
  const value = line.slice(colon + 1).trim();
  if (!token.test(name)) {
    throw usageError(
      `-H ${JSON.stringify(line)}: expected a name and a value`,
      'for example -H \'If-None-Match: "42"\'',
    );
  }
  const reason = refused.get(name.toLowerCase());
  if (reason) throw usageError(`the header ${name} cannot be given: ${reason}`);
  // Not trimmed: a line break at the end is one as well.
  if (!printable.test(line)) {
    throw usageError(`the header ${name} holds control characters, or letters beyond ASCII`);
  }
  return [name, value];
}
