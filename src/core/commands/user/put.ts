import { overwriteOption, putRecord, replaceOption } from '../../writes/putRecord.ts';
import { putOptions } from '../../writes/write.ts';
import type { Command } from '../command.ts';
import { userView } from './view.ts';

export const command: Command = {
  summary: 'Change a user',
  details:
    'Finds the user in the list of users, changes the fields that you name, and writes the whole record. Fields that a file does not have are kept.',
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
