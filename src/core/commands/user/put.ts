import { put, putOptions } from '../../writes/index.ts';
import type { Command } from '../command.ts';
import { userView } from './view.ts';

export const command: Command = {
  summary: 'Write the record of a user',
  details:
    'Give the whole user with -f: the API does not say what happens to fields you leave out. --set and --unset change what -f gives. A record whose password is the text [redacted] is not sent: use --unset password.',
  endpoint: 'userPut',
  arguments: [{ name: 'id', summary: 'user id', completes: 'id', optional: true }],
  options: putOptions('name="Ines Duarte"'),
  examples: {
    'Write a user from a file': 'mar user put u-ines -f user.json',
    'Leave the password out': 'mar user put u-ines -f user.json --unset password',
  },
  run: (context, input) => put(context, { endpoint: 'userPut', view: userView, input }),
};
