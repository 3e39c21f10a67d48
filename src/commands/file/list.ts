import type { Command } from '../command.ts';
import { list, listOptions } from '../read/list.ts';
import { fileView } from './view.ts';

export const command: Command = {
  name: 'list',
  summary: 'List files',
  endpoint: 'fileList',
  view: fileView,
  options: listOptions,
  examples: [
    { does: 'List the first ten', line: 'mar file list' },
    { does: 'List all names', line: 'mar file list --all --columns name' },
  ],
  run: (context, input) => list(context, { endpoint: 'fileList', view: fileView, input }),
};
