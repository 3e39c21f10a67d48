import type { Command, Noun } from './command.ts';
import { batchOptions, ranBatch } from './verbs/batchOptions.ts';
import { bodyOptions, readWholeBody, write } from './verbs/write.ts';
import { previewView } from './views/preview.ts';

const put: Command = {
  name: 'put',
  summary: 'Write a preview',
  details: 'The file holds the whole preview, with its _id.',
  endpoint: 'previewPut',
  options: [...bodyOptions, ...batchOptions],
  examples: [
    { does: 'From a file', line: 'mar preview put -f preview.json' },
    { does: 'With another label', line: 'mar preview put -f preview.json --set label="Rough cut"' },
  ],
  async run(context, input) {
    if (await ranBatch(context, input, 'previewPut', 'preview put')) return;
    const body = await readWholeBody(context, input);
    await write(context, 'previewPut', previewView, { body });
  },
};

export const preview: Noun = {
  commands: [put],
  view: previewView,
  examples: [{ does: 'Write a preview', line: 'mar preview put -f preview.json' }],
};
