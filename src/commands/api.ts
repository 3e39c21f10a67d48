import { checkStatus, readElements, totalOf } from '../client/answer.ts';
import { checkSecrets, type Range, rangeHeader } from '../client/request.ts';
import { targetUrl } from '../client/target.ts';
import type { Context } from '../context.ts';
import { loginHint } from '../credentials/identity.ts';
import { usageError } from '../errors.ts';
import { type HttpAnswer, type HttpRequest, isRead } from '../http/message.ts';
import { printJson } from '../json/print.ts';
import type { Json } from '../json/value.ts';
import { readDocument } from '../records/document.ts';
import { applyEdits } from '../records/edit.ts';
import { sanitise } from '../terminal/sanitise.ts';
import { printBody, printerOf, unknownView } from './api/body.ts';
import { describeHead } from './api/head.ts';
import { readHeaders } from './api/headers.ts';
import { knownMethods, knownPaths } from './api/known.ts';
import { type Command, type Input, textOption } from './command.ts';
import { readEdits } from './verbs/edits.ts';
import { type Extent, extentOptions, readExtent, tellCount } from './verbs/extent.ts';
import { bodyOptions } from './verbs/write.ts';

export const api: Command = {
  name: 'api',
  summary: 'Send any request to the service',
  details:
    'The path is below the base URL, with or without /api; an address from $links works as well. The answer is printed as JSON, or as it came when it is not JSON. Only a GET is sent again when it fails.',
  arguments: [
    { name: 'method', summary: 'GET, POST, PUT, DELETE, …', completes: knownMethods },
    {
      name: 'path',
      summary: 'for example /assets/a-1001, or /downloads?q=harbor',
      completes: ([method]) => knownPaths(method),
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
      const { printRequest } = await import('./verbs/dryRun.ts');
      return printRequest(context, request);
    }
    if (!isRead(request.method)) {
      context.tellDestination(identity);
    }
    const client = await context.clientOf(identity);

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
      const { readPages } = await import('./verbs/paging.ts');
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
      tellCount(context, extent, { count, total: totalOf(answer) });
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
async function showHead({ streams, world }: Context, answer: HttpAnswer): Promise<void> {
  const lines = await describeHead(answer);
  const text = lines.map((line) => sanitise(world.redactor.clean(line))).join('\n');
  // Nobody listens to a closed standard error: there is nobody to tell.
  await streams.stderr.write(`${text}\n\n`).catch(() => {});
}
