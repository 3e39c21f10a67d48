import { get, idsArgument } from '../../reads/getRecords.ts';
import type { Command } from '../command.ts';
import { notificationView } from './view.ts';

export const command: Command = {
  isPaged: true,
  summary: 'Show notifications',
  endpoint: 'notificationGet',
  view: notificationView,
  arguments: [idsArgument],
  examples: {
    'Show one notification': 'mar notification show n-3001',
    'Print its title': 'mar notification show n-3001 --jq .title',
  },
  run: (context, input) =>
    get(context, { endpoint: 'notificationGet', view: notificationView, input }),
};
