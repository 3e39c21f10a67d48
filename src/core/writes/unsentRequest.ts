import { type Endpoint, endpoints } from '../api/endpoints.ts';
import { hideSecrets } from '../api/secretFields.ts';
import { schemaOf } from '../client/client.ts';
import { buildRequest, checkBody } from '../client/request.ts';
import type { HttpRequest } from '../http/message.ts';
import { isSecretHeader } from '../http/redact.ts';
import { redacted } from '../json/hideFields.ts';
import { parseJson } from '../json/parse.ts';
import { ServiceRecord } from '../json/serviceRecord.ts';
import { pretty } from '../json/text.ts';
import { fromPlain, type Json, type JsonObject, printJson } from '../json/value.ts';
import { factsView } from '../output/printer.ts';
import { type Results, recordResult, textResult } from '../output/result.ts';
import { differences } from '../records/recordDiff.ts';
import type { Context } from '../session/context.ts';
import { sanitise, visibleJson } from '../values/sanitise.ts';
import { version } from '../version.ts';
import { callOf } from './apply.ts';
import type { Plan } from './plan.ts';

/** A plan as `--dry-run` shows it. */
export async function* planResults(context: Context, plan: Plan): Results {
  const endpoint: Endpoint = endpoints[plan.endpoint];
  const call = callOf(plan);
  if (endpoint.body) checkBody(plan.body, await schemaOf(endpoint.body), call.base);
  const { baseUrl } = context.session.identity();
  const request = buildRequest(endpoint, baseUrl, call);
  yield* requestResults(context, request, { plan });
}

/** A request that is not sent: as text for people, as a record for programs. */
export async function* requestResults(
  context: Context,
  request: HttpRequest,
  { plan, onlyFor }: { plan?: Plan; onlyFor?: 'people' } = {},
): Results {
  const { host } = request.url;
  const { email } = context.session.identity();
  context.reporter.reportOnce(`Dry run: not sent to ${host} as ${email}`);
  const record = requestRecord(context, request, plan);
  const shown = record.get('request') as JsonObject;
  // The change alone, which `review` prints, says what an undo would do.
  if (plan?.takesBack === undefined)
    yield textResult(({ isTerminal }) => requestText(shown, isTerminal), { onlyFor: 'people' });
  if (onlyFor) return;
  // The secrets are already hidden, unless --show-secrets is given.
  const options = { isOwn: true, onlyFor: 'programs', plan } as const;
  yield recordResult(ServiceRecord.fromTree(record), factsView, options);
}

function requestText(request: JsonObject, isTerminal: boolean): string {
  const headers = [...(request.get('headers') as JsonObject)].map((pair) => pair.join(': '));
  const start = `${request.get('method')} ${request.get('url')}`;
  const head = [start, ...headers].map(sanitise).join('\n');
  const content = request.get('body');
  if (content === undefined) return `${head}\n`;
  const json = pretty(printJson(content));
  return `${head}\n\n${isTerminal ? visibleJson(json) : json}\n`;
}

/** The request for programs, with the changed fields if the current record is known. */
export function requestRecord(
  { flags }: Context,
  { method, url, headers, body }: HttpRequest,
  plan?: Plan,
): JsonObject {
  const all = Object.entries({ ...headers, 'User-Agent': `mar/${version}`, Authorization: '' });
  const printed = all.map(([name, value]) => [name, isSecretHeader(name) ? redacted : value]);
  const safe = (json: Json, path = '') => (flags.showSecrets ? json : hideSecrets(json, path));
  const facts = { method, url: url.href, headers: Object.fromEntries(printed) };
  const request = fromPlain(facts) as JsonObject;
  if (body !== undefined) request.set('body', safe(parseJson(body)));
  if (!plan?.over) return new Map([['request', request]]);
  const changes = differences(plan.over.record, plan.body).map(({ path, before, after }) => {
    const change: JsonObject = new Map([['path', path]]);
    if (before !== undefined) change.set('before', safe(before, path));
    if (after !== undefined) change.set('after', safe(after, path));
    return change;
  });
  // The request is last, because it is long.
  return new Map<string, Json>([
    ['changes', changes],
    ['request', request],
  ]);
}
