import { batchable } from './batch/batchable.ts';
import type { Command, Noun } from './command.ts';
import { fileView } from './file/view.ts';
import { list, listOptions } from './read/list.ts';
import { createFrom, createOptions } from './write/write.ts';

const uploadMeta: Command = batchable({
  name: 'upload-meta',
  summary: "Submit a file's metadata",
  details:
    'Sends the metadata alone: the bytes of the file go another way. PATH gives the name, unless -f has one. With --measure the file is read once for its type, size and MD5; they are sent as mime, length and md5, as the service shows them of stored files. Codes of languages (ISO 639) and countries (ISO 3166-1) are checked before anything is sent.',
  endpoint: 'fileCreate',
  arguments: [
    { name: 'path', summary: 'the file on this machine', optional: true, completes: 'file' },
  ],
  options: [
    { flags: '--asset <id>', summary: 'its asset', completes: { idOf: 'Asset' } },
    { flags: '--project <id>', summary: 'its project' },
    { flags: '--studio <id>', summary: 'its studio' },
    { flags: '--language <code>', summary: 'three-letter code of its language: fra' },
    { flags: '--country <code>', summary: 'code of its country: FR or FRA' },
    { flags: '--tag <tag>', summary: 'a tag; may be repeated, adds to those of -f', many: true },
    {
      flags: '--measure',
      summary: 'also send its type, size and MD5: mime, length, md5',
    },
    ...createOptions,
  ],
  examples: [
    {
      does: 'Of a file here',
      line: 'mar file upload-meta trailer_fra.mov --asset a-1001 --language fra --country FR',
    },
    {
      does: 'With its type, size and MD5',
      line: 'mar file upload-meta trailer_fra.mov --asset a-1001 --tag master --measure',
    },
    {
      does: 'Of a file elsewhere',
      line: 'mar file upload-meta --set name=trailer_fra.mov --asset a-1001',
    },
    { does: 'From a file', line: 'mar file upload-meta -f file.yaml' },
  ],
  async run(context, input) {
    const { readMetadata } = await import('./file/uploadMeta.ts');
    const body = await readMetadata(context, input);
    await createFrom(context, input, 'fileCreate', fileView, body);
  },
});

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
    {
      does: 'Submit metadata',
      line: 'mar file upload-meta trailer_fra.mov --asset a-1001 --language fra',
    },
  ],
};
