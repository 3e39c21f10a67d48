import { option } from '../../input.ts';
import { overwriteOption, putRecord, replaceOption } from '../../writes/putRecord.ts';
import { putOptions } from '../../writes/write.ts';
import type { Command } from '../command.ts';
import { assetView } from './view.ts';

const endpoint = 'assetPut';

export const command: Command = {
  summary: 'Change an asset',
  details:
    'mar reads the asset, changes the fields that -f, --set and --unset name, and writes the whole record if anything changed. Fields that a file does not have are kept: --unset removes one, --replace all of them, and --base those that the copy has. If mar remembers that you read the asset, and this would undo a change that someone made since, the asset is not written (exit code 6, or 8 with --batch), unless you give --force.',
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
