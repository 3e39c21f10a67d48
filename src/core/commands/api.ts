import {
  type Endpoint,
  type EndpointId,
  endpoints,
  repetitionOf,
  resourceNoun,
} from '../api/endpoints.ts';
import { checkSecrets, type Range, rangeHeader } from '../client/request.ts';
import {
  checkStatus,
  decodeJson,
  elementsOf,
  readElements,
  readJson,
  totalOf,
} from '../client/response.ts';
import { targetUrl } from '../client/target.ts';
import { loginHint } from '../credentials/identity.ts';
import { usageError, withFacts } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { type Candidate, type Input, option, stringOption } from '../input.ts';
import { parseJson } from '../json/parse.ts';
import { isObject, type Json, type JsonObject, printJson } from '../json/value.ts';
import { listResult, type Result, recordResult, textResult } from '../output/result.ts';
import type { View } from '../output/viewType.ts';
import {
  defaultExtent,
  type Extent,
  extentOptions,
  noteCount,
  readExtent,
  readPages,
} from '../reads/listRecords.ts';
import { readDocument } from '../records/document.ts';
import { applyEdits } from '../records/setFields.ts';
import type { Context } from '../session/context.ts';
import { words } from '../values/commandLine.ts';
import { isWholeRecord } from '../values/formats.ts';
import { sanitiseLines } from '../values/sanitise.ts';
import { bodyOptions, readEdits } from '../writes/body.ts';
import { eventLook, orderLooker } from '../writes/orderLook.ts';
import { checkEarlier, orderOptions, orderSource } from '../writes/placedBefore.ts';
import { recordIntent, type SentWrite } from '../writes/recordIntent.ts';
import { review } from '../writes/review.ts';
import { requestResults } from '../writes/unsentRequest.ts';
import type { Command } from './command.ts';
import { knownFieldsOfAll } from './viewParts.ts';

const known = Object.values(endpoints);

/** The methods that Tab offers; `mar api` sends any other too. */
const knownMethods = [...new Set(known.map(({ method }) => method))];

function knownPaths(wanted: string): Candidate[] {
  const matching = known.filter(({ method }) => method === wanted);
  const byPath = new Map(matching.map(({ path, summary }) => [path, summary]));
  return [...byPath].map(([path, summary]) => {
    const value = path.replace(/\{id\}$/, '');
    return value === path ? { value, summary } : { value, summary, isOpen: true };
  });
}

export const command: Command = {
  printsText: true,
  isPaged: true,
  summary: 'Send a request of your own to the service',
  details:
    'The path is relative to the base URL, with or without /api. An address from $links works too. A list endpoint gets the X-Range that it requires, by default resources=0-9. A JSON response is printed as JSON, unless you choose another format. A GET or HEAD may be sent again after a failure; no other request is.',
  arguments: [
    {
      name: 'method',
      summary: 'GET (default), POST, PUT, DELETE, …',
      optional: true,
      completes: [...knownMethods.map((value) => ({ value })), ...knownPaths('GET')],
    },
    {
      name: 'path',
      summary: 'for example /assets/a-1001 or /downloads?q=harbor',
      completes: {
        after: Object.fromEntries(knownMethods.map((method) => [method, knownPaths(method)])),
      },
    },
  ],
  options: [
    ...bodyOptions('label=Final'),
    option(
      '--range <from-to>',
      'records of a list, sent as X-Range; 10- is everything from record 10',
      { excludes: ['--limit', '--all'] },
    ),
    ...extentOptions,
    ...orderOptions,
  ],
  examples: {
    'Read a record': 'mar api /assets/a-1001',
    'Print a whole list, one record per line': 'mar api /files/_slug --all --jsonl',
    'Write a preview': 'mar api PUT /previews -f preview.yaml --set label=Final',
  },
  async *run(context, input) {
    const { session, flags } = context;
    const requested = readExtent(context, input);
    const { target, ...parts } = await readParts(context, input, requested);
    const identity = session.identity();
    const { baseUrl } = identity;
    const url = targetUrl(target, baseUrl);
    const path = plainPath(url.pathname.slice(baseUrl.pathname.length));
    const request: HttpRequest = { ...parts, url, record: recordAt(path) };
    // List endpoints require X-Range.
    const isList = known.some((one: Endpoint) => one.range && isAt(one, request.method, path));
    const extent = requested ?? (isList ? defaultExtent(input) : undefined);
    const withRange = (range: Range | undefined) => {
      const headers = { ...request.headers, ...(range && { 'X-Range': rangeHeader(range) }) };
      return { ...request, headers };
    };
    if (!request.isRead && !input.options.dryRun) session.refuseReadOnly();
    const write = request.isRead ? undefined : await writeIn(context, request, path, input);
    if (input.options.dryRun) {
      return yield* requestResults(context, withRange(extent && firstRange(extent)));
    }
    if (!request.isRead) session.reportDestination(identity);
    const client = await session.client();

    async function send(range?: Range, signal?: AbortSignal) {
      const response = await client.send(withRange(range), signal);
      checkStatus(response, loginHint(identity));
      return response;
    }

    const { output } = session.settings;
    const defaultFormat = output && isWholeRecord(output) ? output : 'json';
    // A single range is one request, whose response may be something else than a list.
    if (extent && !extent.isOneRange) {
      const found = readPages(context, extent, async (range, signal) => {
        const response = await send(range, signal);
        return () => readElements(response, `Without ${extent.flag}, any response is printed.`);
      });
      return yield listResult(found, genericView, { defaultFormat });
    }
    const recorded = write && (await recordIntent(context, write));
    const response = await send(extent && firstRange(extent)).catch(async (error: unknown) => {
      throw recorded ? await recorded.failed(error) : error;
    });
    const sent = recorded && decodeJson(response.body);
    await recorded?.done(sent && 'value' in sent ? sent.value : undefined);
    if (response.body.length === 0) return;
    const needsJson = (flags.columns ?? flags.format ?? flags.jq) !== undefined;
    const json = needsJson ? readJson(response) : decodeJson(response.body);
    if ('whyNot' in json) return yield unchanged(response);
    const elements = elementsOf(json);
    yield elements
      ? listResult([elements], genericView, { defaultFormat })
      : recordResult(json, genericView, { defaultFormat });
    // A larger response comes from a service that ignores ranges: the whole list was printed.
    if (extent && elements && elements.length <= extent.pageSize) {
      noteCount(context, extent, { count: elements.length, total: totalOf(response) });
    }
  },
};

/** Servers take several slashes for one, and ignore one at the end. */
const plainPath = (path: string) => path.replace(/\/+/g, '/').replace(/(.)\/$/, '$1');

/** Some services ignore the case, too. */
const isAt = (endpoint: Endpoint, method: string, path: string) =>
  endpoint.method === method && endpoint.path.toLowerCase() === decodeURI(path).toLowerCase();

/** The request as the log has it. An order is refused if it was placed before, as by every other door. */
async function writeIn(
  context: Context,
  { method, body }: HttpRequest,
  path: string,
  input: Input,
): Promise<SentWrite> {
  const [folder, id = ''] = path.split(/\/(?=[^/]+$)/);
  const ids = Object.keys(endpoints) as EndpointId[];
  const whole = ids.find((one) => isAt(endpoints[one], method, path));
  const endpoint = whole ?? ids.find((one) => isAt(endpoints[one], method, `${folder}/{id}`));
  const json = body === undefined ? undefined : parseJson(String(body));
  const record: JsonObject = isObject(json) ? json : new Map();
  const request = `${method} ${decodeURI(path)}`;
  const own = whole ? undefined : decodeURIComponent(id);
  const write = { id: own, body: record, by: 'mar api', request };
  const order = endpoint && orderSource(endpoint, input);
  if (!endpoint || !order) return { ...write, endpoint };
  const look = endpoint === 'eventPut' ? eventLook(context, record) : orderLooker(context)(record);
  const plan = { ...write, endpoint, order, look, remarks: [] };
  const checked = await checkEarlier(context, plan, input);
  await review(context, input, checked);
  return checked;
}

const firstRange = ({ from, to = Number.MAX_SAFE_INTEGER, pageSize }: Extent): Range => ({
  from,
  to: Math.min(to, from + pageSize - 1),
});

async function readParts(context: Context, input: Input, extent: Extent | undefined) {
  const { method, target } = readTarget(input.arguments);
  const [flag, value] = extent?.flag?.split(' ') ?? [];
  if (extent && !extent.isOneRange && method !== 'GET') {
    const message = `${extent.flag} works only with GET, not with ${method}`;
    throw usageError(message, { flag, value });
  }
  const isRead = repetitionOf({ method }) === 'safe';
  const body = await readJsonBody(context, input, { method, isRead });
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  return { method, isRead, target, headers, body };
}

const example = { text: 'For example:', command: words`mar api /assets/a-1001` };

function readTarget([first = '', second]: readonly string[]) {
  // A single word is a path, unless it can only be a method.
  const isMethodOnly = /^(?:get|head|post|put|patch|delete|options)?$/i.test(first);
  if (second === undefined && isMethodOnly) throw usageError('no API path given', example);
  const [word, target] = second === undefined ? ['GET', first] : [first, second];
  const method = word.toUpperCase();
  if (!/^[A-Z]+$/.test(method))
    throw usageError(`invalid method "${word}"`, example, { value: word });
  if (method === 'CONNECT' || method === 'TRACE') throw usageError(`mar does not send ${method}`);
  return { method, target };
}

function recordAt(path: string): HttpRequest['record'] {
  const [folder, id = ''] = path.split(/\/(?=[^/]+$)/);
  const endpoint = known.find((one) => one.path === `${folder}/{id}`);
  if (!endpoint || known.some((one) => one.path === path)) return undefined;
  return { resource: resourceNoun(endpoint.resource), id: decodeURIComponent(id) };
}

/** Unlike a record, the body may be a list or a plain value. */
async function readJsonBody(
  context: Context,
  input: Input,
  { method, isRead }: Pick<HttpRequest, 'method' | 'isRead'>,
) {
  const file = stringOption(input, 'file');
  const edits = await readEdits(context, input);
  if (file === undefined && edits.length === 0) return undefined;
  if (isRead) {
    const message = `a ${method} request has no body: remove -f, --set, --set-string and --unset`;
    const flag = file === undefined ? `--${edits[0]?.kind}` : '-f';
    throw usageError(message, { flag });
  }
  const body: Json =
    file === undefined
      ? new Map()
      : await withFacts({ flag: '-f', value: file }, () =>
          readDocument(file, context.world.streams.stdin),
        );
  applyEdits(body, edits);
  checkSecrets(body);
  return printJson(body);
}

const genericView: View = { columns: [], knownFields: knownFieldsOfAll };

function unchanged({ body }: HttpResponse): Result {
  return textResult(({ isTerminal }) => {
    if (!isTerminal) return body;
    const lines = sanitiseLines(body.toString());
    // End the last line, so that the prompt starts on a new one.
    return `${lines.join('\n')}${lines.at(-1) === '' ? '' : '\n'}`;
  });
}
