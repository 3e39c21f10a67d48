import { endpoints } from '../../api/endpoints.ts';
import { MarError } from '../../errors.ts';
import { option } from '../../input.ts';
import { textAt } from '../../json/fields.ts';
import { openInBrowser } from '../../output/browser.ts';
import { outcome } from '../../output/result.ts';
import { remember } from '../../session/remember.ts';
import type { Command } from '../command.ts';
import { pageAddress } from './webPage.ts';

export const command: Command = {
  summary: 'Open the page of a work request in the browser',
  details:
    'Opens the address that the work request names. BROWSER chooses the browser, which does not get your token.',
  arguments: [{ name: 'id', summary: 'work request id', completes: { idOf: 'WorkRequest' } }],
  options: [option('--print', 'print the address instead of opening it')],
  examples: {
    'Open a work request': 'mar wr open wr-2001',
    'Print the address of its page': 'mar wr open wr-2001 --print',
  },
  async *run(context, input) {
    const [id = ''] = input.arguments;
    const client = await context.session.client();
    const record = await client.call(endpoints.workRequestGet, { id });
    await remember(context.session, 'WorkRequest', [{ id, record }], { isShown: false });
    const template = textAt(record.value, 'urls.view');
    if (template === '') throw new MarError('not-found', `work request ${id} has no web page`);
    const url = pageAddress(template, id);
    if (!input.options.print) await openInBrowser(url, context.world);
    yield outcome({ id, url }, input.options.print ? url : `Opened ${url}`);
  },
};
