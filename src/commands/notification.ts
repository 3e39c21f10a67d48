import type { Command, Noun } from './command.ts';
import { notificationView } from './notification/view.ts';
import { get, idsArgument } from './read/get.ts';

const show: Command = {
  name: 'show',
  summary: 'Show notifications',
  endpoint: 'notificationGet',
  arguments: [idsArgument],
  examples: [
    { does: 'One notification', line: 'mar notification show n-3001' },
    { does: 'What is it about?', line: 'mar notification show n-3001 --jq .title' },
  ],
  run: (context, input) => get(context, 'notificationGet', notificationView, input),
};

export const notification: Noun = {
  commands: [show],
  view: notificationView,
  examples: [{ does: 'Show a notification', line: 'mar notification show n-3001' }],
};
