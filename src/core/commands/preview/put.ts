import { put, putOptions } from '../../writes/write.ts';
import type { Command } from '../command.ts';
import { previewView } from './view.ts';

export const command: Command = {
  summary: 'Write the record of a preview of an asset',
  details:
    'Give the whole preview, with its _id: mar cannot read it first, and the service may drop the fields that you leave out.',
  endpoint: 'previewPut',
  view: previewView,
  options: putOptions('label=Final'),
  examples: {
    'Write a preview from a file': 'mar preview put -f preview.json',
    'Write it with another label': 'mar preview put -f preview.json --set label="Rough cut"',
  },
  run: (context, input) => put(context, { endpoint: 'previewPut', view: previewView, input }),
};
