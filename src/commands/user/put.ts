import { batchable } from '../batch/batchable.ts';
import { put, putOptions } from '../write/write.ts';
import { userView } from './view.ts';

export const command = batchable({
  name: 'put',
  summary: 'Write a user',
  details: 'The file holds the whole user. A password that was shown as [redacted] is refused.',
  endpoint: 'userPut',
  arguments: [{ name: 'id', summary: 'the user', completes: 'id', optional: true }],
  options: putOptions('name="Ines Duarte"'),
  examples: [
    { does: 'From a file', line: 'mar user put u-ines -f user.json' },
    {
      does: 'Leaving the password alone',
      line: 'mar user put u-ines -f user.json --unset password',
    },
  ],
  run: (context, input) => put(context, { endpoint: 'userPut', view: userView, input }),
});
