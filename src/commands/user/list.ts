import type { Command } from '../command.ts';
import { list, listOptions } from '../read/list.ts';
import { userView } from './view.ts';

export const command: Command = {
  name: 'list',
  summary: 'List users',
  endpoint: 'userList',
  view: userView,
  options: listOptions,
  examples: [
    { does: 'List the first ten', line: 'mar user list' },
    {
      does: 'List users without two-factor login',
      line: "mar user list --all --jq 'select(.twofactorVerified | not).name'",
    },
  ],
  run: (context, input) => list(context, { endpoint: 'userList', view: userView, input }),
};
