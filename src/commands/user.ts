import { batchable } from './batch/batchable.ts';
import type { Command, Noun } from './command.ts';
import { list, listOptions } from './read/list.ts';
import { userView } from './user/view.ts';
import { replace, replaceOptions } from './write/write.ts';

const listUsers: Command = {
  name: 'list',
  summary: 'List users',
  endpoint: 'userList',
  options: listOptions,
  examples: [
    { does: 'The first ten', line: 'mar user list' },
    {
      does: 'Who has not set up two factors?',
      line: "mar user list --all --jq 'select(.twofactorVerified | not).name'",
    },
  ],
  run: (context, input) => list(context, 'userList', userView, input),
};

const putUser: Command = batchable({
  name: 'put',
  summary: 'Write a user',
  details: 'The file holds the whole user. A password that was shown as [redacted] is refused.',
  endpoint: 'userPut',
  arguments: [{ name: 'id', summary: 'the user', completes: 'id', optional: true }],
  options: replaceOptions,
  examples: [
    { does: 'From a file', line: 'mar user put u-ines -f user.json' },
    {
      does: 'Leaving the password alone',
      line: 'mar user put u-ines -f user.json --unset password',
    },
  ],
  run: (context, input) => replace(context, input, 'userPut', userView),
});

export const user: Noun = {
  commands: [listUsers, putUser],
  view: userView,
  examples: [{ does: 'List users', line: 'mar user list' }],
};
