import type { Command, Noun } from './command.ts';
import { list, listOptions } from './verbs/list.ts';
import { create, createOptions } from './verbs/write.ts';
import { fileView } from './views/file.ts';

const uploadMeta: Command = {
  name: 'upload-meta',
  summary: "Submit a file's metadata",
  details: 'Sends the metadata alone: the bytes of the file go another way.',
  endpoint: 'fileCreate',
  options: createOptions,
  examples: [
    {
      does: 'From fields',
      line: 'mar file upload-meta --set name=trailer_fra.mov --set asset=a-1001 --set language=fra',
    },
    { does: 'From a file', line: 'mar file upload-meta -f file.yaml' },
  ],
  run: (context, input) => create(context, input, 'fileCreate', fileView),
};

const listFiles: Command = {
  name: 'list',
  summary: 'List files',
  endpoint: 'fileList',
  options: listOptions,
  examples: [
    { does: 'The first ten', line: 'mar file list' },
    { does: 'All names', line: 'mar file list --all --columns name' },
  ],
  run: (context, input) => list(context, 'fileList', fileView, input),
};

export const file: Noun = {
  commands: [listFiles, uploadMeta],
  view: fileView,
  examples: [
    { does: 'List files', line: 'mar file list' },
    { does: 'Submit metadata', line: 'mar file upload-meta -f file.yaml' },
  ],
};
