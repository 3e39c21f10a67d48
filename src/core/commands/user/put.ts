import { overwriteOption, putRecord, replaceOption } from '../../writes/putRecord.ts';
import { putOptions } from '../../writes/write.ts';
import type { Command } from '../command.ts';
import { userView } from './view.ts';

export const command: Command = {
  summary: 'Change a user',
  details:
    'Sends the whole record from the list of users, with your changes. Fields that a file does not have are kept, unless you use --replace.',
  endpoint: 'userPut',
  view: userView,
  arguments: [
    {
      name: 'id',
      summary: 'user id; not needed if the file has an _id',
      completes: 'id',
      optional: true,
    },
  ],
  options: [...putOptions('name="Ines Duarte"'), replaceOption, overwriteOption],
  examples: {
    'Change one field': 'mar user put u-ines --set name="Ines Duarte"',
    'Write a user from a file': 'mar user put u-ines -f user.json',
  },
  run: (context, input) => putRecord(context, { endpoint: 'userPut', view: userView, input }),
};
