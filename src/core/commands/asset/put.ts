import { option } from '../../input.ts';
import { overwriteOption, putRecord, replaceOption } from '../../writes/putRecord.ts';
import { putOptions } from '../../writes/write.ts';
import type { Command } from '../command.ts';
import { assetView } from './view.ts';

const endpoint = 'assetPut';

export const command: Command = {
  summary: 'Change an asset',
  details:
    'Reads the asset, changes the fields that you name, and writes the whole record. Fields that a file does not have are kept. If mar remembers the version that you read with asset get, it refuses to undo changes that others made since; --force overwrites them.',
  endpoint,
  view: assetView,
  arguments: [
    {
      name: 'id',
      summary: 'id of the asset; not needed if the file has an _id',
      optional: true,
      completes: 'id',
    },
  ],
  options: [
    ...putOptions('usage.online=true'),
    option('--base <file>', 'your unchanged copy of the asset; later changes by others are kept', {
      completes: 'file',
      excludes: ['--replace'],
    }),
    replaceOption,
    overwriteOption,
  ],
  examples: {
    'Change one field': 'mar asset put a-1001 --set usage.online=true',
    'Show the request without sending it': 'mar asset put a-1001 --set name=New --dry-run',
    'Write a file and keep changes by others since you copied the asset':
      'mar asset put -f mine.json --base copy.json',
  },
  run: (context, input) => putRecord(context, { endpoint, view: assetView, input }),
};
