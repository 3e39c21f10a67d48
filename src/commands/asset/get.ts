import type { Command } from '../command.ts';
import { get, idsArgument } from '../read/get.ts';
import { rememberPrinted } from './seenAssets.ts';
import { assetView } from './view.ts';

export const command: Command = {
  name: 'get',
  isPaged: true,
  summary: 'Show one or more assets',
  endpoint: 'assetGet',
  view: assetView,
  arguments: [idsArgument],
  examples: [
    { does: 'Show one asset', line: 'mar asset get a-1001' },
    { does: 'Show several assets as a table', line: 'mar asset get a-1001 a-1002 a-1003' },
    { does: 'Print one field as JSON', line: 'mar asset get a-1001 --jq .usage' },
  ],
  run: (context, input) =>
    get(context, {
      endpoint: 'assetGet',
      view: assetView,
      input,
      onPrinted: rememberPrinted(context),
    }),
};
