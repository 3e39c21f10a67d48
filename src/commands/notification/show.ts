import type { Command } from '../command.ts';
import { get } from '../read/get.ts';
import { idsArgument } from '../read/ids.ts';
import { notificationView } from './view.ts';

export const command: Command = {
  name: 'show',
  summary: 'Show notifications',
  endpoint: 'notificationGet',
  arguments: [idsArgument],
  examples: [
    { does: 'One notification', line: 'mar notification show n-3001' },
    { does: 'What is it about?', line: 'mar notification show n-3001 --jq .title' },
  ],
  run: (context, input) =>
    get(context, { endpoint: 'notificationGet', view: notificationView, input }),
};
