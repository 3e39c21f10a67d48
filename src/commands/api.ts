import { endpoints } from '../api/endpoints.ts';
import { checkSecrets, type Range, rangeHeader } from '../client/request.ts';
import {
  type Answered,
  checkStatus,
  decodeJson,
  elementsOf,
  readElements,
  readJson,
  totalOf,
} from '../client/response.ts';
import { targetUrl } from '../client/target.ts';
import type { Context } from '../context.ts';
import { loginHint } from '../credentials/identity.ts';
import { usageError } from '../errors.ts';
import { decodeUtf8 } from '../files/utf8.ts';
import { type HttpRequest, type HttpResponse, isRead } from '../http/message.ts';
import { isSecretHeader } from '../http/redact.ts';
import { flatten } from '../json/fields.ts';
import { redacted } from '../json/secrets.ts';
import { type Json, printJson } from '../json/value.ts';
import { readDocument } from '../records/document.ts';
import { applyEdits } from '../records/edit.ts';
import { machineCell } from '../terminal/columns.ts';
import type { Printer } from '../terminal/printer.ts';
import { sanitise, sanitiseLines } from '../terminal/sanitise.ts';
import type { View } from '../terminal/view.ts';
import { withoutSignature } from '../values/url.ts';
import { type Candidate, type Command, type Input, textOption } from './command.ts';
import { type Extent, extentOptions, noteCount, readExtent } from './read/list.ts';
import { bodyOptions, readEdits } from './write/body.ts';

const known = Object.values(endpoints);

/** The methods that the service is known to take; `mar api` sends others as well. */
const knownMethods = [...new Set(known.map(({ method }) => method))];

/** The paths of a method, each up to its id. */
function knownPaths(wanted: string): Candidate[] {
  const fitting = known.filter(({ method }) => method === wanted);
  const byPath = new Map(fitting.map(({ path, summary }) => [path, summary]));
  return [...byPath].map(([path, summary]) => {
    const value = path.replace(/\{id\}$/, '');
    return value === path ? { value, summary } : { value, summary, isOpen: true };
  });
}

export const command: Command = {
  name: 'api',
  summary: 'Send any request to the service',
  details:
    'The path is below the base URL, with or without /api; an address from $links works as well. The answer is printed as JSON, or as it came when it is not JSON. Only a GET is sent again when it fails.',
  arguments: [
    {
      name: 'method',
      summary: 'GET, POST, PUT, DELETE, …',
      completes: knownMethods.map((value) => ({ value })),
    },
    {
      name: 'path',
      summary: 'for example /assets/a-1001, or /downloads?q=harbor',
      completes: {
        after: Object.fromEntries(knownMethods.map((method) => [method, knownPaths(method)])),
      },
    },
  ],
  options: [
    ...bodyOptions,
    { flags: '-H, --header <name:value>', summary: 'send this header as well', many: true },
    {
      flags: '--range <from-to>',
      summary: 'which records of a list, sent as X-Range; 10- is all from there',
    },
    ...extentOptions,
    { flags: '-i, --include', summary: 'show status and headers on standard error' },
  ],
  examples: [
    { does: 'Read anything', line: 'mar api GET /assets/a-1001' },
    { does: 'A whole list, one record a line', line: 'mar api GET /files/_slug --all --jsonl' },
    {
      does: 'Write something, and see the headers of the answer',
      line: 'mar api PUT /previews -f preview.yaml --set label=Final --include',
    },
  ],
  async run(context, input) {
    const extent = readExtent(context, input);
    const { target, ...parts } = await readParts(context, input, extent);
    const identity = context.identity();
    const request: HttpRequest = { ...parts, url: targetUrl(target, identity.baseUrl) };
    if (input.options.dryRun) {
      const { printRequest } = await import('./write/dryRun.ts');
      return printRequest(context, request);
    }
    if (!isRead(request.method)) {
      context.tellDestination(identity);
    }
    const client = await context.client();

    async function send(range?: Range, signal?: AbortSignal) {
      const more: Record<string, string> = range ? { 'X-Range': rangeHeader(range) } : {};
      const sent = { ...request, headers: { ...request.headers, ...more } };
      const answer = await client.send(sent, signal);
      if (input.options.include) await showHead(context, answer);
      checkStatus(sent, answer, loginHint(identity));
      return { sent, answer };
    }

    // One range is one request: what comes need not be a list.
    if (extent && !extent.isOneRange) {
      const { readPages } = await import('./read/list.ts');
      const found = readPages(context, extent, async (range, signal) => {
        const { sent, answer } = await send(range, signal);
        return () => readElements(sent, answer, `without ${extent.flag} it is printed as it is`);
      });
      return printerOf(context).list(found, unknownView);
    }
    const range = extent && { from: extent.from, to: extent.from + extent.pageSize - 1 };
    const { sent, answer } = await send(range);
    const count = await printBody(context, sent, answer);
    // A service that does not know ranges sends all it has, and all of it was printed.
    if (extent && count !== undefined && count <= extent.pageSize) {
      noteCount(context, extent, { count, total: totalOf(answer) });
    }
  },
};

/** What is to be sent, all of it checked; where to, only the base URL tells. */
async function readParts(context: Context, input: Input, extent: Extent | undefined) {
  const [word = '', target = ''] = input.arguments;
  const method = readMethod(word);
  if (extent && !extent.isOneRange && method !== 'GET') {
    throw usageError(
      `pages of a list are read with GET, not with ${method}: leave ${extent.flag} out`,
    );
  }
  const given = readHeaders((input.options.header as string[] | undefined) ?? []);
  if (extent && given['X-Range'] !== undefined) {
    throw usageError('--range, --limit and --all send X-Range: give it once');
  }
  const body = await readAnyBody(context, input, method);
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  return { method, target, headers: { ...headers, ...given }, body };
}

function readMethod(word: string): string {
  const method = word.toUpperCase();
  if (!/^[A-Z]+$/.test(method)) {
    throw usageError(`"${word}" is not a method`, 'for example: mar api GET /assets/a-1001');
  }
  if (method === 'CONNECT') throw usageError('CONNECT makes a tunnel, which mar cannot use');
  if (method === 'TRACE') throw usageError('TRACE is refused: it would send your token back');
  return method;
}

/** From a file, from fields, or both; unlike a record, it may also be a list or a bare value. */
async function readAnyBody(
  context: Context,
  input: Input,
  method: string,
): Promise<string | undefined> {
  const file = textOption(input, 'file');
  const edits = await readEdits(context, input);
  if (file === undefined && edits.length === 0) return undefined;
  if (method === 'GET' || method === 'HEAD') {
    throw usageError(`a ${method} has no body: leave -f, --set, --set-string and --unset out`);
  }
  const body: Json =
    file === undefined ? new Map() : await readDocument(file, context.streams.stdin);
  applyEdits(body, edits);
  checkSecrets(body);
  return printJson(body);
}

/** Not as a note: of a list, each page has its own. */
async function showHead({ streams, world }: Context, answer: HttpResponse): Promise<void> {
  const lines = await describeHead(answer);
  const text = lines.map((line) => sanitise(world.redactor.clean(line))).join('\n');
  // Nobody listens to a closed standard error: there is nobody to tell.
  await streams.stderr.write(`${text}\n\n`).catch(() => {});
}

/** Of a record that nothing is known about, its fields are shown as they come. */
export const unknownView: View = {
  columns: [],
  card: (record) => ({ title: '', sections: [{ rows: flatten(record, machineCell) }] }),
};

/** What is not JSON cannot be printed in the form that was asked for. */
const needsJson = ({ flags: { format, columns, jq } }: Context) =>
  columns !== undefined || format !== undefined || jq !== undefined;

/** JSON, unless something else was asked for. */
export const printerOf = (context: Context): Printer =>
  needsJson(context) || context.printer.isWholeRecord
    ? context.printer
    : context.printer.as('json');

/** Prints the body of an answer; of a list, says how long it is. */
export async function printBody(
  context: Context,
  request: HttpRequest,
  answer: HttpResponse,
): Promise<number | undefined> {
  if (answer.body.length === 0) return undefined;
  const json = needsJson(context) ? readJson(request, answer) : decodeJson(answer.body);
  if ('whyNot' in json) {
    await printAsItCame(context, answer);
    return undefined;
  }
  const printer = printerOf(context);
  const elements = elementsOf(json);
  if (elements) await printer.list(once(elements), unknownView);
  else await printer.record(json, unknownView);
  return elements?.length;
}

async function* once(elements: Answered<unknown>[]): AsyncGenerator<Answered<unknown>[]> {
  yield elements;
}

async function printAsItCame(context: Context, { body, headers }: HttpResponse): Promise<void> {
  const { stdout } = context.streams;
  const type = headers['content-type'];
  if (/[/+]json\b/i.test(type ?? '')) {
    context.note('warning: the service calls this answer JSON, and it is not');
  }
  if (!stdout.isTerminal) return stdout.write(body);
  const text = textOf(body);
  if (text === undefined) {
    throw usageError(
      `the answer is binary (${body.length} bytes${type ? `, ${type}` : ''}): a terminal cannot show it`,
      'the request was sent; to keep the answer, send the output to a file: mar api … > FILE',
    );
  }
  const lines = sanitiseLines(text);
  // What follows begins on a line of its own.
  await stdout.write(`${lines.join('\n')}${lines.at(-1) === '' ? '' : '\n'}`);
}

/** What is meant to be read; undefined for anything else. */
function textOf(body: Buffer): string | undefined {
  if (body.includes(0)) return undefined;
  try {
    return decodeUtf8(body);
  } catch {
    return undefined;
  }
}

/** The status and the headers of an answer, a line each, without what must not be shown. */
export async function describeHead({ status, headers }: HttpResponse): Promise<string[]> {
  const { STATUS_CODES } = await import('node:http');
  const lines = Object.entries(headers).flatMap(([name, value = '']) =>
    [value].flat().map((one) => `${name}: ${isSecretHeader(name) ? redacted : one}`),
  );
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd(), ...lines].map(
    withoutSignature,
  );
}

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
