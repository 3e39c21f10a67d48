import type { Command } from '../command.ts';
import { get, idsArgument } from '../read/get.ts';
import { notificationView } from './view.ts';

export const command: Command = {
  name: 'show',
  isPaged: true,
  summary: 'Show notifications',
  endpoint: 'notificationGet',
  view: notificationView,
  arguments: [idsArgument],
  examples: [
    { does: 'Show one notification', line: 'mar notification show n-3001' },
    { does: 'Print its title', line: 'mar notification show n-3001 --jq .title' },
  ],
  run: (context, input) =>
    get(context, { endpoint: 'notificationGet', view: notificationView, input }),
};
