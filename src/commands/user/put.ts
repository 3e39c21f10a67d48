import { batchable } from '../batch/batchable.ts';
import { put, putOptions } from '../write/write.ts';
import { userView } from './view.ts';

export const command = batchable({
  name: 'put',
  summary: 'Write the record of a user',
  details:
    'Give the whole user: the API does not say what happens to fields you leave out. A password shown as [redacted] is refused.',
  endpoint: 'userPut',
  arguments: [{ name: 'id', summary: 'user id', completes: 'id', optional: true }],
  options: putOptions('name="Ines Duarte"'),
  examples: [
    { does: 'Write one from a file', line: 'mar user put u-ines -f user.json' },
    {
      does: 'Leave the password out',
      line: 'mar user put u-ines -f user.json --unset password',
    },
  ],
  run: (context, input) => put(context, { endpoint: 'userPut', view: userView, input }),
});
