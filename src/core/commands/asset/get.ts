import { get, idsArgument } from '../../reads/getRecords.ts';
import { rememberPrinted } from '../../writes/seenAssets.ts';
import type { Command } from '../command.ts';
import { assetView } from './view.ts';

export const command: Command = {
  isPaged: true,
  summary: 'Show one or more assets',
  endpoint: 'assetGet',
  view: assetView,
  arguments: [idsArgument],
  examples: {
    'Show one asset': 'mar asset get a-1001',
    'Show several assets as a table': 'mar asset get a-1001 a-1002 a-1003',
    'Print one field as JSON': 'mar asset get a-1001 --jq .usage',
  },
  run: (context, input) =>
    get(context, {
      endpoint: 'assetGet',
      view: assetView,
      input,
      onPrinted: rememberPrinted(context),
    }),
};
