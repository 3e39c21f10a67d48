import { endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { MarError } from '../../errors.ts';
import { fieldsOf } from '../../terminal/fields.ts';
import { valueAt } from '../../terminal/flatten.ts';
import { type Input, textOption } from '../command.ts';
import { remember } from '../verbs/remember.ts';
import { type PageAddress, pageAddress } from './pageAddress.ts';

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
