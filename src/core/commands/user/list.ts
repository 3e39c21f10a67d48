import { option, stringOption } from '../../input.ts';
import { textAt } from '../../json/fields.ts';
import { listResult } from '../../output/result.ts';
import { rememberingNames } from '../../reads/knownUsers.ts';
import { listOptions } from '../../reads/listRecords.ts';
import { selectedPages } from '../../reads/select.ts';
import { textMatcher } from '../../values/match.ts';
import type { Command } from '../command.ts';
import { userView } from './view.ts';

export const command: Command = {
  isPaged: true,
  summary: 'List users',
  endpoint: 'userList',
  view: userView,
  details:
    'The service has no filters for users. With --name, mar reads the list to its end, until it has found --limit users, or only the --range.',
  options: [
    option('--name <words>', 'only users whose name contains all these words or word parts'),
    ...listOptions,
  ],
  examples: {
    'List the first ten users': 'mar user list',
    'Find a user by name': 'mar user list --name greta',
    'List users whose two-factor login is not verified':
      "mar user list --all --jq 'select(.twofactorVerified | not).name'",
  },
  async *run(context, input) {
    const name = stringOption(input, 'name');
    const matches = textMatcher(name ?? '');
    const isMatch = (user: unknown) => matches(textAt(user, 'name')) !== undefined;
    const filter = { isMatch, flags: `--name ${name}`, noun: 'user' };
    const invocation = { endpoint: 'userList', view: userView, input } as const;
    const pages = selectedPages(context, invocation, name === undefined ? undefined : filter);
    yield listResult(rememberingNames(context.session, pages), userView);
  },
};
