import { batchable } from './batch/batchable.ts';
import type { Command, Noun } from './command.ts';
import { previewView } from './preview/view.ts';
import { replace, replaceOptions } from './write/write.ts';

const put: Command = batchable({
  name: 'put',
  summary: 'Write a preview',
  details: 'The file holds the whole preview, with its _id.',
  endpoint: 'previewPut',
  options: replaceOptions,
  examples: [
    { does: 'From a file', line: 'mar preview put -f preview.json' },
    { does: 'With another label', line: 'mar preview put -f preview.json --set label="Rough cut"' },
  ],
  run: (context, input) => replace(context, input, 'previewPut', previewView),
});

export const preview: Noun = {
  commands: [put],
  view: previewView,
  examples: [{ does: 'Write a preview', line: 'mar preview put -f preview.json' }],
};
