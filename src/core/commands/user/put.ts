import { overwriteOption, putRecord, replaceOption } from '../../writes/putRecord.ts';
import { putOptions } from '../../writes/write.ts';
import type { Command } from '../command.ts';
import { userView } from './view.ts';

export const command: Command = {
  summary: 'Change a user',
  details:
    'mar finds the user in the list of users, changes the fields that -f, --set and --unset name, and writes the whole record if anything changed. With -f, it also sends a user that the list does not have. Fields that a file does not have are kept, and so is a password that reads [redacted]: --unset removes one.',
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
