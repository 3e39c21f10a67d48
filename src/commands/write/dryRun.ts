import { type EndpointId, endpoints } from '../../api/endpoints.ts';
import { hideSecrets } from '../../api/secrets.ts';
import { schemaOf } from '../../client/client.ts';
import { buildRequest, type CallInput, checkBody } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import type { HttpRequest } from '../../http/message.ts';
import { isSecretHeader } from '../../http/redact.ts';
import { parseJson } from '../../json/parse.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { pretty } from '../../json/text.ts';
import { type Json, type JsonObject, printJson } from '../../json/value.ts';
import { jsonPatch } from '../../records/recordDiff.ts';
import { factsView } from '../../terminal/printer.ts';
import { sanitise, visibleJson } from '../../terminal/sanitise.ts';
import { version } from '../../version.ts';

/** Prints the request that would be sent, checked as if it were. */
export async function showRequest(
  context: Context,
  endpointId: EndpointId,
  call: CallInput,
): Promise<void> {
  const endpoint = endpoints[endpointId];
  const { baseUrl } = context.identity();
  if ('body' in endpoint) {
    checkBody(call.body ?? null, await schemaOf(endpoint.body), call.base);
  }
  await printRequest(context, buildRequest(endpoint, baseUrl, call), call);
}

/** Of a record that is there already, programs get the difference as well: a JSON Patch. */
export async function printRequest(
  context: Context,
  { method, url, headers, body }: HttpRequest,
  { base, body: record }: Pick<CallInput, 'base' | 'body'> = {},
): Promise<void> {
  const { printer, streams, flags } = context;
  const { email } = context.identity();
  context.note(`dry run: nothing was written to ${url.host} as ${email}`);
  const all = { ...headers, 'User-Agent': `mar/${version}`, Authorization: '' };
  const shown = Object.entries(all).map(([name, value]): [string, string] => [
    name,
    isSecretHeader(name) ? '[redacted]' : value,
  ]);
  const safe = (json: Json) => (flags.showSecrets ? json : hideSecrets(json));
  const content = body === undefined ? undefined : safe(parseJson(body));
  if (printer.isForPrograms) {
    const facts: JsonObject = new Map<string, Json>([
      ['method', method],
      ['url', url.href],
      ['headers', new Map(shown)],
    ]);
    if (content !== undefined) facts.set('body', content);
    const result: JsonObject = new Map([['request', facts as Json]]);
    if (base !== undefined && record !== undefined) {
      result.set('patch', jsonPatch(safe(base), safe(record)));
    }
    // Secrets are hidden already, as far as they are to be.
    return printer.forOwnRecords.record(ServiceRecord.fromTree(result), factsView);
  }
  const lines = [`${method} ${url.href}`, ...shown.map(([name, value]) => `${name}: ${value}`)];
  const json = content === undefined ? '' : pretty(printJson(content));
  const safeJson = streams.stdout.isTerminal ? visibleJson(json) : json;
  const shownBody = json === '' ? '' : `\n${safeJson}\n`;
  await streams.stdout.write(`${lines.map(sanitise).join('\n')}\n${shownBody}`);
}
