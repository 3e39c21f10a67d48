import { type EndpointId, endpoints } from '../api/endpoints.ts';
import { hideSecrets } from '../api/secrets.ts';
import { schemaOf } from '../client/client.ts';
import { buildRequest, type CallInput, checkBody } from '../client/request.ts';
import type { HttpRequest } from '../http/message.ts';
import { isSecretHeader } from '../http/redact.ts';
import { parseJson } from '../json/parse.ts';
import { redacted } from '../json/secrets.ts';
import { ServiceRecord } from '../json/serviceRecord.ts';
import { pretty } from '../json/text.ts';
import { fromPlain, type Json, type JsonObject, printJson } from '../json/value.ts';
import { factsView } from '../output/printer.ts';
import { differences } from '../records/recordDiff.ts';
import type { Context } from '../session/context.ts';
import { sanitise, visibleJson } from '../values/sanitise.ts';
import { version } from '../version.ts';

export async function showRequest(
  context: Context,
  endpointId: EndpointId,
  call: CallInput,
): Promise<void> {
  const endpoint = endpoints[endpointId];
  const { baseUrl } = context.session.identity();
  if ('body' in endpoint) {
    checkBody(call.body ?? null, await schemaOf(endpoint.body), call.base);
  }
  await printRequest(context, buildRequest(endpoint, baseUrl, call), call);
}

export async function printRequest(
  context: Context,
  request: HttpRequest,
  call?: Pick<CallInput, 'base' | 'body'>,
): Promise<void> {
  const { printer } = context.output;
  const { streams } = context.world;
  const { method, url } = request;
  context.reporter.reportOnce(
    `Dry run: nothing was sent to ${url.host} as ${context.session.identity().email}`,
  );
  const record = requestRecord(context, request, call);
  // The secrets are already hidden, unless --show-secrets is given.
  const own = printer.forOwnRecords;
  if (printer.isForPrograms) return own.record(ServiceRecord.fromTree(record), factsView);
  const shown = record.get('request') as JsonObject;
  const headers = [...(shown.get('headers') as JsonObject)].map((pair) => pair.join(': '));
  const { stdout } = streams;
  await stdout.write(`${[`${method} ${url.href}`, ...headers].map(sanitise).join('\n')}\n`);
  const content = shown.get('body');
  if (content === undefined) return;
  const json = pretty(printJson(content));
  await stdout.write(`\n${stdout.isTerminal ? visibleJson(json) : json}\n`);
}

/** The request for programs, with the changed fields if the current record is known. */
export function requestRecord(
  { flags }: Context,
  { method, url, headers, body }: HttpRequest,
  { base, body: record }: Pick<CallInput, 'base' | 'body'> = {},
): JsonObject {
  const all = Object.entries({ ...headers, 'User-Agent': `mar/${version}`, Authorization: '' });
  const printed = all.map(([name, value]) => [name, isSecretHeader(name) ? redacted : value]);
  const safe = (json: Json) => (flags.showSecrets ? json : hideSecrets(json));
  const facts = { method, url: url.href, headers: Object.fromEntries(printed) };
  const request = fromPlain(facts) as JsonObject;
  if (body !== undefined) request.set('body', safe(parseJson(body)));
  if (base === undefined || record === undefined) return new Map([['request', request]]);
  const changes = differences(base, record).map(({ path, before, after, isSecret }) => {
    const shown = (json: Json) => (isSecret && !flags.showSecrets ? redacted : safe(json));
    const change: JsonObject = new Map([['path', path]]);
    if (before !== undefined) change.set('before', shown(before));
    if (after !== undefined) change.set('after', shown(after));
    return change;
  });
  // The request is last, because it is long.
  return new Map<string, Json>([
    ['changes', changes],
    ['request', request],
  ]);
}
