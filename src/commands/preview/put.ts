import { batchable } from '../batch/batchable.ts';
import { put, putOptions } from '../write/write.ts';
import { previewView } from './view.ts';

export const command = batchable({
  name: 'put',
  summary: 'Write a preview',
  details: 'The file holds the whole preview, with its _id.',
  endpoint: 'previewPut',
  view: previewView,
  options: putOptions('label=Final'),
  examples: [
    { does: 'From a file', line: 'mar preview put -f preview.json' },
    { does: 'With another label', line: 'mar preview put -f preview.json --set label="Rough cut"' },
  ],
  run: (context, input) => put(context, { endpoint: 'previewPut', view: previewView, input }),
});
