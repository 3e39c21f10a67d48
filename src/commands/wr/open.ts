import { endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { MarError } from '../../errors.ts';
import { isLoopback } from '../../http/loopback.ts';
import { fieldsOf, valueAt } from '../../json/fields.ts';
import { withoutCredentials } from '../../values/url.ts';
import { type Input, textOption } from '../command.ts';
import { remember } from '../read/remember.ts';

/** Opens a page of a work request in the browser, or prints its address. Nothing secret goes along. */
export async function open(context: Context, input: Input): Promise<void> {
  const [id = ''] = input.arguments;
  const page = textOption(input, 'page') ?? 'view';
  const client = await context.client();
  const endpoint = endpoints.workRequestGet;
  const record = await client.call(endpoint, { id });
  await remember(context, endpoint.resource, [{ id, record }]);
  const address = pageAddress(templateOf(record.value, page, id), page, id);
  const facts = { id, page, url: address.url };
  if (input.options.print) {
    if (address.missing.length > 0) context.note(`warning: ${unfilled(address, page)}`);
    return context.printer.outcome({ ...facts, missing: address.missing }, address.url);
  }
  if (address.missing.length > 0) {
    throw new MarError('service', unfilled(address, page), {
      hint: 'it is in the message that invited you; --print prints the address as it is',
    });
  }
  const { openInBrowser } = await import('../../terminal/browser.ts');
  await openInBrowser(address.url, context.world);
  await context.printer.outcome(facts, `Opened ${address.url}`);
}

function templateOf(record: unknown, page: string, id: string): string {
  const template = valueAt(record, `urls.${page}`);
  if (typeof template === 'string' && template !== '') return template;
  const pages = (fieldsOf(valueAt(record, 'urls')) ?? []).flatMap(([name, url]) =>
    typeof url === 'string' && url !== '' ? name : [],
  );
  const known = pages.length === 0 ? 'it names no page at all' : `it names: ${pages.join(', ')}`;
  throw new MarError('not-found', `the work request ${id} does not name its page ${page}`, {
    hint: known,
  });
}

const unfilled = ({ missing }: PageAddress, page: string) =>
  `the address of the page ${page} needs ${missing.join(' and ')}, which the record does not have`;

/** Pages of the service's client application, by their names in a record's `urls`. */
export const pageNames = ['view', 'manage', 'invite', 'translate'] as const;

interface PageAddress {
  url: string;
  /** The placeholders that nothing is known for: `:code`. */
  missing: string[];
}

const placeholder = /:([A-Za-z]\w*)/g;

/** The address of a page, with the work request filled in. What no browser should open is refused. */
function pageAddress(template: string, page: string, id: string): PageAddress {
  const url = URL.canParse(template) ? new URL(template) : undefined;
  const refuse = (why: string) =>
    new MarError('service', `the address of the page ${page} ${why}`, {
      hint: `it is ${JSON.stringify(withoutCredentials(template))}, and is not opened`,
    });
  if (!url) throw refuse('is not a whole one');
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) throw refuse('is not https');
  if (url.username !== '' || url.password !== '') throw refuse('holds a user name or password');
  const missing = new Set<string>();
  const filled = url.href.slice(url.origin.length).replace(placeholder, (whole, name: string) => {
    if (name === 'workRequest') return encodeURIComponent(id);
    missing.add(whole);
    return whole;
  });
  return { url: url.origin + filled, missing: [...missing] };
}
