import { endpoints } from '../../api/endpoints.ts';
import { MarError } from '../../errors.ts';
import { isLoopback } from '../../http/loopback.ts';
import { fieldsOf, valueAt } from '../../json/fields.ts';
import { openInBrowser } from '../../terminal/browser.ts';
import { withoutCredentials } from '../../values/url.ts';
import { type Command, stringOption } from '../command.ts';
import { remember } from '../read/remember.ts';

/** Pages of the service's web application, by their names in `urls` of a record. */
const pageNames = ['view', 'manage', 'invite', 'translate'] as const;

export const command: Command = {
  name: 'open',
  summary: 'Open a page of a work request in the browser',
  details:
    'The address is that of the record; only https is opened, and http on this machine. The browser is ' +
    'that of BROWSER, else of the system, and gets the address alone: no token goes along. The pages ' +
    'invite and translate may need a code that no record has: that is said, and --print prints them ' +
    'as they are.',
  arguments: [{ name: 'id', summary: 'the work request', completes: { idOf: 'WorkRequest' } }],
  options: [
    { flags: '--page <page>', summary: 'which page', choices: pageNames, default: 'view' },
    { flags: '--print', summary: 'print the address, and open nothing' },
  ],
  examples: [
    { does: 'Look at it', line: 'mar wr open wr-2001' },
    { does: 'Without a browser', line: 'mar wr open wr-2001 --page manage --print' },
  ],
  async run(context, input) {
    const [id = ''] = input.arguments;
    const page = stringOption(input, 'page') ?? 'view';
    const client = await context.client();
    const endpoint = endpoints.workRequestGet;
    const record = await client.call(endpoint, { id });
    await remember(context, endpoint.resource, [{ id, record }]);
    const address = pageAddress(addressTemplate(record.value, page, id), page, id);
    const facts = { id, page, url: address.url };
    if (input.options.print) {
      if (address.missing.length > 0)
        context.reportOnce(`warning: ${missingMessage(address, page)}`);
      return context.printer.outcome({ ...facts, missing: address.missing }, address.url);
    }
    if (address.missing.length > 0) {
      throw new MarError('service', missingMessage(address, page), {
        hint: 'it is in the message that invited you; --print prints the address as it is',
      });
    }
    await openInBrowser(address.url, context.world);
    await context.printer.outcome(facts, `Opened ${address.url}`);
  },
};

function addressTemplate(record: unknown, page: string, id: string): string {
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

const missingMessage = ({ missing }: PageAddress, page: string) =>
  `the address of the page ${page} needs ${missing.join(' and ')}, which the record does not have`;

interface PageAddress {
  url: string;
  /** Placeholders without a value: `:code`. */
  missing: string[];
}

const placeholder = /:([A-Za-z]\w*)/g;

/** Fills in the id. Refuses an address that is unsafe to open. */
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
