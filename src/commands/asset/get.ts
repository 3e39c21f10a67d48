import type { Command } from '../command.ts';
import { get, idsArgument } from '../read/get.ts';
import { rememberPrinted } from './seenAssets.ts';
import { assetView } from './view.ts';

export const command: Command = {
  name: 'get',
  summary: 'Show assets',
  endpoint: 'assetGet',
  view: assetView,
  arguments: [idsArgument],
  examples: [
    { does: 'One asset, as a card', line: 'mar asset get a-1001' },
    { does: 'Several, as a table', line: 'mar asset get a-1001 a-1002 a-1003' },
    { does: 'For a script', line: 'mar asset get a-1001 --jq .usage' },
  ],
  run: (context, input) =>
    get(context, {
      endpoint: 'assetGet',
      view: assetView,
      input,
      onPrinted: rememberPrinted(context),
    }),
};
