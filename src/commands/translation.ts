import type { Command, Noun } from './command.ts';
import { batchOptions, ranBatch } from './verbs/batchOptions.ts';
import { bodyOptions, readBody, write } from './verbs/write.ts';
import { translationView } from './views/translation.ts';

const submit: Command = {
  name: 'submit',
  summary: 'Submit a translation',
  endpoint: 'translationCreate',
  options: [...bodyOptions, ...batchOptions],
  examples: [
    {
      does: 'For a work request',
      line: 'mar translation submit --set workRequest=wr-2001 --set asset=a-1001 --set language=fra --set status=submitted',
    },
    { does: 'From a file', line: 'mar translation submit -f translation.yaml' },
  ],
  async run(context, input) {
    if (await ranBatch(context, input, 'translationCreate', 'translation submit')) return;
    const body = await readBody(context, input);
    await write(context, 'translationCreate', translationView, { body });
  },
};

export const translation: Noun = {
  commands: [submit],
  view: translationView,
  examples: [{ does: 'Submit a translation', line: 'mar translation submit -f translation.yaml' }],
};
