import { endpoints } from '../../api/endpoints.ts';
import { MarError } from '../../errors.ts';
import { option, stringOption } from '../../input.ts';
import { fieldsOf, valueAt } from '../../json/fields.ts';
import { openInBrowser } from '../../output/browser.ts';
import { outcome } from '../../output/result.ts';
import { remember } from '../../session/remember.ts';
import type { Command } from '../command.ts';
import { pageAddress } from './webPage.ts';

/** Pages of the service's web application, by their names in `urls` of a record. */
const pageNames = ['view', 'manage', 'invite', 'translate'] as const;

export const command: Command = {
  summary: 'Open a page of a work request in the browser',
  details:
    'Opens the address from the work request in the browser named by BROWSER, else in the default ' +
    'browser. Only https addresses are opened, and http on this machine. Your token is not sent. The pages ' +
    'invite and translate may need a code that the work request does not contain. --print prints the ' +
    'address without the code.',
  arguments: [{ name: 'id', summary: 'work request id', completes: { idOf: 'WorkRequest' } }],
  options: [
    option('--page <page>', 'page to open', { choices: pageNames, default: 'view' }),
    option('--print', 'print the address instead of opening it'),
  ],
  examples: {
    'Open a work request': 'mar wr open wr-2001',
    'Print the address of another page': 'mar wr open wr-2001 --page manage --print',
  },
  async *run(context, input) {
    const [id = ''] = input.arguments;
    const page = stringOption(input, 'page') ?? 'view';
    const client = await context.session.client();
    const record = await client.call(endpoints.workRequestGet, { id });
    await remember(context.session, 'WorkRequest', [{ id, record }]);
    const { url, missing } = pageAddress(addressTemplate(record.value, page, id), page, id);
    const problem =
      missing.length > 0 &&
      `the address of the ${page} page is not complete: it needs ${missing.join(' and ')}, which the work request does not contain`;
    if (input.options.print) {
      if (problem) context.reporter.warn('browser', problem);
      return yield outcome({ id, page, url, missing }, url);
    }
    if (problem) {
      throw new MarError('service', problem, {
        hint: 'Look for it in your invitation. Use --print to print the address without the code.',
      });
    }
    await openInBrowser(url, context.world);
    yield outcome({ id, page, url }, `Opened ${url}`);
  },
};

function addressTemplate(record: unknown, page: string, id: string): string {
  const template = valueAt(record, `urls.${page}`);
  if (typeof template === 'string' && template !== '') return template;
  const pages = (fieldsOf(valueAt(record, 'urls')) ?? []).flatMap(([name, url]) =>
    typeof url === 'string' && url !== '' ? name : [],
  );
  const hint = pages.length === 0 ? 'It has no pages at all.' : `Its pages: ${pages.join(', ')}`;
  throw new MarError('not-found', `work request ${id} has no ${page} page`, { hint });
}
