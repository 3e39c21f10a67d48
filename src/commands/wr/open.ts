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
    const record = await client.call(endpoints.workRequestGet, { id });
    await remember(context, 'WorkRequest', [{ id, record }]);
    const { url, missing } = pageAddress(addressTemplate(record.value, page, id), page, id);
    const needs = `the address of the page ${page} needs ${missing.join(' and ')}`;
    const problem = missing.length > 0 && `${needs}, which the record does not have`;
    if (input.options.print) {
      if (problem) context.reportOnce(`warning: ${problem}`);
      return context.printer.outcome({ id, page, url, missing }, url);
    }
    if (problem) {
      throw new MarError('service', problem, {
        hint: 'it is in the message that invited you; --print prints the address as it is',
      });
    }
    await openInBrowser(url, context.world);
    await context.printer.outcome({ id, page, url }, `Opened ${url}`);
  },
};

function addressTemplate(record: unknown, page: string, id: string): string {
  const template = valueAt(record, `urls.${page}`);
  if (typeof template === 'string' && template !== '') return template;
  const pages = (fieldsOf(valueAt(record, 'urls')) ?? []).flatMap(([name, url]) =>
    typeof url === 'string' && url !== '' ? name : [],
  );
  const hint = pages.length === 0 ? 'it names no page at all' : `it names: ${pages.join(', ')}`;
  throw new MarError('not-found', `the work request ${id} does not name its page ${page}`, {
    hint,
  });
}

/** Fills in the id, and lists placeholders without a value (`:code`). Refuses an unsafe address. */
function pageAddress(template: string, page: string, id: string) {
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
  const path = url.href.slice(url.origin.length).replace(/:[A-Za-z]\w*/g, (placeholder) => {
    if (placeholder === ':workRequest') return encodeURIComponent(id);
    missing.add(placeholder);
    return placeholder;
  });
  return { url: url.origin + path, missing: [...missing] };
}
